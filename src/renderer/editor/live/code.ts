import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { place } from './neighbours.ts';
import { append, type Draw, hide, type Scene } from './scene.ts';

/** What a fenced block says of its language; empty where it says nothing. */
export function languageOf(state: EditorState, node: SyntaxNode): string {
  const info = node.getChild('CodeInfo');
  return info === null ? '' : (/^\S+/u.exec(state.sliceDoc(info.from, info.to))?.[0] ?? '');
}

/** The text of a block of code, without its fences. */
export function codeOf(state: EditorState, node: SyntaxNode): string {
  return node
    .getChildren('CodeText')
    .map(({ from, to }) => state.sliceDoc(from, to))
    .join('');
}

/** The name of a block's language, and a button that copies the code. */
class CodeHead extends WidgetType {
  readonly language: string;
  readonly code: string;
  constructor(language: string, code: string) {
    super();
    this.language = language;
    this.code = code;
  }
  override eq(other: CodeHead): boolean {
    return other.language === this.language && other.code === this.code;
  }
  override toDOM(view: EditorView): HTMLElement {
    const { say } = view.state.facet(place);
    const head = document.createElement('span');
    head.className = 'cm-code-head';
    head.contentEditable = 'false';
    const name = head.appendChild(document.createElement('span'));
    name.textContent = this.language;
    const copy = head.appendChild(document.createElement('button'));
    copy.type = 'button';
    copy.tabIndex = -1;
    copy.textContent = say('live.copy');
    copy.addEventListener('mousedown', (event) => event.preventDefault());
    copy.addEventListener('click', () => {
      void navigator.clipboard.writeText(this.code).then(() => {
        copy.textContent = say('live.copied');
      });
    });
    return head;
  }
}

/** A fenced block: a surface of its own, whose fences are seen while the cursor is in it. */
export const drawCode: Draw = (scene, { node, from, to }) => {
  const { doc } = scene.state;
  const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
  const fences = node.getChildren('CodeMark');
  const isClosed = fences.length > 1;
  for (const shape of scene.shapes.over(from, to, scene.seen)) {
    shape.classes.add('cm-code');
    if (shape.line.from === first.from) shape.classes.add('cm-code-first');
    if (shape.line.from === last.from && isClosed) shape.classes.add('cm-code-last');
  }
  if (!scene.isRevealed(from, to)) closeFences(scene, node, fences, isClosed);
  return undefined;
};

function closeFences(scene: Scene, node: SyntaxNode, fences: readonly SyntaxNode[], isClosed: boolean): void {
  const line = scene.state.doc.lineAt(node.from);
  hide(scene, node.from, line.to);
  append(scene, new CodeHead(languageOf(scene.state, node), codeOf(scene.state, node)), line.to);
  const last = fences.at(-1);
  if (isClosed && last !== undefined) hide(scene, last.from, last.to);
}
