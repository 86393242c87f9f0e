/** One move of HEAD. `before` and `after` are commits; a zero name stands for none. */
export interface ReflogEntry {
  readonly before: string;
  readonly after: string;
  readonly message: string;
}

/** How far HEAD's reflog had been read: its bytes, and its last line without the name of the commit before. */
export interface ReflogMark {
  readonly size: number;
  readonly last: string;
}

/** The entries of a reflog, oldest first. `text` holds one character a byte; an unfinished last line is left out. */
export function parseReflog(text: string): ReflogEntry[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map(parseEntry).filter((entry) => entry !== null);
}

/** Remembers where the complete lines of a reflog end. */
export function markOf(text: string): ReflogMark {
  const size = text.lastIndexOf('\n') + 1;
  return { size, last: lastLineKey(text.slice(0, size)) };
}

/**
 * The entries written after `mark`, oldest first; all of them when there was no log then. After a log was rewritten the
 * line itself is looked for, then the commit HEAD stood at; when neither is left, none: nothing is claimed unproven.
 */
export function entriesSince(text: string, mark: ReflogMark | null, head: string | null): ReflogEntry[] {
  if (mark === null) return parseReflog(text);
  const seen = text.slice(0, mark.size);
  if (seen.length === mark.size && (seen === '' || seen.endsWith('\n')) && lastLineKey(seen) === mark.last) {
    return parseReflog(text.slice(mark.size));
  }
  const line = ` ${mark.last}\n`;
  const at = mark.last === '' ? -1 : text.lastIndexOf(line);
  return at < 0 ? entriesFromCommit(parseReflog(text), head) : parseReflog(text.slice(at + line.length));
}

function entriesFromCommit(entries: readonly ReflogEntry[], head: string | null): ReflogEntry[] {
  const arrived = entries.findLastIndex((entry) => entry.after === head);
  if (arrived >= 0) return entries.slice(arrived + 1);
  const left = entries.findIndex((entry) => entry.before === head);
  return left < 0 ? [] : entries.slice(left);
}

const shape = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*?> \d+ [+-]\d{4}(?:\t(.*))?$/;

function parseEntry(line: string): ReflogEntry | null {
  const [, before, after, message = ''] = shape.exec(line) ?? [];
  // Renaming a branch writes HEAD away and back; no text moves.
  if (before === undefined || after === undefined || message.startsWith('Branch: renamed ')) return null;
  return { before, after, message };
}

// `reflog expire --rewrite` changes the commit before; the rest of a line never changes.
function lastLineKey(lines: string): string {
  const last = lines.slice(lines.lastIndexOf('\n', lines.length - 2) + 1, -1);
  return last.slice(last.indexOf(' ') + 1);
}
