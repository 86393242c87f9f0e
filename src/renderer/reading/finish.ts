import { LanguageDescription } from '@codemirror/language';
import { classHighlighter, highlightCode } from '@lezer/highlight';

/** Code longer than this many characters keeps one colour. */
const longestCode = 100_000;

/** How what is dear is drawn: in the colours of the page and with its fonts, or as what stands alone and on paper. */
export type Finish = 'page' | 'alone';

/** Gives a block that comes into sight what is dear to draw: formulas, diagrams, and the colours of code. */
export async function finishBlock(block: HTMLElement, finish: Finish = 'page'): Promise<void> {
  const formulas = [...block.querySelectorAll<HTMLElement>('code.math-inline, code.math-display')];
  const codes = [...block.querySelectorAll<HTMLElement>('pre > code[class*="language-"]:not(.math-display)')];
  const [diagrams, texts] = [codes.filter(isDiagram), codes.filter((code) => !isDiagram(code))];
  const drawn = diagrams.map((code) => drawDiagram(code, finish));
  await Promise.all([formulas.length > 0 && drawFormulas(formulas, finish), ...drawn, ...texts.map(colour)]);
}

const isDiagram = (code: HTMLElement) => code.classList.contains('language-mermaid');

/** What cannot be drawn stays the text that it is. */
async function drawDiagram(code: HTMLElement, finish: Finish): Promise<void> {
  const { diagramOf, followTheme } = await import('#renderer/editor/live/diagram-picture.ts');
  const text = code.textContent ?? '';
  const drawing = await diagramOf(text, finish === 'alone' ? 'light' : undefined);
  if ('problem' in drawing) return;
  const picture = document.createElement('img');
  const [width, height] = [Math.ceil(drawing.width), Math.ceil(drawing.height)];
  Object.assign(picture, { width, height, alt: text.trim().slice(0, 300), className: 'diagram', src: drawing.source });
  code.parentElement?.replaceWith(picture);
  if (finish === 'alone') return;
  followTheme(picture, () => {
    void diagramOf(text).then((again) => {
      if (!('problem' in again)) picture.src = again.source;
    });
  });
}

async function drawFormulas(formulas: readonly HTMLElement[], finish: Finish): Promise<void> {
  const isAlone = finish === 'alone';
  const [katex] = await Promise.all([import('katex'), isAlone ? null : import('katex/dist/katex.min.css')]);
  // What stands alone has no fonts for formulas but the reader's own.
  const output = isAlone ? ('mathml' as const) : ('htmlAndMathml' as const);
  for (const code of formulas) {
    const isDisplay = code.classList.contains('math-display');
    const place = document.createElement(isDisplay ? 'div' : 'span');
    const source = code.textContent ?? '';
    // Nothing of a formula may become an address or a style of its own, nor grow without end.
    const limits = { trust: false, maxExpand: 1000, maxSize: 40, strict: 'ignore' as const };
    try {
      katex.default.render(source, place, { displayMode: isDisplay, throwOnError: true, output, ...limits });
      boxText(place);
    } catch (error) {
      place.className = 'math-wrong';
      place.textContent = source;
      place.title = error instanceof Error ? error.message : String(error);
    }
    const whole = isDisplay && code.parentElement?.tagName === 'PRE' ? code.parentElement : code;
    whole.replaceWith(place);
  }
}

/** KaTeX leaves spaces as bare text among the parts of a formula, where MathML has no text. */
function boxText(place: HTMLElement): void {
  for (const row of place.querySelectorAll('mrow, mstyle, mpadded, mtd, math')) {
    for (const node of row.childNodes) {
      if (!(node instanceof Text)) continue;
      const box = document.createElementNS('http://www.w3.org/1998/Math/MathML', 'mtext');
      node.replaceWith(box);
      box.append(node);
    }
  }
}

async function colour(code: HTMLElement): Promise<void> {
  const name = /(?:^|\s)language-(\S+)/.exec(code.className)?.[1];
  const text = code.textContent ?? '';
  if (name === undefined || text.length > longestCode) return;
  const { languages } = await import('@codemirror/language-data');
  const found = LanguageDescription.matchLanguageName(languages, name, true);
  if (found === null) return;
  const { language } = await found.load();
  const parts: Node[] = [];
  const put = (words: string, classes: string) => {
    if (classes === '') return parts.push(document.createTextNode(words));
    const span = document.createElement('span');
    span.className = classes;
    span.textContent = words;
    return parts.push(span);
  };
  highlightCode(text, language.parser.parse(text), classHighlighter, put, () => put('\n', ''));
  code.replaceChildren(...parts);
}
