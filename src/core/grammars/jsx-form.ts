import type { Code } from '#core/grammars/code';
import { stringValue } from '#core/grammars/ecmascript-form';
import type { Special, Writer } from '#core/grammars/normal-form';

/** Text between tags as React reads it: lines trimmed where they break, empty ones gone, the rest joined by a space. */
function jsxText(raw: string): string {
  const lines = raw.split(/\r\n|\n|\r/u);
  const last = lines.length - 1;
  const trimmed = lines.map((line, index) => {
    const begun = index === 0 ? line : line.replace(/^[ \t]+/u, '');
    return index === last ? begun : begun.replace(/[ \t]+$/u, '');
  });
  return trimmed.filter((line) => line !== '').join(' ');
}

/** The white space of `{' '}`, which formatters put where a line would end in it; undefined for any other expression. */
function spaceIn(code: Code, node: number): string | undefined {
  const inner = code.children(node).slice(1, -1);
  const [only] = inner;
  if (only === undefined || inner.length > 1 || code.kind(only) !== 'string') return undefined;
  const value = stringValue(code.text(only));
  return /^[ \t]+$/u.test(value) ? value : undefined;
}

const isText = (code: Code, node: number): boolean => /^(jsx_text|html_character_reference)$/u.test(code.kind(node));

/** What stands between the tags: runs of text as one, a comment in braces as nothing. */
function children(writer: Writer, nodes: readonly number[]): number {
  const { code } = writer;
  const { starts, ends, source } = code.tree;
  let text = '';
  let written = 0;
  const flush = (): void => {
    if (text !== '') writer.leaf('jsx_text', text);
    if (text !== '') written++;
    text = '';
  };
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as number;
    if (isText(code, node)) {
      const from = starts[node] as number;
      while (i + 1 < nodes.length && isText(code, nodes[i + 1] as number)) i++;
      text += jsxText(source.slice(from, ends[nodes[i] as number]));
      continue;
    }
    const space = code.kind(node) === 'jsx_expression' ? spaceIn(code, node) : undefined;
    const isEmpty = code.kind(node) === 'jsx_expression' && code.children(node).length <= 2;
    if (space !== undefined) text += space;
    if (space !== undefined || isEmpty) continue;
    flush();
    writer.node(node);
    written++;
  }
  flush();
  return written;
}

/** An element without children is the same whether it closes itself or not. */
const element: Special = (writer, node) => {
  const { code } = writer;
  const [opening, ...others] = code.children(node);
  if (opening === undefined) return false;
  writer.open('jsx_element');
  writer.within(opening, "'<", "'>", "'/", "'/>");
  writer.word('children');
  children(writer, others.slice(0, -1));
  writer.close();
};

const selfClosing: Special = (writer, node) => {
  writer.open('jsx_element');
  writer.within(node, "'<", "'>", "'/", "'/>");
  writer.word('children');
  writer.close();
};

/** `title={"a"}` is `title="a"`; quotes of an attribute are written as entities inside, if at all. */
const attribute: Special = (writer, node) => {
  const { code } = writer;
  writer.open('jsx_attribute');
  for (const child of code.children(node)) {
    const inner = code.kind(child) === 'jsx_expression' ? code.children(child).slice(1, -1) : [];
    const only = inner.length === 1 ? (inner[0] as number) : -1;
    if (code.kind(child) === 'string') writer.leaf('string', attributeValue(code.text(child)));
    else if (only >= 0 && code.kind(only) === 'string') writer.leaf('string', stringValue(code.text(only)).replaceAll('&', '&amp;'));
    else writer.node(child);
  }
  writer.close();
};

const attributeValue = (text: string): string => text.slice(1, -1).replaceAll('&quot;', '"').replaceAll('&apos;', "'");

/** What JSX adds to a form. */
export const jsxSpecials: Readonly<Record<string, Special>> = {
  jsx_element: element,
  jsx_self_closing_element: selfClosing,
  jsx_attribute: attribute,
};
