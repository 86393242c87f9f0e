import type { CodeReader, HintedText } from '#core/anchors/code-reader';
import type { Finding } from '#core/anchors/finding';
import { type FileWithText, filesWithText } from '#core/anchors/pin';
import { digest } from '#core/digest';
import { rangeKind } from '#kernel/anchor';
import { findRange, type LineRange, plainLines, type RangeBaseline } from '#kernel/anchor-range';
import type { CodePin } from '#kernel/body-anchor';

/** Where the lines of an anchor are now. `text` null: no copy of what they said is left. */
export async function checkRange(pin: CodePin, text: string | null, reader: CodeReader): Promise<Finding> {
  if (await reader.isStill(pin.file_hint, pin.blob)) return unchanged(pin);
  const hinted = await reader.text(pin.file_hint);
  if (hinted.kind === 'read') return text === null ? unreadable : rangeInFile(pin, text, hinted);
  if (hinted.kind !== 'absent') return { kind: 'unchecked', reason: hinted.kind };
  return text === null ? unreadable : rangeElsewhere(pin, text, reader);
}

const unreadable: Finding = { kind: 'unchecked', reason: 'unreadable' };

function unchanged({ file_hint: file, lines, hashes: { token } }: CodePin): Finding {
  const hashes = { expectedHash: token, actualHash: token, bodyChanged: false, signatureChanged: false };
  return { kind: 'found', state: 'fresh', reason: 'identity_matched', file, movedTo: null, renamedTo: null, lines, ...hashes };
}

function rangeInFile(pin: CodePin, text: string, hinted: Extract<HintedText, { kind: 'read' }>): Finding {
  const found = findRange(baselineOf(pin, text), plainLines(hinted.text), digest);
  if (found.kind === 'missing') return { kind: 'lost', reason: 'range_missing', candidates: [] };
  if (found.kind === 'ambiguous')
    return { kind: 'lost', reason: 'ambiguous', candidates: candidatesOf([{ path: pin.file_hint, places: found.places }]) };
  const at = { file: hinted.path, movedTo: null, renamedTo: null, lines: found.lines, signatureChanged: false };
  const { token } = pin.hashes;
  if (found.kind === 'changed') {
    const hashes = { expectedHash: token, actualHash: found.hash, bodyChanged: true };
    return { kind: 'found', state: 'stale', reason: 'range_changed', ...at, ...hashes };
  }
  const reason = found.kind === 'here' ? 'identity_matched' : 'range_relocated';
  return { kind: 'found', state: 'fresh', reason, ...at, expectedHash: token, actualHash: token, bodyChanged: false };
}

function baselineOf(pin: CodePin, text: string): RangeBaseline {
  const { file_hint: file, lines, hashes, occurrence } = pin;
  return { file, lines, hash: hashes.token, text, occurrence: occurrence ?? { index: 0, count: 1 } };
}

/** The file is gone: the lines may stand in one that was not there when they were anchored. */
async function rangeElsewhere(pin: CodePin, text: string, reader: CodeReader): Promise<Finding> {
  const { files, complete } = await filesWithText({ path: pin.file_hint, blob: pin.blob, text }, reader);
  if (!complete) return { kind: 'unchecked', reason: 'budget' };
  const twins = new Set(pin.twins.found.map(({ file }) => file));
  const left = files.filter(({ path }) => !twins.has(path));
  if (left.length === 0) return { kind: 'lost', reason: 'file_missing', candidates: [] };
  const whole = left.filter(({ blob }) => blob === pin.blob);
  const stage = whole.length > 0 ? whole : left.filter(({ places }) => places.length === 1);
  const [file] = stage;
  const isKnown = pin.twins.complete && [...twins].every((twin) => files.some(({ path }) => path === twin));
  if (file === undefined || stage.length > 1 || !isKnown) return { kind: 'lost', reason: 'ambiguous', candidates: candidatesOf(left) };
  const place = file.places[whole.length > 0 ? (pin.occurrence?.index ?? 0) : 0] ?? file.places[0]!;
  const hashes = { expectedHash: pin.hashes.token, actualHash: pin.hashes.token, bodyChanged: false, signatureChanged: false };
  const at = { file: file.path, movedTo: file.path, renamedTo: null, lines: place };
  return { kind: 'found', state: 'moved-renamed', reason: 'moved', ...at, ...hashes };
}

function candidatesOf(files: readonly Pick<FileWithText, 'path' | 'places'>[]) {
  const all = files.flatMap(({ path, places }) => places.map((place: LineRange) => ({ path, place })));
  return all.slice(0, 20).map(({ path, place }) => ({
    file: path,
    kind: rangeKind,
    qualified_name: `${path}:${place.start}-${place.end}`,
    line_start: place.start,
    line_end: place.end,
  }));
}
