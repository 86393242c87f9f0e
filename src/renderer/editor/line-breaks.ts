import { invertedEffects } from '@codemirror/commands';
import {
  type EditorState,
  type Extension,
  MapMode,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
  Text,
} from '@codemirror/state';
import type { JournalBreaks } from '#protocol/journal-calls';

/** One kind of line break of a file. */
export type LineBreak = '\n' | '\r\n' | '\r';

/** The line breaks of a document: the kind that most have and new lines get, and where the others stand. */
export interface LineBreaks {
  readonly majority: LineBreak;
  /** A point at each break of another kind, at the end of its line. */
  readonly odd: RangeSet<Odd>;
  readonly bom: boolean;
}

/** A file's text taken apart: what the editor edits, and what it must put back. */
export interface SplitText {
  readonly doc: Text;
  readonly breaks: LineBreaks;
}

class Odd extends RangeValue {
  readonly kind: LineBreak;
  constructor(kind: LineBreak) {
    super();
    this.kind = kind;
    // Text typed at the end of a line comes before its break, and a break that is deleted takes its mark along.
    this.startSide = this.endSide = 1;
    this.mapMode = MapMode.TrackAfter;
  }
  override eq(other: RangeValue): boolean {
    return other instanceof Odd && other.kind === this.kind;
  }
}

const oddKinds: Readonly<Record<LineBreak, Odd>> = { '\n': new Odd('\n'), '\r\n': new Odd('\r\n'), '\r': new Odd('\r') };
const byteOrderMark = '\ufeff';

/** Takes a file's text apart: `\r\n`, `\n` and lone `\r` are breaks and nothing else is; the first U+FEFF is the BOM. */
export function split(text: string): SplitText {
  const bom = text.startsWith(byteOrderMark);
  const body = bom ? text.slice(1) : text;
  // Most files have one kind of break, and an expression takes several times as long to find it.
  if (!body.includes('\r')) return { doc: Text.of(body.split('\n')), breaks: { majority: '\n', odd: RangeSet.empty, bom } };
  const doc = Text.of(body.split(/\r\n?|\n/));
  const kinds = (body.match(/\r\n?|\n/g) ?? []) as LineBreak[];
  const majority = mostOf(kinds);
  return { doc, breaks: { majority, odd: oddBreaks(doc, kinds, majority), bom } };
}

function mostOf(kinds: readonly LineBreak[]): LineBreak {
  const counts = new Map<LineBreak, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

function oddBreaks(doc: Text, kinds: readonly LineBreak[], majority: LineBreak): RangeSet<Odd> {
  const builder = new RangeSetBuilder<Odd>();
  let at = 0;
  let line = 0;
  for (const text of doc.iterLines()) {
    const kind = kinds[line++];
    at += text.length;
    if (kind !== undefined && kind !== majority) builder.add(at, at, oddKinds[kind]);
    at++;
  }
  return builder.finish();
}

/**
 * Puts a file's text together again. What was split and not edited is byte for byte the same. Where an edit brought a
 * lone `\r` directly before a `\n`, which a reader would take for one break, the `\n` becomes `\r\n`: no line is lost.
 */
export function joinText(doc: Text, { majority, odd, bom }: LineBreaks): string {
  const parts: string[] = bom ? [byteOrderMark] : [];
  let from = 0;
  for (const cursor = odd.iter(); cursor.value !== null; cursor.next()) {
    push(parts, doc.sliceString(from, cursor.from, majority));
    push(parts, cursor.value.kind);
    from = cursor.from + 1;
  }
  push(parts, doc.sliceString(from, doc.length, majority));
  return parts.join('');
}

function push(parts: string[], part: string): void {
  if (part === '') return;
  const isAmbiguous = part.startsWith('\n') && parts.at(-1)?.endsWith('\r');
  parts.push(isAmbiguous ? `\r${part}` : part);
}

/** Replaces all that is known of the line breaks, as when the text on disk is taken over. */
export const setLineBreaks = StateEffect.define<LineBreaks>();

/** Brings back kinds that an undone edit had removed; places are of the document after the transaction. */
const restoreBreaks = StateEffect.define<readonly Place[]>({
  map: (places, changes) => places.map(({ at, kind }) => ({ at: changes.mapPos(at, 1), kind })),
});

interface Place {
  readonly at: number;
  readonly kind: LineBreak;
}

const none: LineBreaks = { majority: '\n', odd: RangeSet.empty, bom: false };

const field = StateField.define<LineBreaks>({
  create: () => none,
  update(breaks, transaction) {
    let next = transaction.docChanged ? { ...breaks, odd: breaks.odd.map(transaction.changes) } : breaks;
    for (const effect of transaction.effects) {
      if (effect.is(setLineBreaks)) next = effect.value;
      else if (effect.is(restoreBreaks)) next = restored(next, effect.value, transaction.newDoc);
    }
    return next;
  },
});

function restored(breaks: LineBreaks, places: readonly Place[], doc: Text): LineBreaks {
  const real = places.filter(({ at, kind }) => kind !== breaks.majority && at < doc.length && doc.lineAt(at).to === at);
  const taken = new Set(real.map(({ at }) => at));
  const add = real.map(({ at, kind }) => oddKinds[kind].range(at));
  return { ...breaks, odd: breaks.odd.update({ filter: (from) => !taken.has(from), add, sort: true }) };
}

/** Line breaks as plain data. */
export function writtenBreaks({ majority, odd, bom }: LineBreaks): JournalBreaks {
  const places: [number, LineBreak][] = [];
  for (const cursor = odd.iter(); cursor.value !== null; cursor.next()) places.push([cursor.from, cursor.value.kind]);
  return { majority, odd: places, bom };
}

/** Line breaks from plain data. */
export const readBreaks = ({ majority, odd, bom }: JournalBreaks): LineBreaks => ({
  majority,
  odd: RangeSet.of(
    odd.map(([at, kind]) => oddKinds[kind].range(at)),
    true,
  ),
  bom,
});

/** The line breaks of an editor's document. */
export const lineBreaksOf = (state: EditorState): LineBreaks => state.field(field, false) ?? none;

/** The file's text of an editor. */
export const join = (state: EditorState): string => joinText(state.doc, lineBreaksOf(state));

/** Keeps the kind of every line break through edits, undo and redo. `breaks` are those of the document that the state is made with. */
export function keepLineBreaks(breaks: LineBreaks): Extension {
  return [
    field.init(() => breaks),
    invertedEffects.of((transaction) => {
      const before = lineBreaksOf(transaction.startState);
      const replaced = transaction.effects.some((effect) => effect.is(setLineBreaks));
      if (replaced) return [setLineBreaks.of(before)];
      const lost: Place[] = [];
      transaction.changes.iterChangedRanges((from, to) =>
        before.odd.between(from, to, (at, _, { kind }) => void (at < to && lost.push({ at, kind }))),
      );
      return lost.length > 0 ? [restoreBreaks.of(lost)] : [];
    }),
  ];
}

/** Whether two documents would be the same file, whichever kind of break is taken for the usual one. */
export function isSameFile(doc: Text, breaks: LineBreaks, other: SplitText): boolean {
  const theirs = other.breaks;
  if (breaks.bom !== theirs.bom || !doc.eq(other.doc)) return false;
  const isToldAlike = breaks.majority === theirs.majority && isOddAlike(breaks.odd, theirs.odd);
  return isToldAlike || joinText(doc, breaks) === joinText(other.doc, theirs);
}

/** `RangeSet.eq` does not see ranges without length. */
function isOddAlike(ours: RangeSet<Odd>, theirs: RangeSet<Odd>): boolean {
  if (ours === theirs) return true;
  const [a, b] = [ours.iter(), theirs.iter()];
  for (; a.value !== null && b.value !== null; a.next(), b.next()) {
    if (a.from !== b.from || a.value.kind !== b.value.kind) return false;
  }
  return a.value === b.value;
}

/** What a status bar calls the line breaks. */
export function breakName({ majority, odd }: LineBreaks): 'LF' | 'CRLF' | 'CR' | 'mixed' {
  if (odd.size > 0) return 'mixed';
  return majority === '\n' ? 'LF' : majority === '\r\n' ? 'CRLF' : 'CR';
}
