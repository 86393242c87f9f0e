/** Whether a document has no file yet. It is known by a slash and a name, as no path of a workspace is, so that core takes it for none. */
export const isUntitled = (path: string): boolean => path.startsWith('/');

/** What a new document without a file is known by: the first of `/Untitled`, `/Untitled 2` … that no open document has. */
export function freeUntitled(open: readonly string[], name: string): string {
  const taken = new Set(open);
  for (let number = 1; ; number++) {
    const path = `/${name}${number === 1 ? '' : ` ${number}`}`;
    if (!taken.has(path)) return path;
  }
}
