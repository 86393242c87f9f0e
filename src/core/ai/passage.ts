import { findFrontmatter } from '#kernel/frontmatter';
import { canonicalText } from '#kernel/text';

/** A document in which a text was found, as it is on disk. */
export interface FoundDocument {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
}

/** A document of which only passages are shown to a model, in the order in which they stand there. */
export interface ShownDocument extends FoundDocument {
  readonly passages: readonly string[];
}

/** The most passages that one prompt shows. */
export const passageLimit = 24;
/** The most characters of one passage. */
export const passageLength = 1000;

/**
 * Which blocks of which documents are shown because they hold one of these texts, whatever its case: each document has its turn before one
 * has a second block, so that a long one leaves room for others.
 */
export function passagesOf(documents: readonly FoundDocument[], texts: readonly string[]): readonly ShownDocument[] {
  const wanted = texts.map(folded).filter((text) => text !== '');
  const found = documents
    .map((document) => ({ document, blocks: blocksWith(document.text, wanted) }))
    .filter(({ blocks }) => blocks.length > 0);
  const counts = found.map(() => 0);
  let left = passageLimit;
  for (let turn = 0; left > 0 && found.some(({ blocks }) => blocks.length > turn); turn++)
    for (const [at, { blocks }] of found.entries()) {
      if (left === 0 || blocks.length <= turn) continue;
      counts[at] = turn + 1;
      left--;
    }
  return found.flatMap(({ document, blocks }, at) => (counts[at] === 0 ? [] : [{ ...document, passages: blocks.slice(0, counts[at]) }]));
}

const folded = (text: string) => canonicalText(text).toLowerCase();

/** The blocks below the frontmatter that hold one of these folded texts; of a long one the part around the first place. */
function blocksWith(text: string, wanted: readonly string[]): string[] {
  const canonical = canonicalText(text);
  const blocks = canonical.slice(findFrontmatter(canonical)?.rest ?? 0).split(/\n(?:[ \t]*\n)+/u);
  return blocks.flatMap((block) => {
    const shown = block.replace(/^\n+/u, '').trimEnd();
    const places = wanted.map((one) => shown.toLowerCase().indexOf(one)).filter((at) => at >= 0);
    return places.length === 0 ? [] : [partAround(shown, Math.min(...places))];
  });
}

function partAround(block: string, at: number): string {
  if (block.length <= passageLength) return block;
  const from = Math.max(0, Math.min(at - passageLength / 4, block.length - passageLength));
  const part = block
    .slice(from, from + passageLength)
    .toWellFormed()
    .trim();
  return `${from > 0 ? '…' : ''}${part}${from + passageLength < block.length ? '…' : ''}`;
}
