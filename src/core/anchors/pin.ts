import { hash } from 'node:crypto';
import { baselineFrom } from '#core/anchors/baseline';
import type { CodeReader, CodeText } from '#core/anchors/code-reader';
import { digest } from '#core/digest';
import { type Found, hashesOf, identityKey, rangeKind, type Twin } from '#kernel/anchor';
import type { CodeIndex } from '#kernel/anchor-index';
import { nearOnes } from '#kernel/anchor-ladder';
import { isTelling, type LineRange, placesOf, plainLines, rangeHash, rangeTexts } from '#kernel/anchor-range';
import { anchorTwinsCap, type CodePin } from '#kernel/body-anchor';
import { type Declaration, familyOf, MIN_BODY_TOKENS } from '#kernel/declaration';
import type { ContentHash } from '#kernel/revision';

/** A baseline that is ready to be recorded, with the text that goes into the snapshots. */
export interface ReadyPin {
  readonly pin: CodePin;
  readonly text: Buffer;
}

/** The code of a repository as it is searched: an index, and whether nothing was left out. */
export interface Searched {
  readonly index: CodeIndex;
  readonly complete: boolean;
}

/** Pins a declaration as it is now; `source` is the text of its file. */
export function pinDeclaration(
  file: CodeText,
  source: string,
  declaration: Declaration,
  { index, complete }: Searched,
  commit: string | null,
): ReadyPin {
  const text = Buffer.from(source.slice(declaration.start, declaration.end), 'utf8');
  const found = twinsOf(file.path, declaration, index);
  const { language, kind, qualifiedName, baseName, plainName, container, visibility } = declaration;
  const beside = file.parsed.declarations.filter((other) => other.container === container && other.baseName === baseName);
  return {
    text,
    pin: {
      language,
      kind,
      qualified_name: qualifiedName,
      base_name: baseName,
      plain_name: plainName,
      container,
      visibility,
      file_hint: file.path,
      hashes: hashesOf(declaration),
      body_tokens: declaration.bodyTokens,
      recipe: file.parsed.recipe,
      fallback: false,
      lines: { start: declaration.lineStart, end: declaration.lineEnd },
      snapshot: snapshotName(text),
      blob: file.blob,
      commit,
      names: [...new Set(beside.map((other) => `${other.kind} ${other.plainName}`))].slice(0, anchorTwinsCap),
      twins: { complete: complete && found.length <= anchorTwinsCap, found: found.slice(0, anchorTwinsCap) },
      occurrence: null,
    },
  };
}

/** The name of bytes in the snapshots. */
const snapshotName = (bytes: Uint8Array): ContentHash => `sha256:${hash('sha256', bytes, 'hex')}` as ContentHash;

/** What stands elsewhere and is nobody's successor: the same identity first, then the same body, then what is a little like it. */
function twinsOf(file: string, declaration: Declaration, index: CodeIndex): Twin[] {
  const { language, kind, plainName, bodyTokens, bodyHash } = declaration;
  const isOther = ({ file: other, declaration: one }: Found) =>
    other !== file || one.start !== declaration.start || one.kind !== kind || one.qualifiedName !== declaration.qualifiedName;
  const baseline = baselineFrom(file, withTrigrams(file, declaration, index));
  const near = nearOnes(baseline, index);
  const likeness = new Map(near.map(({ found, like }) => [found.declaration, like]));
  const isShort = bodyTokens < MIN_BODY_TOKENS;
  const same = isShort
    ? []
    : index.withBody(familyOf(language), bodyHash).filter((found) => found.declaration.bodyTokens >= MIN_BODY_TOKENS);
  const twins = new Map<string, Twin>();
  const add = (match: Twin['match'], found: Found, similarity: number) => {
    const { kind: itsKind, plainName: name, start, tokenHash } = found.declaration;
    const key = `${found.file}\n${itsKind}\n${name}\n${start}`;
    const known = twins.get(key);
    if (known !== undefined) return;
    const about = { file: found.file, kind: itsKind, name, match, token_hash: tokenHash };
    const isSame = !isShort && found.declaration.bodyHash === bodyHash;
    twins.set(key, { ...about, similarity: isSame ? 1 : Math.min(0.99, Math.round(similarity * 100) / 100) });
  };
  for (const found of index.withIdentity(identityKey(language, kind, plainName)).filter(isOther)) {
    add('identity', found, likeness.get(found.declaration) ?? 0);
  }
  for (const found of same.filter(isOther)) add('body', found, 1);
  for (const { found, like } of near) if (isOther(found)) add('near', found, like);
  return [...twins.values()];
}

function withTrigrams(file: string, declaration: Declaration, index: CodeIndex): Declaration {
  if (declaration.trigrams !== undefined) return declaration;
  const { kind, qualifiedName, start } = declaration;
  const again = index.file(file)?.parsed.declarations;
  return again?.find((other) => other.start === start && other.kind === kind && other.qualifiedName === qualifiedName) ?? declaration;
}

/** Pins a range of lines; null if the range is not in the file, or holds nothing. */
export async function pinRange(path: string, text: string, blob: string, lines: LineRange, reader: CodeReader): Promise<ReadyPin | null> {
  const all = plainLines(text);
  const texts = rangeTexts(all, lines);
  if (texts === null) return null;
  const kept = Buffer.from(
    text
      .split(/(?<=\r\n|\r(?!\n)|\n)/u)
      .slice(lines.start - 1, lines.end)
      .join(''),
    'utf8',
  );
  const places = placesOf(all, texts);
  const index = places.findIndex((place) => lines.start <= place.start && place.end <= lines.end);
  const token = rangeHash(texts, digest);
  const { found, complete } = await rangeTwins({ path, blob, text: kept.toString('utf8'), token }, reader);
  return {
    text: kept,
    pin: {
      language: 'none',
      kind: rangeKind,
      qualified_name: `${path}:${lines.start}-${lines.end}`,
      base_name: '',
      plain_name: path,
      container: '',
      visibility: '',
      file_hint: path,
      hashes: { token, body: token, signature: '', shape: '' },
      body_tokens: 0,
      recipe: rangeRecipe,
      fallback: true,
      lines,
      snapshot: snapshotName(kept),
      blob,
      commit: await reader.source.commit(),
      names: [],
      twins: { complete: complete && found.length <= anchorTwinsCap, found: found.slice(0, anchorTwinsCap) },
      occurrence: { index: Math.max(0, index), count: Math.max(1, places.length) },
    },
  };
}

/** How ranges are hashed. */
const rangeRecipe = '1:lines:0';

/** A range that is looked for in other files. */
interface SoughtRange {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
  readonly token: string;
}

/** Other files in which the text stands already: it did not move there. */
async function rangeTwins(range: SoughtRange, reader: CodeReader): Promise<{ found: Twin[]; complete: boolean }> {
  const { files, complete } = await filesWithText(range, reader);
  const found = files.map(({ path }): Twin => {
    return { file: path, kind: rangeKind, name: path, match: 'body', token_hash: range.token, similarity: 1 };
  });
  return { found, complete };
}

/** A file in which the text of a range stands. */
export interface FileWithText {
  readonly path: string;
  readonly blob: string;
  readonly places: readonly LineRange[];
}

/** Other files that hold the text of a range, by path. A text that says too little is only looked for in a copy of the whole file. */
export async function filesWithText(
  { path, blob, text }: Omit<SoughtRange, 'token'>,
  reader: CodeReader,
): Promise<{ files: FileWithText[]; complete: boolean }> {
  const found: FileWithText[] = [];
  const { texts } = plainLines(text);
  const tells = isTelling(text);
  const files = reader.everyText();
  for (let next = await files.next(); ; next = await files.next()) {
    if (next.done) return { files: found, complete: next.value.complete };
    const other = next.value;
    if (other.path === path || !(tells || other.blob === blob) || !other.text.includes(texts[0]!)) continue;
    const places = placesOf(plainLines(other.text), texts);
    if (places.length > 0) found.push({ path: other.path, blob: other.blob, places });
  }
}
