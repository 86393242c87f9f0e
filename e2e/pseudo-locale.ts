import commands from '../src/protocol/commands/en.json' with { type: 'json' };
import shared from '../src/protocol/words/en.json' with { type: 'json' };
import breakdown from '../src/renderer/breakdown/words/en.json' with { type: 'json' };
import code from '../src/renderer/code/words/en.json' with { type: 'json' };
import own from '../src/renderer/words/en.json' with { type: 'json' };

/** A language that nobody speaks: the words of the English catalogues, each as its longer and accented self. */
export interface PseudoLocale {
  /** By each word, in lower case, what it becomes. */
  readonly words: Readonly<Record<string, string>>;
  /** The texts of the catalogues that hold nothing of the writer's. */
  readonly texts: readonly string[];
}

const accented: Readonly<Record<string, string>> = {
  ...{
    a: 'ä',
    c: 'ç',
    d: 'ð',
    e: 'é',
    g: 'ğ',
    i: 'î',
    j: 'ĵ',
    k: 'ķ',
    l: 'ļ',
    n: 'ñ',
    o: 'ö',
    r: 'ŕ',
    s: 'š',
    t: 'ţ',
    u: 'û',
    w: 'ŵ',
    y: 'ÿ',
    z: 'ž',
  },
};

/** A word with accents above and below its letters and, by vowels that are said twice or thrice, at least 40 % longer. */
export function pseudoWord(word: string): string {
  const letters = [...word].map((letter) => accented[letter] ?? letter);
  const vowels = letters.flatMap((letter, at) => (/[äéîöû]/u.test(letter) ? [at] : []));
  const places = vowels.length > 0 ? vowels : [letters.length - 1];
  for (let added = 0; added < Math.ceil(word.length * 0.4); added++) {
    const at = places[added % places.length]!;
    letters[at] += letters[at]!.slice(0, 1);
  }
  return letters.join('');
}

/** The pseudo-locale of all that the window may say. */
export function pseudoLocale(): PseudoLocale {
  const texts = [commands, shared, breakdown, code, own].flatMap(textsIn);
  const spoken = texts.flatMap((text) => text.replaceAll(/\{\{.*?\}\}/gu, ' ').match(/\p{L}+/gu) ?? []);
  const words = [...new Set(spoken.map((word) => word.toLowerCase()))];
  return {
    words: Object.fromEntries(words.map((word) => [word, pseudoWord(word)])),
    texts: texts.filter((text) => !text.includes('{{')),
  };
}

function textsIn(part: object): string[] {
  return Object.values(part).flatMap((value: unknown) => (typeof value === 'string' ? [value] : textsIn(value as object)));
}

/**
 * Runs in the page: says all that is seen in the pseudo-locale, each text between brackets, and answers the texts that are cut, or that run
 * out of what they stand in; then all is as it was. What scrolls is not cut; what the writer named may end in dots.
 */
export function cutTexts({ words, texts }: PseudoLocale): string[] {
  const known = new Map(Object.entries(words));
  const whole = new Set(texts);
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const apart = '.unseen, .bd-hidden, .cm-content, .reading, .code-preview, [aria-hidden=true], option, datalist, script, style';
  const longer = (text: string) => {
    const said = text.replaceAll(/\p{L}+/gu, (word) => {
      const pseudo = known.get(word.toLowerCase());
      if (pseudo === undefined) return word;
      return /^\p{Lu}/u.test(word) ? pseudo.slice(0, 1).toUpperCase() + pseudo.slice(1) : pseudo;
    });
    return said === text ? text : text.replace(/\S(?:.*\S)?/su, () => `⟦${said.trim()}⟧`);
  };
  const nodes: { readonly node: Text; readonly text: string; readonly element: Element }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.nodeValue ?? '';
    if (element === null || text.trim() === '' || element.closest(apart) !== null || !isSeen(element)) continue;
    nodes.push({ node: node as Text, text, element });
  }
  const fields = [...document.querySelectorAll('input')].filter((field) => field.placeholder !== '' && isSeen(field));
  const placeholders = fields.map((field) => field.placeholder);
  for (const { node, text } of nodes) node.nodeValue = longer(text);
  for (const field of fields) field.placeholder = longer(field.placeholder);

  const cut: string[] = [];
  for (const { node, text, element } of nodes) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const mayEnd = textOverflow === 'ellipsis' && !whole.has(text.trim());
    if (/auto|scroll/.test(overflowX) || mayEnd) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    let problem = '';
    if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
      problem = `${element.scrollWidth} in ${element.clientWidth}`;
    for (let around: Element | null = element; around !== null && problem === ''; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (/auto|scroll/.test(style.overflowX) || (around !== element && style.textOverflow === 'ellipsis')) break;
      const edge = around.getBoundingClientRect();
      const isCut = style.overflowX !== 'visible' && (box.right > edge.right + 1 || box.left < edge.left - 1);
      const isLow =
        style.overflowY === 'hidden' && box.height < edge.height * 3 && (box.bottom > edge.bottom + 3 || box.top < edge.top - 3);
      if (isCut || isLow) problem = `cut ${isCut ? 'beside' : 'below'} by ${around.tagName}.${around.className}`;
    }
    if (problem === '' && box.right > innerWidth + 1) problem = 'out of the window';
    if (problem !== '') cut.push(`${element.tagName}.${element.className} “${text.trim().slice(0, 40)}”: ${problem}`);
  }
  const measure = document.createElement('canvas').getContext('2d')!;
  for (const [at, field] of fields.entries()) {
    const style = getComputedStyle(field);
    measure.font = style.font;
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const { width } = measure.measureText(field.placeholder);
    if (field.value === '' && width > room + 1) cut.push(`INPUT “${placeholders[at]}”: ${Math.round(width)} in ${Math.round(room)}`);
  }
  for (const { node, text } of nodes) node.nodeValue = text;
  for (const [at, field] of fields.entries()) field.placeholder = placeholders[at]!;
  return cut;
}
