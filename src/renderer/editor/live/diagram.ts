import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { DrawnBlock } from './block.ts';
import { codeOf, languageOf } from './code.ts';
import { type Diagram, diagramOf, followTheme, forgetTheme } from './diagram-picture.ts';
import { place } from './neighbours.ts';

const sizes = new Map<string, number>();

/** A diagram, drawn from the text of a code block. */
class DiagramWidget extends WidgetType {
  readonly code: string;
  constructor(code: string) {
    super();
    this.code = code;
  }
  override eq(other: DiagramWidget): boolean {
    return other.code === this.code;
  }
  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement('div');
    frame.className = 'cm-drawn cm-diagram';
    frame.style.minHeight = `${sizes.get(this.code) ?? 0}px`;
    this.fill(frame, view);
    return frame;
  }
  override updateDOM(dom: HTMLElement, view: EditorView): boolean {
    this.fill(dom, view);
    return true;
  }
  override destroy(dom: HTMLElement): void {
    forgetTheme(dom);
  }
  override get estimatedHeight(): number {
    return sizes.get(this.code) ?? 180;
  }
  override ignoreEvent(): boolean {
    return false;
  }
  /** What was drawn before stays until the new drawing is there. */
  private fill(frame: HTMLElement, view: EditorView): void {
    const { say } = view.state.facet(place);
    frame.dataset.code = this.code;
    followTheme(frame, () => this.fill(frame, view));
    void diagramOf(this.code).then((drawing) => {
      if (frame.dataset.code !== this.code) return;
      if ('problem' in drawing) frame.replaceChildren(...faultOf(say('live.diagram-wrong', drawing), frame));
      else frame.replaceChildren(imageOf(drawing, say('live.diagram', { text: this.code.slice(0, 300) })));
      frame.style.minHeight = '';
      if (!('problem' in drawing)) sizes.set(this.code, Math.min(drawing.height, innerHeight * 0.7) + 24);
      view.requestMeasure();
    });
  }
}

function imageOf({ source, width, height }: Exclude<Diagram, { problem: string }>, name: string): HTMLElement {
  const image = document.createElement('img');
  Object.assign(image, { width, height, alt: name, draggable: false, src: source });
  return image;
}

/** The last drawing that could be made stays above the sentence that says what is wrong. */
function faultOf(words: string, frame: HTMLElement): HTMLElement[] {
  const fault = document.createElement('div');
  fault.className = 'cm-drawn-fault';
  fault.textContent = words;
  const before = frame.querySelector('img');
  return before === null ? [fault] : [before, fault];
}

/** Draws a block of code whose language is Mermaid; its source comes up while the cursor is in it. */
export function drawDiagram(state: EditorState, node: SyntaxNode): DrawnBlock | null {
  if (languageOf(state, node).toLowerCase() !== 'mermaid' || node.getChildren('CodeMark').length < 2) return null;
  const code = codeOf(state, node);
  return code.trim() === '' ? null : { widget: new DiagramWidget(code), opens: true };
}
