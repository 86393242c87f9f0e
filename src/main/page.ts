import { appOrigin } from '#protocol/desktop';
import { readAsset } from '#web/asset';
import { picturePolicy, picturePrefix, readPicture } from '#web/picture';
import { policyFor } from '#web/response';

/** What the page may load: itself and its own styles and pictures, and the loopback carrier (`fallback.ts`); nothing of the net. */
export const contentPolicy = policyFor('http://127.0.0.1:*');

/**
 * Answers a request to `app://stemma/…` from the folder of the built page, and the pictures of a workspace that is open: only from there,
 * and only GET. Unknown names answer 404.
 */
export async function servePage(
  page: string,
  request: { readonly method: string; readonly url: string },
  isOpen: (root: string) => boolean = () => false,
): Promise<Response> {
  const url = URL.parse(request.url);
  if (url === null || url.protocol !== `${appOrigin.scheme}:` || url.host !== appOrigin.host) return refusal(403);
  if (request.method !== 'GET') return refusal(405);
  if (url.pathname.startsWith(picturePrefix)) return servePicture(url, isOpen);
  const asset = await readAsset(page, url.pathname);
  if (asset === null) return refusal(404);
  return new Response(new Uint8Array(asset.bytes), { headers: { ...headers, 'content-type': asset.type } });
}

async function servePicture(url: URL, isOpen: (root: string) => boolean): Promise<Response> {
  const root = url.searchParams.get('folder');
  const picture = root !== null && isOpen(root) ? await readPicture(root, url.pathname) : null;
  if (picture === null) return refusal(404);
  const given = { ...headers, 'content-security-policy': picturePolicy, 'content-type': picture.type };
  return new Response(new Uint8Array(picture.bytes), { headers: given });
}

const headers = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const refusal = (status: number) => new Response(null, { status, headers });
