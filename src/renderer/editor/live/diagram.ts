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

/** How each drawing on the page is made anew, when the page has other colours. */
const redraws = new Map<HTMLElement, () => void>();
let isFollowing = false;

function followTheme(): void {
  if (isFollowing) return;
  isFollowing = true;
  const redraw = () => {
    for (const [frame, draw] of redraws) if (frame.isConnected) draw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  new MutationObserver(redraw).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
}

function drawingOf(code: string): Promise<Drawing> {
  const theme = isDark() ? 'dark' : 'light';
  const key = `${theme} ${code}`;
  const known = drawings.get(key);
  if (known !== undefined) return known;
  const asked = turn.then(() => draw(code)).catch((error: unknown): Drawing => ({ problem: firstLine(error) }));
  turn = asked;
  drawings.set(key, asked);
  if (drawings.size > kept) drawings.delete(drawings.keys().next().value!);
  return asked;
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;

async function draw(code: string): Promise<Drawing> {
  const { default: mermaid } = await import('mermaid');
  settle(mermaid);
  const { svg } = await mermaid.render(`diagram-${++count}`, code);
  return pictureOf(svg);
}

/** A document is data: no script, no link, no markup in labels, and no setting of its own that would allow any. */
function settle(mermaid: Mermaid): void {
  const colour = tokens();
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'htmlLabels', 'themeCSS', 'fontFamily'],
    maxTextSize: 50_000,
    suppressErrorRendering: true,
    theme: 'base',
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-ui').replaceAll('"', "'"),
    themeVariables: {
      darkMode: isDark(),
      dropShadow: 'none',
      fontSize: '14px',
      background: colour('--paper'),
      mainBkg: colour('--surface'),
      primaryColor: colour('--surface'),
      primaryTextColor: colour('--ink'),
      primaryBorderColor: colour('--line-strong'),
      secondaryColor: colour('--accent-soft'),
      secondaryTextColor: colour('--ink'),
      tertiaryColor: colour('--raised'),
      tertiaryTextColor: colour('--ink'),
      lineColor: colour('--ink-3'),
      textColor: colour('--ink'),
      edgeLabelBackground: colour('--paper'),
      noteBkgColor: colour('--changed-soft'),
      noteTextColor: colour('--ink'),
      noteBorderColor: colour('--line-strong'),
    },
  });
}

/** The tokens of the page as colours that can be calculated with. */
function tokens(): (name: string) => string {
  const probe = document.createElement('span');
  document.body.append(probe);
  return (name) => {
    probe.style.color = `var(${name})`;
    const value = getComputedStyle(probe).color;
    queueMicrotask(() => probe.remove());
    return value;
  };
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
    followTheme();
    this.fill(frame, view);
    return frame;
  }
  override updateDOM(dom: HTMLElement, view: EditorView): boolean {
    this.fill(dom, view);
    return true;
  }
  override destroy(dom: HTMLElement): void {
    redraws.delete(dom);
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
    redraws.set(frame, () => this.fill(frame, view));
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
