/** Where a repository of another machine is: an address that may be fetched from (code-anchors §4). */
export interface Remote {
  /** As git is given it. */
  readonly url: string;
  /** Scheme, host and port: what a person says yes to, and all that a token is sent to. */
  readonly origin: string;
}

/**
 * The remote of an address, or null for one that is never fetched from: `https` only, nobody named in it, nothing behind
 * the path.
 */
export function remoteOf(address: string): Remote | null {
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'https:' || hasControls(address)) return null;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname === '/') return null;
  return { url: url.href, origin: url.origin };
}

/** Whether an environment variable may hold the token of a repository: no other name is ever read (code-anchors §4). */
export const isTokenName = (name: string): boolean => /^STEMMA_GIT_TOKEN(?:_[A-Z0-9_]{1,64})?$/u.test(name);

// The parser of addresses drops some of these silently; what is confirmed must be what is fetched.
const hasControls = (text: string) => /[\p{Cc}\p{Zs}\\]/u.test(text);
