import type { Connection } from '#renderer/connection.ts';

/** The address under which both shells give out a picture of an open workspace: `path` from its root. */
export function pictureAddress(root: string, path: string): string {
  return `/file/${path.split('/').map(encodeURIComponent).join('/')}?folder=${encodeURIComponent(root)}`;
}

/** Pictures of other computers that the writer asked for, by their address; kept as long as the window. */
const fetched = new Map<string, { readonly address: string; readonly data: string }>();

/** Fetches a picture of another computer through core; the answer is an address that the page may show. Rejects with the fault. */
export async function fetchPicture(call: Connection['call'], url: string): Promise<string> {
  const known = fetched.get(url);
  if (known !== undefined) return known.address;
  const { type, bytes } = await call('picture/fetch', { url });
  const address = URL.createObjectURL(new Blob([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))], { type }));
  fetched.set(url, { address, data: `data:${type};base64,${bytes}` });
  return address;
}

/** A picture of another computer that was fetched already, as an address that holds it; null where nobody asked for it. */
export const shownPicture = (url: string): string | null => fetched.get(url)?.data ?? null;
