import { type Turns, takeTurns } from '#core/workspace/turns';
import { findFrontmatter } from '#kernel/frontmatter';
import { type Identity, insertIdentity, maskIdentity, readIdentity, type YamlMapping } from '#kernel/identity';
import { canonicalText, foldLineEndings } from '#kernel/text';
import { Fault } from '#protocol';

const bom = '\uFEFF';

/** What stands before the text proper: a BOM or a frontmatter. */
export interface Front {
  /** As an agent is given it. */
  readonly served: string;
  /** As it is hashed. */
  readonly masked: string;
  readonly identity: Identity | null;
  /** Where the rest begins. */
  readonly rest: number;
}

/** Parts a text as it stands on disk from what is before it. A BOM stands before the fence, so there is no frontmatter behind it. */
export function splitText(raw: string): Front {
  if (raw.startsWith(bom)) return { served: '', masked: bom, identity: null, rest: 1 };
  const rest = findFrontmatter(raw)?.rest ?? 0;
  const front = raw.slice(0, rest);
  const canonical = canonicalText(front);
  const identity = readIdentity(canonical);
  const folded = foldLineEndings(front);
  return { served: identity === null ? folded : maskIdentity(folded), masked: maskIdentity(canonical), identity, rest };
}

/** A document as it crosses to an agent: LF, no BOM, and without the identity that it carries (`spec/interfaces.md` §3). */
export function servedText(raw: string): string {
  const { served, rest } = splitText(raw);
  return served + foldLineEndings(raw.slice(rest));
}

/** A text as it comes from an agent for a new document. An id in it is not the agent's to give. */
export function takenText(given: string): string {
  return servedText(withoutBom(given));
}

function withoutBom(given: string): string {
  const text = foldLineEndings(given);
  return text.startsWith(bom) ? text.slice(1) : text;
}

/**
 * The file `raw` with the text that an agent wrote instead of the served one: its line endings, its BOM and its identity block as they
 * were. Null where the new frontmatter leaves no place for the block.
 */
export async function rewritten(raw: string, given: string, yaml: YamlMapping, turns: Turns = takeTurns()): Promise<string | null> {
  const before = foldLineEndings(raw);
  await turns.rest();
  // What looks like an id behind a BOM is text, and was served as such.
  const after = before.startsWith(bom) ? bom + withoutBom(given) : withBlockOf(before, takenText(given), yaml);
  await turns.rest();
  return after === null ? null : withEndingsOf(raw, before, after);
}

/** The block stays byte for byte while the frontmatter around it does; else it is put into the new one. */
function withBlockOf(before: string, wanted: string, yaml: YamlMapping): string | null {
  const { identity, rest, served: head } = splitText(before);
  if (identity === null) return wanted;
  const isGood = (text: string) => {
    const found = splitText(text).identity;
    return found?.id === identity.id && found.schema === identity.schema && maskIdentity(text) === maskIdentity(wanted);
  };
  if (wanted.startsWith(head)) {
    const kept = before.slice(0, rest) + wanted.slice(head.length);
    if ((head !== '' || findFrontmatter(wanted) === null) && isGood(kept)) return kept;
  }
  const stamp = insertIdentity(wanted, identity, yaml);
  return stamp.kind === 'stamped' && isGood(stamp.text) ? stamp.text : null;
}

/** Lines that stay keep their own ending where a file has several kinds; a new line takes that of the line before it. */
function withEndingsOf(raw: string, before: string, after: string): string {
  if (!raw.includes('\r')) return after;
  const endings = raw.match(/\r\n|\r|\n/g)!;
  const uniform = () => after.replaceAll('\n', endings[0]!);
  if (endings.every((ending) => ending === endings[0])) return uniform();
  const text = joined(before.split('\n'), after.split('\n'), endings);
  // A lone CR and a LF that come to stand beside each other are one.
  return foldLineEndings(text) === after ? text : uniform();
}

function joined(old: readonly string[], lines: readonly string[], endings: readonly string[]): string {
  const most = Math.min(old.length, lines.length);
  let same = 0;
  while (same < most && old[same] === lines[same]) same++;
  let tail = 0;
  while (tail < most - same && old.at(-1 - tail) === lines.at(-1 - tail)) tail++;
  let ending = endings[0]!;
  const ended = lines.slice(0, -1).map((line, index) => {
    const from = index < same ? index : index >= lines.length - tail ? index - lines.length + old.length : -1;
    ending = endings[from] ?? ending;
    return line + ending;
  });
  return ended.join('') + lines.at(-1)!;
}

/** An exact text, and what shall stand in its place. */
export interface TextEdit {
  readonly old: string;
  readonly new: string;
}

const spellings: readonly ((text: string) => string)[] = [(text) => text, (text) => text.normalize('NFC'), (text) => text.normalize('NFD')];

/**
 * A text after one edit: what it names must stand there once and only once. `number` counts edits from 1. A text that stands there in the
 * other Unicode form is the same one to the ledger and to a reader, and what takes its place is put into that form.
 */
export function edited(text: string, edit: TextEdit, number: number): string {
  const given = foldLineEndings(edit.old);
  if (given === '') throw new Fault('edit-empty', { number });
  const spell = spellings.find((one) => text.includes(one(given)));
  if (spell === undefined) throw new Fault('edit-missing', { number });
  const old = spell(given);
  const at = text.indexOf(old);
  if (text.includes(old, at + 1)) throw new Fault('edit-ambiguous', { number });
  return text.slice(0, at) + spell(foldLineEndings(edit.new)) + text.slice(at + old.length);
}

/** The file `raw` after all edits, one after another, or null as of `rewritten`. */
export async function rewrittenByEdits(
  raw: string,
  edits: readonly TextEdit[],
  yaml: YamlMapping,
  turns: Turns = takeTurns(),
): Promise<string | null> {
  const isMixed = new Set(raw.match(/\r\n|\r|\n/g)).size > 1;
  let text = raw;
  let wanted = servedText(raw);
  for (const [index, edit] of edits.entries()) {
    await turns.rest();
    wanted = edited(wanted, edit, index + 1);
    if (!isMixed) continue;
    // Each by itself, so that the lines between two edits keep their endings.
    const next = await rewritten(text, wanted, yaml, turns);
    if (next === null) return null;
    text = next;
    wanted = servedText(text);
  }
  return isMixed ? text : rewritten(raw, wanted, yaml, turns);
}
