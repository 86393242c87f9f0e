import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { wikiAddress } from '../link-target.ts';
import { FootnoteSign } from './footnote.ts';
import { drawImage } from './image.ts';
import { addressOfLink, isBroken } from './link-state.ts';
import { FormulaWidget, formulaOf } from './math.ts';
import { type Draw, dress, hide, mark, replace, type Scene } from './scene.ts';

/** Whether an element shows its marks: the cursor is in it, or in one around it that holds nothing else. */
function isShown(scene: Scene, { from, to, parent }: SyntaxNode): boolean {
  if (scene.isRevealed(from, to)) return true;
  return parent !== null && parent.firstChild?.to === from && parent.lastChild?.from === to && isShown(scene, parent);
}

/** Hides the marks at both ends of an element, unless the cursor is in it. */
const between =
  (name: string | null): Draw =>
  (scene, { node, from, to }) => {
    if (name !== null) mark(scene, name, from, to);
    if (isShown(scene, node)) return undefined;
    const [first, last] = [node.firstChild, node.lastChild];
    if (first !== null && first.from === from && first.name.endsWith('Mark')) hide(scene, first.from, first.to);
    if (last !== null && last.to === to && last.from > (first?.from ?? -1) && last.name.endsWith('Mark')) hide(scene, last.from, last.to);
    return undefined;
  };

function drawLink(scene: Scene, address: string | null, from: number, to: number): void {
  const broken = address !== null && isBroken(scene.state, address);
  dress(scene, { class: broken ? 'cm-link cm-link-broken' : 'cm-link', ...(address === null ? {} : { title: address }) }, from, to);
}

/** `[words](address)`, `[words][name]`, `[name]`: of a link only its words are seen. */
const link: Draw = (scene, { node, from, to }) => {
  const marks = node.getChildren('LinkMark');
  const close = marks[1];
  const address = addressOfLink(scene.state, node);
  // Square brackets that lead nowhere are only brackets.
  if (close === undefined || address === null) return undefined;
  drawLink(scene, address, from + 1, close.from);
  if (scene.isRevealed(from, to)) return undefined;
  hide(scene, from, from + 1);
  hide(scene, close.from, Math.min(to, scene.state.doc.lineAt(close.from).to));
  return undefined;
};

const autolink: Draw = (scene, { node, from, to }) => {
  const url = node.getChild('URL');
  if (url === null) return false;
  drawLink(scene, scene.state.sliceDoc(url.from, url.to), url.from, url.to);
  if (scene.isRevealed(from, to)) return false;
  hide(scene, from, url.from);
  hide(scene, url.to, to);
  return false;
};

/** An address that stands in the text as it is. */
const bareUrl: Draw = (scene, { node, from, to }) => {
  if (['Link', 'Image', 'Autolink', 'LinkReference'].includes(node.parent?.name ?? '')) return false;
  drawLink(scene, scene.state.sliceDoc(from, to), from, to);
  return false;
};

const wikilink: Draw = (scene, { node, from, to }) => {
  const target = node.getChild('WikilinkTarget');
  const words = node.getChild('WikilinkWords');
  if (target === null) return false;
  const shown = words ?? target;
  drawLink(scene, wikiAddress(scene.state.sliceDoc(target.from, target.to)), shown.from, shown.to);
  if (scene.isRevealed(from, to)) return false;
  hide(scene, from, shown.from);
  hide(scene, shown.to, to);
  return false;
};

const footnote: Draw = (scene, { from, to }) => {
  if (scene.isRevealed(from, to)) mark(scene, 'cm-link', from, to);
  else replace(scene, new FootnoteSign(scene.state.sliceDoc(from + 2, to - 1)), from, to);
  return false;
};

const formula: Draw = (scene, { from, to }) => {
  if (scene.isRevealed(from, to)) mark(scene, 'cm-formula-source', from, to);
  else if (scene.state.doc.lineAt(from).to >= to) {
    const { tex, isDisplay } = formulaOf(scene.state.sliceDoc(from, to));
    replace(scene, new FormulaWidget(tex, isDisplay), from, to);
  }
  return false;
};

const escaped: Draw = (scene, { from, to }) => {
  if (!scene.isRevealed(from, to)) hide(scene, from, from + 1);
  return false;
};

const tag: Draw = (scene, { from, to }) => {
  mark(scene, 'cm-tag', from, to);
  return false;
};

/** How each element of a text is drawn, by its name in the grammar. */
export const inlineDrawings: Readonly<Record<string, Draw>> = {
  Emphasis: between(null),
  StrongEmphasis: between(null),
  Strikethrough: between(null),
  Highlight: between('cm-highlight'),
  InlineCode: between('cm-inline-code'),
  Link: link,
  Autolink: autolink,
  URL: bareUrl,
  Wikilink: wikilink,
  Image: (scene, node: SyntaxNodeRef) => drawImage(scene, node),
  Embed: (scene, node: SyntaxNodeRef) => drawImage(scene, node),
  FootnoteReference: footnote,
  InlineMath: formula,
  Escape: escaped,
  Tag: tag,
};
