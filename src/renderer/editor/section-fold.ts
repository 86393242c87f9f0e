import { foldService, syntaxTree } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** The level of a heading; null for what is none. */
const levelOf = ({ name }: SyntaxNode): number | null => {
  const met = /^(?:ATX|Setext)Heading(\d)$/u.exec(name);
  return met === null ? null : Number(met[1]);
};

/** Where the section of a heading ends: before the next one that is not below it. */
function endOfSection(heading: SyntaxNode, level: number): number {
  let last = heading;
  for (let next = heading.nextSibling; next !== null; next = next.nextSibling) {
    if ((levelOf(next) ?? Number.POSITIVE_INFINITY) <= level) break;
    last = next;
  }
  return last.to;
}

/** Folds the section of a heading, from the end of the heading's line. */
export const sectionFold: Extension = foldService.of((state, start, end) => {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(end, -1); node !== null && node.from >= start; node = node.parent) {
    const level = levelOf(node);
    const to = level === null ? end : endOfSection(node, level);
    if (to > end) return { from: end, to };
  }
  return null;
});
