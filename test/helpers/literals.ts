import { parseSync } from 'vite';
import type { SourceFile } from './architecture.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([, value]) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));

/** Attributes and properties that a person reads or hears. */
const spoken =
  /^(title|label|alt|placeholder|aria-?(label|description|roledescription|valuetext)|text-?content|innerText|message|detail|buttonLabel)$/iu;
/** Calls whose first argument a person is shown. */
const saying = /^(notify|announce|alert|confirm|prompt)$/u;
/** Names that are the same in every language. */
const names = new Set(['Stemma', 'UTF-8', 'BOM', ' BOM', 'PDF', 'HTML']);

const hasWords = (text: string) => /\p{L}{2,}/u.test(text) && !names.has(text.trim());

/** What of an expression is text that stands there and not in a catalogue. */
function literalsIn(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'Literal') return typeof node.value === 'string' && hasWords(node.value) ? [node.value] : [];
  if (node.type === 'TemplateLiteral') {
    const quasis = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
    return quasis.filter(hasWords);
  }
  if (node.type === 'ConditionalExpression') return [...literalsIn(node.consequent), ...literalsIn(node.alternate)];
  if (node.type === 'LogicalExpression') return [...literalsIn(node.left), ...literalsIn(node.right)];
  if (node.type === 'JSXExpressionContainer' || node.type === 'ParenthesizedExpression') return literalsIn(node.expression);
  if (node.type === 'BinaryExpression') return node.operator === '+' ? [...literalsIn(node.left), ...literalsIn(node.right)] : [];
  return [];
}

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (typeof node.name === 'string') return node.name;
  if (isNode(node.name)) return nameOf(node.name);
  return node.type === 'Literal' ? String(node.value) : '';
};

function shownIn(node: Node): string[] {
  if (node.type === 'JSXText') return hasWords(String(node.value)) ? [String(node.value).trim()] : [];
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as Node[]).filter(({ type }) => type === 'JSXExpressionContainer').flatMap(literalsIn);
  if (node.type === 'JSXAttribute') return spoken.test(nameOf(node.name)) ? literalsIn(node.value) : [];
  if (node.type === 'Property')
    return /^(title|placeholder|ariaLabel|alt|textContent|buttonLabel)$/u.test(nameOf(node.key)) ? literalsIn(node.value) : [];
  if (node.type === 'AssignmentExpression') {
    const left = node.left as Node;
    return left.type === 'MemberExpression' && spoken.test(nameOf(left.property)) ? literalsIn(node.right) : [];
  }
  if (node.type !== 'CallExpression') return [];
  const callee = node.callee as Node;
  const called = callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
  const [first, second] = node.arguments as Node[];
  // A word in small letters is a name between parts of the program.
  if (saying.test(called)) return literalsIn(first).filter((text) => !/^[a-z-]+$/u.test(text));
  return called === 'setAttribute' && spoken.test(nameOf(first)) ? literalsIn(second) : [];
}

/** The texts of a source that a person would be shown and that are in no catalogue. */
export function shownLiterals({ file, source }: SourceFile): string[] {
  const { program } = parseSync(file, source);
  const found: string[] = [];
  const visit = (node: Node) => {
    for (const text of shownIn(node)) found.push(`${file}: ${text}`);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program as unknown as Node);
  return found;
}
