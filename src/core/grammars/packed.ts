import type { Declaration, Language, ParsedFile } from '#kernel/declaration';

type Row = [
  string,
  string,
  string,
  string,
  string,
  number,
  number,
  number,
  number,
  string,
  string,
  string,
  string,
  string,
  number,
  0 | 1 | 2,
];

/** What a file declares, in two pieces that are quickly kept, and quickly handed to another thread. */
export interface PackedFile {
  readonly data: string;
  /** How many declarations there are, how many trigrams each has, and these; without trigrams each has none. */
  readonly trigrams: Uint32Array<ArrayBuffer>;
}

/** Packs what a file declares. */
export function packFile({ recipe, parseErrors, generated, declarations }: ParsedFile): PackedFile {
  const rows = declarations.map((one): Row => {
    const { kind, qualifiedName, baseName, plainName, container, lineStart, lineEnd, start, end } = one;
    const { bodyHash, signatureHash, shapeHash, visibility, tokenHash, bodyTokens, damaged, besideDamage } = one;
    const places = [lineStart, lineEnd, start, end] as const;
    const hashes = [bodyHash, signatureHash, shapeHash, visibility, tokenHash] as const;
    return [kind, qualifiedName, baseName, plainName, container, ...places, ...hashes, bodyTokens, damaged ? 1 : besideDamage ? 2 : 0];
  });
  return { data: JSON.stringify([recipe, parseErrors, generated, rows]), trigrams: packTrigrams(declarations) };
}

function packTrigrams(declarations: readonly Declaration[]): Uint32Array<ArrayBuffer> {
  const count = declarations.length;
  const packed = new Uint32Array(declarations.reduce((sum, { trigrams }) => sum + (trigrams?.length ?? 0), 1 + count));
  packed[0] = count;
  let at = 1 + count;
  declarations.forEach(({ trigrams }, index) => {
    if (trigrams === undefined) return;
    packed[1 + index] = trigrams.length;
    packed.set(trigrams, at);
    at += trigrams.length;
  });
  return packed;
}

/** What was packed; `trigrams` null: without them. */
export function unpackFile(data: string, language: Language, trigrams: Uint32Array | null): ParsedFile {
  const [recipe, parseErrors, generated, rows] = JSON.parse(data) as [string, number, boolean, Row[]];
  let at = 1 + rows.length;
  const declarations = rows.map((row, index): Declaration => {
    const [kind, qualifiedName, baseName, plainName, container, lineStart, lineEnd, start, end] = row;
    const [, , , , , , , , , bodyHash, signatureHash, shapeHash, visibility, tokenHash, bodyTokens, damaged] = row;
    const places = { lineStart, lineEnd, start, end };
    const hashes = {
      bodyHash,
      signatureHash,
      shapeHash,
      visibility,
      tokenHash,
      bodyTokens,
      damaged: damaged === 1,
      besideDamage: damaged > 0,
    };
    const about = { language, kind, qualifiedName, baseName, plainName, container, ...places, ...hashes };
    if (trigrams === null) return about;
    const length = trigrams[1 + index]!;
    at += length;
    return { ...about, trigrams: trigrams.subarray(at - length, at) };
  });
  return { language, recipe, declarations, parseErrors, generated };
}
