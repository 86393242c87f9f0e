import type { SyntaxNode } from '@lezer/common';
import { lineGrammar } from '../syntax.ts';

const elements: Readonly<Record<string, string>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 's',
  Highlight: 'mark',
  InlineCode: 'code',
};
const classOf: Readonly<Record<string, string>> = { InlineCode: 'cm-inline-code', Highlight: 'cm-highlight' };

/** How a formula inside a drawn text is made; given by who can load the program for it. */
export type DrawFormula = (source: string) => HTMLElement;

/**
 * Draws a line of Markdown as it is meant, without its marks: for a footnote's tip or a cell that nobody writes in. No
 * markup of the text becomes markup of the page, but for the elements that are made here.
 */
export function drawText(source: string, formula?: DrawFormula): DocumentFragment {
  const root = document.createDocumentFragment();
  if (!/[*_~=`[\]<>\\&!$:@/#]/u.test(source)) root.append(source);
  else {
    const node = lineGrammar.language.parser.parse(source).topNode;
    const paragraph = node.firstChild;
    if (paragraph === null) root.append(source);
    else {
      root.append(source.slice(0, paragraph.from));
      drawChildren(root, paragraph, source, formula);
      root.append(source.slice(paragraph.to));
    }
  }
  return root;
}

function drawChildren(into: Node, parent: SyntaxNode, source: string, formula: DrawFormula | undefined): void {
  let at = parent.from;
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    into.appendChild(document.createTextNode(source.slice(at, child.from)));
    drawNode(into, child, source, formula);
    at = child.to;
  }
  into.appendChild(document.createTextNode(source.slice(at, parent.to)));
}

function drawNode(into: Node, node: SyntaxNode, source: string, formula: DrawFormula | undefined): void {
  const text = source.slice(node.from, node.to);
  const element = elements[node.name];
  if (node.name.endsWith('Mark') || node.name === 'LinkTitle') return;
  if (element !== undefined) drawElement(into, element, node, source, formula);
  else if (node.name === 'Link') drawLink(into, node, source, formula);
  else if (node.name === 'Wikilink') {
    const shown = node.getChild('WikilinkWords') ?? node.getChild('WikilinkTarget')!;
    into.appendChild(spanOf('cm-link', source.slice(shown.from, shown.to)));
  } else if (node.name === 'URL') into.appendChild(spanOf('cm-link', text));
  else if (node.name === 'Autolink') into.appendChild(spanOf('cm-link', text.slice(1, -1)));
  else if (node.name === 'Escape') into.appendChild(document.createTextNode(text.slice(1)));
  else if (node.name === 'Tag') into.appendChild(spanOf('cm-tag', text));
  else if (node.name === 'FootnoteReference') into.appendChild(spanOf('cm-footnote-sign', text.slice(2, -1)));
  else if (node.name === 'HTMLTag' && /^<br\s*\/?>$/iu.test(text)) into.appendChild(document.createElement('br'));
  else if (node.name === 'InlineMath' && formula !== undefined) into.appendChild(formula(text));
  else into.appendChild(document.createTextNode(text));
}

function drawElement(into: Node, name: string, node: SyntaxNode, source: string, formula: DrawFormula | undefined): void {
  const element = document.createElement(name);
  const look = classOf[node.name];
  if (look !== undefined) element.className = look;
  drawChildren(element, node, source, formula);
  into.appendChild(element);
}

function drawLink(into: Node, node: SyntaxNode, source: string, formula: DrawFormula | undefined): void {
  const [open, close] = node.getChildren('LinkMark');
  const span = spanOf('cm-link', '');
  if (open === undefined || close === undefined) return void into.appendChild(document.createTextNode(source.slice(node.from, node.to)));
  let at = open.to;
  for (let child = open.nextSibling; child !== null && child.from < close.from; child = child.nextSibling) {
    span.append(source.slice(at, child.from));
    drawNode(span, child, source, formula);
    at = child.to;
  }
  span.append(source.slice(at, close.from));
  into.appendChild(span);
}

function spanOf(name: string, text: string): HTMLElement {
  const span = document.createElement(name === 'cm-footnote-sign' ? 'sup' : 'span');
  span.className = name;
  span.textContent = text;
  return span;
}
