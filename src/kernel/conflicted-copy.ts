/** What sync clients put into the name of a file that they could not bring together. The last kind is what file managers do, too. */
const clientMarks: readonly RegExp[] = [
  / ?\((?:[^()]*[ ’'`]s? )?(?:conflicted copy|case conflict|copia en conflicto)[^()]*\)/iu,
  / (?:conflicted copy|copia en conflicto)(?: [^/]*?)?(?=\.[^./]+$)/iu,
  /\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?/u,
];
const numbered = / ?\(\d{1,3}\)(?=\.[^./]+$)/u;

/** Which kind of name a path has: one that a sync client gives to a conflicted copy, one that any program may give to a copy, or neither. */
export function copyNameOf(path: string): 'client' | 'numbered' | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (clientMarks.some((mark) => mark.test(name))) return 'client';
  return numbered.test(name) ? 'numbered' : null;
}

/** The path that a conflicted copy of a sync client is a copy of, by its name; null for any other. */
export function originalOf(path: string): string | null {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  const mark = clientMarks.find((known) => known.test(name));
  return mark === undefined ? null : path.slice(0, at) + name.replace(mark, '');
}
