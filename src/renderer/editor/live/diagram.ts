import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { DrawnBlock } from './block.ts';
import { codeOf, languageOf } from './code.ts';
import { place } from './neighbours.ts';

type Mermaid = typeof import('mermaid')['default'];

/** A diagram as it was drawn: the address of its picture, or why it could not be. */
type Drawing = { readonly source: string; readonly width: number; readonly height: number } | { readonly problem: string };

const drawings = new Map<string, Promise<Drawing>>();
const sizes = new Map<string, number>();
const kept = 60;
/** One after another: the program that draws has one state. */
let turn: Promise<unknown> = Promise.resolve();
let count = 0;

function isDark(): boolean {
  const theme = document.documentElement.dataset.theme;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

function drawingOf(code: string): Promise<Drawing> {
  const theme = isDark() ? 'dark' : 'light';
  const key = `${theme} ${code}`;
  const known = drawings.get(key);
  if (known !== undefined) return known;
  const asked = turn.then(() => draw(code, theme)).catch((error: unknown): Drawing => ({ problem: firstLine(error) }));
  turn = asked;
  drawings.set(key, asked);
  if (drawings.size > kept) drawings.delete(drawings.keys().next().value!);
  return asked;
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;

async function draw(code: string, theme: 'light' | 'dark'): Promise<Drawing> {
  const { default: mermaid } = await import('mermaid');
  settle(mermaid, theme);
  const { svg } = await mermaid.render(`diagram-${++count}`, code);
  return pictureOf(svg);
}

/** A document is data: no script, no link, no markup in labels, and no setting of its own that would allow any. */
function settle(mermaid: Mermaid, theme: 'light' | 'dark'): void {
  const style = getComputedStyle(document.documentElement);
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels', 'themeCSS', 'fontFamily'],
    maxTextSize: 50_000,
    theme: theme === 'dark' ? 'dark' : 'neutral',
    fontFamily: style.getPropertyValue('--font-ui').replaceAll('"', "'"),
    suppressErrorRendering: true,
  });
}

/** The drawing as a picture: what is in a picture runs nothing, loads nothing and reaches nothing of the page. */
function pictureOf(svg: string): Drawing {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (root.nodeName !== 'svg') throw new RangeError('no drawing');
  for (const bad of root.querySelectorAll('script, foreignObject, image, iframe, a')) bad.replaceWith(...bad.childNodes);
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/u).map(Number);
  root.setAttribute('width', String(width));
  root.setAttribute('height', String(height));
  root.style.maxWidth = '';
  const text = new XMLSerializer().serializeToString(root);
  return { source: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width, height };
}

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
    void drawingOf(this.code).then((drawing) => {
      if (frame.dataset.code !== this.code) return;
      if ('problem' in drawing) frame.replaceChildren(...faultOf(say('live.diagram-wrong', drawing), frame));
      else frame.replaceChildren(imageOf(drawing, say('live.diagram', { text: this.code.slice(0, 300) })));
      frame.style.minHeight = '';
      if (!('problem' in drawing)) sizes.set(this.code, Math.min(drawing.height, innerHeight * 0.7) + 24);
      view.requestMeasure();
    });
  }
}

function imageOf({ source, width, height }: Exclude<Drawing, { problem: string }>, name: string): HTMLElement {
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
