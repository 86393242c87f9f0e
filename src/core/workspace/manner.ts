import { diffArrays } from 'diff';
import { type Identity, insertIdentity, maskIdentity, readIdentity } from '#kernel/identity';
import { ownLines, withOwnLines } from '#kernel/identity-change';
import { canonicalText } from '#kernel/text';

const mark = '\uFEFF';

interface Line {
  readonly text: string;
  readonly ending: string;
}

/**
 * A canonical text as a file is written: lines that the file has keep their own bytes, new ones take the line ending and
 * the composition of most, and the file's byte order mark stays or stays away (`spec/editor.md` §2).
 */
export function inMannerOf(now: string, canonical: string): string {
  const target = linesOf(withoutMark(canonical));
  const own = linesOf(withoutMark(now));
  const compose = isDecomposed(now) ? (text: string) => text.normalize('NFD') : (text: string) => text;
  const usual = usualEnding(own);
  const kept = keptLines(own, target);
  const lines = target.map(({ text, ending }, at) => {
    const same = kept.get(at);
    return (same?.text ?? compose(text)) + (ending === '' ? '' : same?.ending || usual);
  });
  const wanted = canonicalText(withoutMark(canonical));
  const plain = target.map(({ text, ending }) => compose(text) + (ending === '' ? '' : usual)).join('');
  // Where two endings came to stand so that they read as one, none of them is worth keeping.
  const written = [lines.join(''), plain].find((text) => canonicalText(text) === wanted) ?? withoutMark(canonical);
  return (now.startsWith(mark) ? mark : '') + written;
}

/** A stored text (masked) as the file of its document is written, with the document's own block, as far as it can carry one. */
export async function asFileOf(now: string | null, masked: string, identity: Identity | null): Promise<string> {
  const bare = now?.startsWith(mark) === true ? mark + withoutMark(masked) : withoutMark(masked);
  const stamped = identity === null ? masked : await stampedWith(bare, masked, identity);
  if (now === null) return stamped;
  return inMannerOf(now, withOwnLines(stamped, ownLines(canonicalText(now))));
}

async function stampedWith(bare: string, masked: string, identity: Identity): Promise<string> {
  const { yamlMapping } = await import('#core/yaml');
  const stamp = insertIdentity(bare, identity, yamlMapping);
  return stamp.kind === 'stamped' ? stamp.text : (behindBlock(bare, identity) ?? masked);
}

/** A text that begins with a rule looks like a frontmatter once its own block is taken out: that is put in front again. */
function behindBlock(bare: string, { id, schema }: Identity): string | null {
  if (!bare.startsWith('---\n')) return null;
  const text = `---\nvmark:\n  id: ${id}\n${schema === null ? '' : `  schema: ${schema}\n`}---\n${bare}`;
  return maskIdentity(text) === bare && readIdentity(text)?.id === id ? text : null;
}

const withoutMark = (text: string) => (text.startsWith(mark) ? text.slice(1) : text);

function linesOf(text: string): Line[] {
  return Array.from(text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/gu), (match) => ({ text: match[1]!, ending: match[2]! })).filter(
    ({ text: line, ending }) => line !== '' || ending !== '',
  );
}

function isDecomposed(text: string): boolean {
  return text !== text.normalize('NFC') && text === text.normalize('NFD');
}

function usualEnding(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { ending } of lines) if (ending !== '') counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '\n';
}

/** Which line of the file each line of the target is; none where that takes too long to find out. */
function keptLines(own: readonly Line[], target: readonly Line[]): Map<number, Line> {
  const kept = new Map<number, Line>();
  const texts = (lines: readonly Line[]) => lines.map(({ text }) => text.normalize('NFC'));
  const parts = diffArrays(texts(own), texts(target), { timeout: 2000 }) ?? [];
  let [from, to] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let at = 0; at < count; at++) kept.set(to + at, own[from + at]!);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return kept;
}
