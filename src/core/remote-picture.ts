import { isIP } from 'node:net';
import type { FetchedPicture } from '#protocol/document-calls';
import { Fault, problemOf } from '#protocol/fault';

/** The largest picture that is fetched, in bytes; the time it may take, in ms; the times it may be sent on. */
const [largest, patience, hops] = [20 * 1024 * 1024, 15_000, 4];

/** How a picture is asked for; the real one is `fetch`. */
export type Fetching = (url: string, options: RequestInit) => Promise<Response>;

/**
 * Fetches a picture of another computer, once the writer asked for it: nothing of this machine goes along, and no address of this machine or
 * of a private network is asked. Throws `picture-unavailable` for anything but a picture.
 */
export async function fetchPicture(url: string, get: Fetching = fetch): Promise<FetchedPicture> {
  try {
    const response = await followed(new URL(url), get, hops, AbortSignal.timeout(patience));
    const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (!response.ok) throw new RangeError(`${response.status}`);
    if (!/^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon)$/u.test(type)) throw new RangeError(type === '' ? 'no type' : type);
    return { type, bytes: (await bytesOf(response)).toString('base64') };
  } catch (error) {
    throw new Fault('picture-unavailable', { problem: problemOf(error) }, { cause: error });
  }
}

async function followed(url: URL, get: Fetching, left: number, signal: AbortSignal): Promise<Response> {
  if (!isOfTheNet(url)) throw new RangeError(url.host || url.protocol);
  const headers = { accept: 'image/*' };
  const response = await get(url.href, { redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer', headers, signal });
  const next = response.headers.get('location');
  if (response.status < 300 || response.status > 399 || next === null) return response;
  await response.body?.cancel();
  if (left === 0) throw new RangeError('too many redirections');
  return followed(new URL(next, url), get, left - 1, signal);
}

/** Whether an address is one of the net at large, as far as it says itself. */
function isOfTheNet({ protocol, hostname, username, password }: URL): boolean {
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[|\]$/gu, '').toLowerCase();
  if (isIP(host) === 6) return /^[23]/u.test(host) && !host.startsWith('2002:');
  if (isIP(host) === 4)
    return !/^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|2(2[4-9]|[3-5]\d))\./u.test(host);
  return host.includes('.') && !/\.(local|localhost|internal|home|lan|arpa)\.?$/u.test(host);
}

async function bytesOf(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > largest) throw new RangeError(`more than ${largest} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
