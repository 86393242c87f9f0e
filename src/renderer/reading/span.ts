import type { Extension as TreeExtension } from 'mdast-util-from-markdown';
import type { Code, Construct, Extension, Previous, State, Tokenizer, TokenType } from 'micromark-util-types';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    wikilink: 'wikilink';
    dollars: 'dollars';
    tag: 'tag';
    spanText: 'spanText';
    spanBreak: 'spanBreak';
  }
}

declare module 'mdast' {
  interface WikilinkNode {
    type: 'wikilink';
    value: string;
    data: { hName: string; hProperties: Readonly<Record<string, unknown>>; hChildren: { type: 'text'; value: string }[] };
  }
  interface TagNode {
    type: 'tag';
    value: string;
    data: WikilinkNode['data'];
  }
  interface PhrasingContentMap {
    wikilink: WikilinkNode;
    tag: TagNode;
  }
  interface RootContentMap {
    wikilink: WikilinkNode;
    tag: TagNode;
  }
}

const [dollar, backslash, open, close, bar, space, bang, hash] = [36, 92, 91, 93, 124, 32, 33, 35];
const isBreak = (code: Code) => code !== null && code < -2;
const isBlank = (code: Code) => code === null || code < 0 || code === space;
const isDigit = (code: Code) => code !== null && code >= 48 && code <= 57;

/** `[[document]]`, `[[document#heading]]`, `[[document|words]]`, each also as an embedded one behind `!`; in one line. */
const tokenizeWikilink: Tokenizer = (effects, ok, nok) => {
  let length = 0;
  let hasBar = false;
  const first: State = (code) => {
    effects.enter('wikilink');
    effects.enter('spanText');
    effects.consume(code);
    return code === bang ? opening : second;
  };
  const opening: State = (code) => {
    if (code !== open) return nok(code);
    effects.consume(code);
    return second;
  };
  const second: State = (code) => {
    if (code !== open) return nok(code);
    effects.consume(code);
    return inside;
  };
  const inside: State = (code) => {
    if (code === null || isBreak(code) || code === open || (code === bar && (hasBar || length === 0))) return nok(code);
    if (code === close) return length === 0 ? nok(code) : end(code);
    if (code === bar) hasBar = true;
    length++;
    effects.consume(code);
    return inside;
  };
  const end: State = (code) => {
    effects.consume(code);
    return last;
  };
  const last: State = (code) => {
    if (code !== close) return nok(code);
    effects.consume(code);
    effects.exit('spanText');
    effects.exit('wikilink');
    return ok;
  };
  return first;
};

/**
 * `$x$` as formulas are told from prices: no blank inside of either sign, no digit behind the second (the rule of Pandoc). `$$x$$` in a line
 * is left to the extension for mathematics.
 */
const tokenizeDollars: Tokenizer = (effects, ok, nok) => {
  let before: Code = dollar;
  const first: State = (code) => {
    effects.enter('dollars');
    effects.enter('spanText');
    effects.consume(code);
    return begin;
  };
  const begin: State = (code) => (isBlank(code) || code === dollar ? nok(code) : inside(code));
  const inside: State = (code) => {
    if (code === null) return nok(code);
    if (isBreak(code)) return lineBreak(code);
    if (code === dollar && before !== backslash) return isBlank(before) ? nok(code) : end(code);
    // An escaped backslash escapes nothing.
    before = before === backslash && code === backslash ? space + 1 : code;
    effects.consume(code);
    return inside;
  };
  const lineBreak = (code: Code) => {
    effects.exit('spanText');
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    effects.enter('spanText');
    before = space;
    return inside;
  };
  const end = (code: Code) => {
    effects.consume(code);
    return last;
  };
  const last: State = (code) => {
    if (isDigit(code) || code === dollar) return nok(code);
    effects.exit('spanText');
    effects.exit('dollars');
    return ok(code);
  };
  return first;
};

const isIn = (signs: RegExp) => (code: Code) => code !== null && code > 0 && signs.test(String.fromCharCode(code));
const isLetter = isIn(/\p{L}/u);
const isInWord = isIn(/[\p{L}\p{M}\p{N}_]/u);
const isBetween = isIn(/[/-]/u);

/** The signs between two words of a tag belong to it, and those behind its last one do not. */
const goesOn: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const between: State = (code) => {
      if (!isBetween(code)) return isInWord(code) ? ok(code) : nok(code);
      effects.consume(code);
      return between;
    };
    return (code) => {
      effects.enter('spanText');
      return between(code);
    };
  },
};

/** `#word`, as the editor knows it (`#kernel/tag`); letters beyond the first 65,536 signs end it. */
const tokenizeTag: Tokenizer = (effects, ok, nok) => {
  let length = 0;
  const take: State = (code) => {
    effects.consume(code);
    length++;
    return inside;
  };
  const inside: State = (code) => {
    if (length < 100 && isInWord(code)) return take(code);
    return length < 100 && isBetween(code) ? effects.check(goesOn, take, end)(code) : end(code);
  };
  const end: State = (code) => {
    effects.exit('spanText');
    effects.exit('tag');
    return ok(code);
  };
  return (code) => {
    effects.enter('tag');
    effects.enter('spanText');
    effects.consume(code);
    return (next) => (isLetter(next) ? take(next) : nok(next));
  };
};

/** As the extension for mathematics has it: where either may begin both are tried, and that one must not begin behind a sign. */
const behindNoDollar: Previous = function (code) {
  return code !== dollar || this.events.at(-1)?.[1].type === 'characterEscape';
};

const construct = (name: TokenType, tokenize: Tokenizer): Construct => ({ name, tokenize });

/** The syntax of links to documents by their names, of formulas in a line, and of tags. */
export const spanSyntax: Extension = {
  text: {
    [open]: construct('wikilink', tokenizeWikilink),
    [bang]: construct('wikilink', tokenizeWikilink),
    [dollar]: { ...construct('dollars', tokenizeDollars), previous: behindNoDollar },
    [hash]: { ...construct('tag', tokenizeTag), previous: isBlank },
  },
};

/** What those become in the tree. */
export const spanTree: TreeExtension = {
  enter: {
    wikilink(token) {
      const source = this.sliceSerialize(token);
      const [, target = '', words = ''] = /^!?\[\[([^|]*?)(?:\\?\|(.*))?\]\]$/u.exec(source) ?? [];
      const isPicture = source.startsWith('!') && /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/iu.test(target.trim());
      const address = encodeURI(target.trim());
      const text = words.trim() || target.trim();
      const link = {
        hName: 'a',
        hProperties: { href: address, className: ['wikilink'] },
        hChildren: [{ type: 'text' as const, value: text }],
      };
      const picture = { hName: 'img', hProperties: { src: address, alt: text }, hChildren: [] };
      this.enter({ type: 'wikilink', value: target.trim(), data: isPicture ? picture : link }, token);
    },
    dollars(token) {
      const value = this.sliceSerialize(token)
        .slice(1, -1)
        .replaceAll(/\r?\n|\r/gu, ' ');
      const data = {
        hName: 'code',
        hProperties: { className: ['language-math', 'math-inline'] },
        hChildren: [{ type: 'text' as const, value }],
      };
      this.enter({ type: 'inlineMath', value, data }, token);
    },
    tag(token) {
      const value = this.sliceSerialize(token);
      const data = { hName: 'span', hProperties: { className: ['tag'] }, hChildren: [{ type: 'text' as const, value }] };
      this.enter({ type: 'tag', value, data }, token);
    },
  },
  exit: {
    wikilink(token) {
      this.exit(token);
    },
    dollars(token) {
      this.exit(token);
    },
    tag(token) {
      this.exit(token);
    },
  },
};
