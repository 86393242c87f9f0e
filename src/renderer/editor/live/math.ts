import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { DrawnBlock } from './block.ts';
import { place } from './neighbours.ts';

type Katex = typeof import('katex')['default'];

/** The program that sets formulas; asked for by the first formula that is seen. */
let loading: Promise<Katex> | null = null;
let loaded: Katex | null = null;
/** Formulas as they were set, newest last. */
const drawn = new Map<string, HTMLElement>();
const kept = 500;

function load(): Promise<Katex> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(([{ default: katex }]) => {
    loaded = katex;
    return katex;
  });
  return loading;
}

/** The TeX between the marks of a formula, and whether it stands in a line of its own. */
export function formulaOf(source: string): { readonly tex: string; readonly isDisplay: boolean } {
  const isDisplay = source.startsWith('$$');
  const width = isDisplay ? 2 : 1;
  const end = source.endsWith('$'.repeat(width)) && source.length >= 2 * width ? -width : undefined;
  return { tex: source.slice(width, end).trim(), isDisplay };
}

/** A formula as it is set. Until the program for it is there, and where it cannot be read, its source. */
export function drawFormula(tex: string, isDisplay: boolean, changed: () => void = () => {}): HTMLElement {
  const frame = document.createElement('span');
  frame.className = isDisplay ? 'cm-formula cm-formula-display' : 'cm-formula';
  if (loaded !== null) set(frame, loaded, tex, isDisplay);
  else {
    frame.textContent = tex;
    frame.classList.add('cm-formula-waiting');
    void load().then(
      (katex) => {
        frame.classList.remove('cm-formula-waiting');
        set(frame, katex, tex, isDisplay);
        changed();
      },
      () => {},
    );
  }
  return frame;
}

function set(frame: HTMLElement, katex: Katex, tex: string, isDisplay: boolean): void {
  const key = `${isDisplay} ${tex}`;
  let made = drawn.get(key);
  if (made === undefined) {
    made = render(katex, tex, isDisplay);
    drawn.set(key, made);
    if (drawn.size > kept) drawn.delete(drawn.keys().next().value!);
  }
  frame.replaceChildren(...[...made.cloneNode(true).childNodes]);
  const problem = made.dataset.problem;
  if (problem !== undefined) {
    frame.classList.add('cm-formula-wrong');
    frame.title = problem;
  }
}

function render(katex: Katex, tex: string, isDisplay: boolean): HTMLElement {
  const into = document.createElement('span');
  try {
    // A document is data: no macro of it may reach out of the formula, or grow without end.
    katex.render(tex, into, { displayMode: isDisplay, throwOnError: true, trust: false, strict: false, maxExpand: 500, maxSize: 20 });
  } catch (error) {
    into.textContent = tex;
    into.dataset.problem = error instanceof Error ? error.message : String(error);
  }
  return into;
}

/** A formula in a text. */
export class FormulaWidget extends WidgetType {
  readonly tex: string;
  readonly isDisplay: boolean;
  constructor(tex: string, isDisplay: boolean) {
    super();
    this.tex = tex;
    this.isDisplay = isDisplay;
  }
  override eq(other: FormulaWidget): boolean {
    return other.tex === this.tex && other.isDisplay === this.isDisplay;
  }
  override toDOM(view: EditorView): HTMLElement {
    if (this.tex === '') {
      const empty = document.createElement('span');
      empty.className = 'cm-formula cm-formula-wrong';
      empty.textContent = view.state.facet(place).say('live.formula-empty');
      return empty;
    }
    return drawFormula(this.tex, this.isDisplay, () => view.requestMeasure());
  }
  override get estimatedHeight(): number {
    return this.isDisplay ? 62 : -1;
  }
  override ignoreEvent(): boolean {
    return false;
  }
}

class FormulaBlock extends FormulaWidget {
  override toDOM(view: EditorView): HTMLElement {
    const frame = document.createElement('div');
    frame.className = 'cm-drawn';
    frame.append(super.toDOM(view));
    return frame;
  }
}

/** Draws a formula that stands in lines of its own; its source comes up while the cursor is in it. */
export function drawFormulaBlock(state: EditorState, { from, to }: SyntaxNode): DrawnBlock {
  const { tex } = formulaOf(
    state
      .sliceDoc(from, to)
      .replaceAll(/\n[ \t]*(?:>[ \t]?)+/gu, '\n')
      .trimEnd(),
  );
  return { widget: new FormulaBlock(tex, true), opens: true };
}
