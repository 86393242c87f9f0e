import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The only address that the shell listens on. */
export const loopback = '127.0.0.1';

/** How long a browser stays let in, in seconds: over its own restarts, never over one of the server, whose secrets are new. */
const lasting = 7 * 24 * 60 * 60;

/** Who may talk to a server at one port: pages of its own origin, in a browser that came with the token. */
export interface Gate {
  readonly origin: string;
  /** The first address; its token opens once. */
  readonly url: string;
  /** Whether a request is addressed to this server and comes from no other page (DNS rebinding, cross-site requests). */
  isOurs(headers: IncomingHttpHeaders): boolean;
  /** Whether a WebSocket comes from a page of this server: a browser always says so. */
  isFromOurPage(headers: IncomingHttpHeaders): boolean;
  /** Whether the browser has been let in. */
  isKnown(headers: IncomingHttpHeaders): boolean;
  /** The header that lets a browser in, for a token that was not used before; null for any other. */
  exchange(token: string): string | null;
}

/** Makes the gate of a server. `newSecret` gives 256 random bits. */
export function createGate(port: number, newSecret: () => string = () => randomBytes(32).toString('base64url')): Gate {
  const host = `${loopback}:${port}`;
  const origin = `http://${host}`;
  // Cookies do not tell ports apart: two servers on one machine must not take each other's.
  const name = `stemma-${port}`;
  const session = newSecret();
  const first = newSecret();
  let isUsed = false;
  const isOwn = (value: string | undefined) => value === origin;
  return {
    origin,
    url: `${origin}/?token=${first}`,
    isOurs: ({ host: named, origin: from }) => named === host && (from === undefined || isOwn(from)),
    isFromOurPage: ({ host: named, origin: from }) => named === host && isOwn(from),
    isKnown: ({ cookie = '' }) => cookieValues(cookie, name).some((value) => isEqual(value, session)),
    exchange(token) {
      if (!isEqual(token, first) || isUsed) return null;
      isUsed = true;
      return `${name}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${lasting}`;
    },
  };
}

function cookieValues(header: string, name: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** Compares in a time that tells nothing of either: digests have one length. */
function isEqual(given: string, wanted: string): boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digestOf(given), digestOf(wanted));
}
