import { pathFrom, type WikiNames, wikiNames } from '#kernel/address';

/** Where a link leads: outside, to a document of the workspace (with the heading that it names), or nowhere that we go. */
export type Target =
  | { readonly kind: 'outside'; readonly url: string }
  | { readonly kind: 'document'; readonly path: string; readonly heading: string | null }
  | { readonly kind: 'refused' };

/** What a link's address leads to, seen from the document at `from`. Only web and mail addresses and relative paths lead anywhere. */
export function targetOf(address: string, from: string): Target {
  const url = address.replace(/^<|>$/g, '').trim();
  if (/^(https?|mailto):/i.test(url)) return { kind: 'outside', url };
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith('//') || url === '') return { kind: 'refused' };
  const [name = '', heading = null] = url.split('#', 2);
  if (name === '') return { kind: 'document', path: from, heading: decoded(heading) };
  const path = pathFrom(decoded(name) ?? name, from);
  return path === null ? { kind: 'refused' } : { kind: 'document', path, heading: decoded(heading) };
}

function decoded(text: string | null): string | null {
  try {
    return text === null ? null : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A wikilink's target as the address of a link: names are as they are, and need no ending. */
export function wikiAddress(target: string): string {
  const [name = '', ...headings] = target.trim().split('#');
  const heading = headings.length === 0 ? '' : `#${encodeURIComponent(headings.join('#'))}`;
  return `wiki:${encodeURIComponent(name.trim())}${heading}`;
}

const names = new WeakMap<readonly string[], WikiNames>();

/** The document that a wikilink names, as a move of it would keep (`wikiNames` of the kernel): null where there is none. No name is the document itself. */
export function wikiPath(name: string, from: string, files: readonly string[]): string | null {
  if (name === '') return from;
  let known = names.get(files);
  if (known === undefined) {
    known = wikiNames(files);
    names.set(files, known);
  }
  return known.find(name, from);
}

/** What a wikilink's address (`wikiAddress`) leads to, or null for an address that is none; a document that is missing has the path that it would get. */
export function wikiTarget(
  address: string,
  from: string,
  files: readonly string[],
): { path: string; heading: string | null; isThere: boolean } | null {
  if (!address.startsWith('wiki:')) return null;
  const [name = '', heading = null] = address.slice(5).split('#', 2);
  const plain = decoded(name) ?? name;
  const path = wikiPath(plain, from, files);
  return { path: path ?? `${plain}.md`, heading: decoded(heading), isThere: path !== null };
}
