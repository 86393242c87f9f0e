/** Where an address of a document leads inside the workspace: a path from the root with `/`, and what follows it (`?…`, `#…`), as written. */
export interface Destination {
  readonly path: string;
  readonly suffix: string;
}

const scheme = /^[a-z][a-z0-9+.-]*:/iu;

/** Where an address that is written in the document at `from` leads; null for what leads out of the workspace, to the web, or nowhere. */
export function resolveAddress(address: string, from: string): Destination | null {
  const bare = withoutBrackets(address);
  if (scheme.test(bare) || bare.startsWith('//')) return null;
  const { name, suffix } = split(bare);
  if (name === '') return bare === '' ? null : { path: from, suffix };
  // An encoded slash at the beginning is part of a name, and does not mean the root.
  const path = pathFrom(name.startsWith('/') ? decoded(name) : `./${decoded(name)}`, from);
  return path === null ? null : { path, suffix };
}

/**
 * `address` anew, so that it leads from the document at `from` to the file at `to`: written in its own manner (from the
 * root, with `./`, in angle brackets, percent-encoded or not), with what followed it.
 */
export function rewriteAddress(address: string, from: string, to: string): string {
  const bare = withoutBrackets(address);
  const isBracketed = bare !== address;
  const { name, suffix } = split(bare);
  const path = name.startsWith('/') ? `/${to}` : relative(from, to, name.startsWith('./'));
  const isPlain = (isBracketed ? /^[^<>\n\\%?#]*$/u : /^[^\s<>()\\%?#\p{Cc}]*$/u).test(path) && !scheme.test(path);
  const mustEncode = decoded(name) !== name || !isPlain;
  const written = (mustEncode ? encoded(path) : path) + suffix;
  return isBracketed ? `<${written}>` : written;
}

const withoutBrackets = (address: string) => (/^<.*>$/su.test(address) ? address.slice(1, -1) : address);

function split(address: string): { name: string; suffix: string } {
  const at = address.search(/[?#]/u);
  return at === -1 ? { name: address, suffix: '' } : { name: address.slice(0, at), suffix: address.slice(at) };
}

/** The folder of a path, with no slash at its end; empty for the root. */
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Where a path is after files and folders were moved; itself where it does not move. */
export function pathAfter(moves: readonly { readonly from: string; readonly to: string }[], path: string): string {
  for (const { from, to } of moves) {
    if (path === from) return to;
    if (path.startsWith(`${from}/`)) return to + path.slice(from.length);
  }
  return path;
}

/** The last part of a path. */
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Backslash escapes of Markdown and percent-encoding undone; what is no valid encoding stays as it is written. */
function decoded(name: string): string {
  const unescaped = name.replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1');
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}

const encoded = (path: string) =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll(/[()]/gu, (mark) => (mark === '(' ? '%28' : '%29')))
    .join('/');

/**
 * The path that a name means in the document at `from`: from its folder, or from the root where it begins with `/`. Null for what leaves the
 * root, or is the root itself.
 */
export function pathFrom(name: string, from: string): string | null {
  const parts = name.startsWith('/') ? [] : from.split('/').slice(0, -1).filter(Boolean);
  for (const part of name.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.length === 0 ? null : parts.join('/');
}

function relative(from: string, to: string, isDotted: boolean): string {
  const [start, end] = [folderOf(from), folderOf(to)].map((folder) => (folder === '' ? [] : folder.split('/'))) as [string[], string[]];
  let common = 0;
  while (common < start.length && common < end.length && start[common] === end[common]) common++;
  const parts = [...start.slice(common).map(() => '..'), ...end.slice(common), nameOf(to)];
  return (isDotted && parts[0] !== '..' ? './' : '') + parts.join('/');
}

const documentEnding = /\.(?:md|markdown|mdown|mkd)$/iu;

/** What a wikilink names, `[[name#heading|words]]` without brackets, heading and words. */
export interface WikiNames {
  /** The file that a name means when it is written in the document at `from`; null where there is none. */
  find(name: string, from: string): string | null;
  /** `name` anew, so that it means the file at `to` when it stands in the document at `from`: as short as it was, if that still names one file. */
  rename(name: string, from: string, to: string): string;
}

/**
 * The wikilinks of a workspace with these files. A name is a path from the root, or the end of one; its ending may be
 * left out for a document; letter case does not count where nothing matches it exactly. Of several files the one in
 * the folder of the document is meant, else the one with the shortest path.
 */
export function wikiNames(paths: Iterable<string>): WikiNames {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    for (const key of new Set([nameOf(path), nameOf(path).replace(documentEnding, '')])) {
      const folded = key.normalize('NFC').toLowerCase();
      const among = byName.get(folded);
      if (among === undefined) byName.set(folded, [path]);
      else among.push(path);
    }
  }
  const find = (name: string, from: string): string | null => {
    const wanted = name
      .replace(/^\.?\//u, '')
      .trim()
      .normalize('NFC');
    if (wanted === '') return null;
    const among = byName.get(nameOf(wanted).toLowerCase()) ?? [];
    const fitting = (fold: (text: string) => string) => {
      const end = fold(wanted);
      return among.filter((path) =>
        [path, path.replace(documentEnding, '')]
          .map((text) => fold(text.normalize('NFC')))
          .some((text) => text === end || text.endsWith(`/${end}`)),
      );
    };
    const exact = fitting((text) => text);
    const all = exact.length > 0 ? exact : fitting((text) => text.toLowerCase());
    const whole = all.find((path) => [path, path.replace(documentEnding, '')].includes(wanted));
    const near = all.filter((path) => folderOf(path) === folderOf(from));
    return whole ?? shortest(near) ?? shortest(all);
  };
  return {
    find,
    rename(name, from, to) {
      const keepsEnding = documentEnding.test(name) || !documentEnding.test(to);
      const whole = keepsEnding ? to : to.replace(documentEnding, '');
      if (name.includes('/')) return whole;
      return find(nameOf(whole), from) === to ? nameOf(whole) : whole;
    },
  };
}

function shortest(paths: readonly string[]): string | null {
  return [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? null;
}
