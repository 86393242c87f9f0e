import type { Blockquote, Paragraph, Root, Text } from 'mdast';
import { visit } from 'unist-util-visit';

/** `[!note]`, `[!warning]- Title`: what begins a callout, with its kind, how it is folded, and its title. */
const head = /^\[!([\p{L}\p{N}_-]+)\]([+-]?)[ \t]*([^\n]*)(?:\n|$)/u;

/** Makes callouts of quotes that begin as one; `titles` has what those without a title are called. One that folds is drawn as details. */
export function drawCallouts(tree: Root, titles: Readonly<Record<string, string>>): void {
  const titleOf = (kind: string) => (Object.hasOwn(titles, kind) ? titles[kind]! : kind.charAt(0).toUpperCase() + kind.slice(1));
  visit(tree, 'blockquote', (quote) => drawCallout(quote, titleOf));
}

function drawCallout(quote: Blockquote, titleOf: (kind: string) => string): void {
  const [first, ...others] = quote.children;
  const [text, ...words] = first?.type === 'paragraph' ? first.children : [];
  if (first?.type !== 'paragraph' || text?.type !== 'text') return;
  const met = head.exec(text.value);
  if (met === null) return;
  const [all, kind = '', fold, rest = ''] = met;
  const isOneLine = !all.endsWith('\n');
  // A title goes to the end of its line, with whatever is in it.
  const inTitle = isOneLine ? wordsOfLine(words) : [];
  const title: Text = { type: 'text', value: rest === '' && inTitle.length === 0 ? titleOf(kind.toLowerCase()) : rest };
  const body = isOneLine ? words.slice(inTitle.length) : [{ ...text, value: text.value.slice(all.length) }, ...words];
  const left = body.flatMap((node, at) =>
    at === 0 && node.type === 'text' ? (trimmed(node).value === '' ? [] : [trimmed(node)]) : [node],
  );
  const heading: Paragraph = {
    type: 'paragraph',
    children: [title, ...inTitle],
    data: { hName: fold === '' ? 'p' : 'summary', hProperties: { className: ['callout-title'] } },
  };
  quote.children = [heading, ...(left.length === 0 ? [] : [{ ...first, children: left }]), ...others];
  const open = fold === '+' ? { open: true } : {};
  quote.data = {
    ...quote.data,
    hName: fold === '' ? 'blockquote' : 'details',
    hProperties: { className: ['callout', `callout-${kind.toLowerCase()}`], ...open },
  };
}

const trimmed = (text: Text): Text => ({ ...text, value: text.value.replace(/^\n/u, '') });

/** The nodes before the first line break; a text that holds one is cut in two, in place. */
function wordsOfLine(nodes: Paragraph['children']): Paragraph['children'] {
  const at = nodes.findIndex((node) => node.type === 'break' || (node.type === 'text' && node.value.includes('\n')));
  const node = nodes[at];
  if (node === undefined) return nodes;
  if (node.type !== 'text') return nodes.slice(0, at);
  const cut = node.value.indexOf('\n');
  nodes.splice(at, 1, { type: 'text', value: node.value.slice(0, cut) }, { type: 'text', value: node.value.slice(cut) });
  return nodes.slice(0, at + 1);
}
