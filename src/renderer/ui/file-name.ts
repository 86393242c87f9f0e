const notInNames = /[/\\:*?"<>|\p{Cc}]/u;
/** What Windows takes for a device, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** Whether a name may be that of a file or a folder made here: one that every system takes. */
export const isName = (name: string): boolean =>
  name.trim() !== '' && name !== '.' && name !== '..' && !notInNames.test(name) && !/[. ]$/u.test(name) && !device.test(name);

/** The path that a new document of this name gets; null where it is no name. */
export function newPath(typed: string): string | null {
  const path = typed.trim().replace(/^\/+/, '');
  if (!path.split('/').every((part) => isName(part) && !part.startsWith('.'))) return null;
  return /\.(md|markdown|mdown|mkd)$/i.test(path) ? path : `${path}.md`;
}

/** A title as the name of a file on every system, at most 80 characters. */
export function fileName(title: string): string {
  const name = title
    .replaceAll(new RegExp(notInNames, 'gu'), ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, 80)
    .replace(/[\ud800-\udbff]$/u, '')
    .replace(/^\.+/u, '')
    .replace(/[. ]+$/u, '');
  if (name === '') return 'document';
  return device.test(name) ? `document ${name}` : name;
}
