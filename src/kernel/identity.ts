import {
  childKinds,
  type Frontmatter,
  findFrontmatter,
  indentOf,
  isHeader,
  isQuiet,
  joinLines,
  type Line,
  reservedKey,
  reservedValue,
  splitLines,
  type VmarkBlock,
  vmarkBlocks,
} from '#kernel/frontmatter';
import { canonicalText, foldLineEndings, trimWhite, trimWhiteEnd, trimWhiteStart } from '#kernel/text';
import { parseUuid, type Uuid } from '#kernel/uuid';

/** What a document says about itself in its `vmark:` block. */
export interface Identity {
  readonly id: Uuid;
  readonly schema: string | null;
}

/** Why a document cannot carry its identity and is tracked by its path instead (format.md §2). */
export type ByPathReason =
  | 'bom'
  | 'unterminated'
  | 'adjacent-fences'
  | 'spaced-fence'
  | 'other-frontmatter'
  | 'inline-map'
  | 'header-comment'
  | 'not-a-mapping'
  | 'continued-value'
  | 'unwritable-schema'
  | 'stamp-not-a-mapping';

/** The text with its identity in it, or why it cannot carry one. */
export type Stamp = { readonly kind: 'stamped'; readonly text: string } | { readonly kind: 'by-path'; readonly reason: ByPathReason };

/** The one question that stamping asks of a YAML parser. */
export interface YamlMapping {
  /** Whether a text, its lines ended by LF, parses as a mapping without duplicate keys; an empty one counts. */
  isMapping(text: string): boolean;
}

function innerLines(text: string, front: Frontmatter): Line[] {
  return splitLines(text.slice(front.start, front.end));
}

/** What the direct children of a block say, the last line of each key winning; an empty schema says nothing. */
function readBlock(lines: readonly Line[], block: VmarkBlock): { id: Uuid | null; schema: string | null } {
  const said: { id: Uuid | null; schema: string | null } = { id: null, schema: null };
  for (const [index, kind] of childKinds(lines, block).entries()) {
    const value = reservedValue(lines[block.header + 1 + index]!.text);
    if (kind === 'id') said.id = parseUuid(value);
    if (kind === 'schema' && value !== '') said.schema = value;
  }
  return said;
}

/** Reads the identity of a canonical text from its first `vmark:` block; null when there is no readable id. */
export function readIdentity(canonical: string): Identity | null {
  const front = findFrontmatter(canonical);
  if (front === null) return null;
  const lines = innerLines(canonical, front);
  const block = vmarkBlocks(lines)[0];
  if (block === undefined) return null;
  const { id, schema } = readBlock(lines, block);
  return id === null ? null : { id, schema };
}

function withoutReserved(lines: readonly Line[]): Line[] {
  const blocks = vmarkBlocks(lines);
  const dropped = new Set<number>();
  for (const { header, end } of blocks) {
    const before = dropped.size;
    for (let index = header + 1; index < end; index++) if (reservedKey(lines[index]!.text) !== null) dropped.add(index);
    if (dropped.size - before === end - header - 1) dropped.add(header);
  }
  return lines.filter((_, index) => !dropped.has(index));
}

/**
 * Takes the reserved lines out of a canonical text, with a header or a frontmatter that this leaves empty (vmark.md §2.4). The same string when
 * nothing goes. What comes out is not masked again: a collapsed block can expose text that looks like another.
 */
export function maskIdentity(canonical: string): string {
  const front = findFrontmatter(canonical);
  if (front === null) return canonical;
  const lines = innerLines(canonical, front);
  const kept = withoutReserved(lines);
  if (kept.every((line) => trimWhite(line.text) === '')) return canonical.slice(front.rest);
  if (kept.length === lines.length) return canonical;
  return canonical.slice(0, front.start) + joinLines(kept) + canonical.slice(front.end);
}

function byPath(reason: ByPathReason): Stamp {
  return { kind: 'by-path', reason };
}

function carries(found: Identity | null, wanted: Identity): boolean {
  return found !== null && found.id === wanted.id && (wanted.schema === null || found.schema === wanted.schema);
}

function isWritable(schema: string | null): boolean {
  return schema === null || (schema !== '' && !schema.includes('\n') && trimWhite(canonicalText(schema)) === schema);
}

function newLines(identity: Identity, indent: string, ending: string): Line[] {
  const lines = [{ text: `${indent}id: ${identity.id}`, ending }];
  return identity.schema === null ? lines : [...lines, { text: `${indent}schema: ${identity.schema}`, ending }];
}

/** Why a text without a frontmatter of ours may not get one in front; null when it may. */
function refusalInFront(raw: string): ByPathReason | null {
  const [first = '', second] = raw.split(/\r\n|\r|\n/, 2);
  if (first === '---') return second === '---' ? 'adjacent-fences' : 'unterminated';
  if (trimWhiteEnd(first) === '---') return 'spaced-fence';
  return trimWhiteEnd(first) === '+++' && /[\r\n]\+\+\+[ \t]*(?:[\r\n]|$)/.test(raw) ? 'other-frontmatter' : null;
}

function stampInFront(raw: string, identity: Identity, yaml: YamlMapping): Stamp {
  const refusal = refusalInFront(raw);
  if (refusal !== null) return byPath(refusal);
  const ending = /\r\n|\r|\n/.exec(raw)?.[0] ?? '\n';
  const lines = [{ text: 'vmark:', ending }, ...newLines(identity, '  ', ending)];
  if (!isMapping(lines, yaml)) return byPath('stamp-not-a-mapping');
  return { kind: 'stamped', text: `---${ending}${joinLines(lines)}---${ending}${raw}` };
}

function isMapping(lines: readonly Line[], yaml: YamlMapping): boolean {
  return yaml.isMapping(foldLineEndings(joinLines(lines)));
}

/** Whether YAML would read the next line that says something as part of the value at `index`. */
function isContinued(lines: readonly Line[], index: number, indent: number): boolean {
  const next = lines.slice(index + 1).find((line) => !isQuiet(line.text));
  return next !== undefined && indentOf(next.text) > indent;
}

/** The frontmatter with the identity directly under its first header, or as its last lines. */
function stampBlock(lines: readonly Line[], block: VmarkBlock | undefined, identity: Identity): Line[] | 'continued-value' {
  if (block !== undefined) return stampUnder(lines, block, identity);
  const { ending } = lines.at(-1)!;
  return [...lines, { text: 'vmark:', ending }, ...newLines(identity, '  ', ending)];
}

function stampUnder(lines: readonly Line[], block: VmarkBlock, identity: Identity): Line[] | 'continued-value' {
  const keepsSchema = identity.schema === null || identity.schema === readBlock(lines, block).schema;
  const first = block.header + 1;
  const kinds = childKinds(lines, block);
  const isDropped = (index: number): boolean => kinds[index] === 'id' || (kinds[index] === 'schema' && !keepsSchema);
  const children = lines.slice(first, block.end);
  if (children.some(({ text }, index) => isDropped(index) && isContinued(lines, first + index, indentOf(text)))) return 'continued-value';
  const kept = children.filter((_, index) => !isDropped(index));
  const sibling = kept.find((line) => !isQuiet(line.text));
  const indent = sibling === undefined ? '  ' : sibling.text.slice(0, indentOf(sibling.text));
  const added = newLines(keepsSchema ? { ...identity, schema: null } : identity, indent, lines[block.header]!.ending);
  const stamped = [...lines.slice(0, first), ...added, ...kept, ...lines.slice(block.end)];
  return isContinued(stamped, block.header + added.length, indent.length) ? 'continued-value' : stamped;
}

/** Why a recognised frontmatter may not be written to; null when it may. */
function refusalWithin(lines: readonly Line[], block: VmarkBlock | undefined, yaml: YamlMapping): ByPathReason | null {
  if (lines[0]?.text === '---') return 'adjacent-fences';
  const valued = lines.find(({ text }) => text.startsWith('vmark:') && !isHeader(text));
  if (valued !== undefined) return trimWhiteStart(valued.text.slice('vmark:'.length)).startsWith('#') ? 'header-comment' : 'inline-map';
  if (!isMapping(lines, yaml)) return 'not-a-mapping';
  // A header inside a flow collection or a quoted text is the author's: what stands before it is then no mapping by itself.
  return block === undefined || isMapping(lines.slice(0, block.header), yaml) ? null : 'not-a-mapping';
}

function stampWithin(raw: string, front: Frontmatter, identity: Identity, yaml: YamlMapping): Stamp {
  const lines = innerLines(raw, front);
  const block = vmarkBlocks(lines)[0];
  const refusal = refusalWithin(lines, block, yaml);
  if (refusal !== null) return byPath(refusal);
  const stamped = stampBlock(lines, block, identity);
  if (stamped === 'continued-value') return byPath(stamped);
  if (!isMapping(stamped, yaml)) return byPath('stamp-not-a-mapping');
  return { kind: 'stamped', text: raw.slice(0, front.start) + joinLines(stamped) + raw.slice(front.end) };
}

/**
 * Puts an identity into a text as it stands on disk, touching no byte that is not ours: line endings, composition and a missing final newline stay.
 * With a null `schema` an existing schema line stays too. A text that already carries this identity comes back as it is.
 */
export function insertIdentity(raw: string, identity: Identity, yaml: YamlMapping): Stamp {
  const front = findFrontmatter(raw);
  if (front !== null && carries(readIdentity(canonicalText(raw.slice(0, front.rest))), identity)) return { kind: 'stamped', text: raw };
  if (!isWritable(identity.schema)) return byPath('unwritable-schema');
  if (raw.startsWith('\uFEFF')) return byPath('bom');
  return front === null ? stampInFront(raw, identity, yaml) : stampWithin(raw, front, identity, yaml);
}
