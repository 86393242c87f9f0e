import { globSync, readFileSync, statSync } from 'node:fs';
import type { Tree } from '@lezer/common';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { grammar } from '#renderer/editor/syntax.ts';
import { readMarkdown } from '#renderer/reading/markdown.ts';
import { commonmarkExamples, gfmExamples } from './specification.ts';

/** Blocks that both name, by what the grammar of the editor calls them. */
const blockOfGrammar: Readonly<Record<string, string>> = {
  Paragraph: 'paragraph',
  Task: 'paragraph',
  Blockquote: 'quote',
  BulletList: 'bullets',
  OrderedList: 'numbers',
  ListItem: 'item',
  FencedCode: 'code',
  CodeBlock: 'code',
  HTMLBlock: 'html',
  CommentBlock: 'html',
  ProcessingInstructionBlock: 'html',
  HorizontalRule: 'rule',
  Table: 'table',
  MathBlock: 'formula',
  LinkReference: 'definition',
  FootnoteDefinition: 'footnote',
  ATXHeading1: 'heading 1',
  ATXHeading2: 'heading 2',
  ATXHeading3: 'heading 3',
  ATXHeading4: 'heading 4',
  ATXHeading5: 'heading 5',
  ATXHeading6: 'heading 6',
  SetextHeading1: 'heading 1',
  SetextHeading2: 'heading 2',
};

/** The blocks of a text as the editor has them: `quote(paragraph) heading 2`. */
function inEditor(text: string): string {
  const tree: Tree = grammar.language.parser.parse(text);
  const stack: string[][] = [[]];
  tree.iterate({
    enter({ name }) {
      if (blockOfGrammar[name] === undefined) return name === 'Document';
      stack.push([]);
      return true;
    },
    leave({ name }) {
      const block = blockOfGrammar[name];
      if (block !== undefined) close(stack, block);
    },
  });
  return stack[0]!.join(' ');
}

function close(stack: string[][], block: string): void {
  const inside = stack.pop()!;
  const isLeaf = ['paragraph', 'code', 'html', 'rule', 'table', 'formula', 'definition'].includes(block) || block.startsWith('heading');
  stack.at(-1)!.push(isLeaf || inside.length === 0 ? block : `${block}(${inside.join(' ')})`);
}

const blockOfReading = (node: Nodes): string | null => {
  if (node.type === 'heading') return `heading ${node.depth}`;
  if (node.type === 'list') return node.ordered === true ? 'numbers' : 'bullets';
  const names: Readonly<Record<string, string>> = {
    paragraph: 'paragraph',
    blockquote: 'quote',
    listItem: 'item',
    code: 'code',
    html: 'html',
    thematicBreak: 'rule',
    table: 'table',
    math: 'formula',
    definition: 'definition',
    footnoteDefinition: 'footnote',
  };
  return names[node.type] ?? null;
};

/** The blocks of a text as the reading view has them. */
function asRead(text: string): string {
  const stack: string[][] = [[]];
  const visit = (node: Nodes) => {
    const block = blockOfReading(node);
    if (block === null) return 'children' in node && node.type === 'root' ? node.children.forEach(visit) : undefined;
    stack.push([]);
    if ('children' in node && /^(blockquote|list|listItem|footnoteDefinition)$/.test(node.type)) node.children.forEach(visit);
    close(stack, block);
  };
  visit(readMarkdown(text));
  return stack[0]!.join(' ');
}

/** Frontmatter is not part of the editor's grammar; it is looked at behind it. */
const body = (text: string) => text.replace(/^---\n(?:[\s\S]*?\n)?---(?:\n|$)/, '');

/** What differs, and by what kind of difference (docs/rendering.md). */
function differences(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([name, text]) => {
    const [edited, read] = [inEditor(body(text)), asRead(body(text))];
    if (edited === read) return [];
    return [plain(edited) === plain(read) ? 'a tag alone in its lines' : name];
  });
}

const plain = (blocks: string) => blocks.replaceAll('html', 'paragraph');

describe('the blocks of a text', () => {
  it('are told apart by both', () => {
    for (const blocks of [inEditor, asRead]) {
      expect(blocks('> a\n\n## b\n\n- c\n  1. d\n\n```\ne\n```\n\n$$\nf\n$$\n\n[^1]: g')).toBe(
        'quote(paragraph) heading 2 bullets(item(paragraph numbers(item(paragraph)))) code formula footnote(paragraph)',
      );
    }
  });

  it('are the same in the editor and as they are read: the examples of CommonMark and GFM', () => {
    const texts = [...commonmarkExamples.map((one) => ['cm', one] as const), ...gfmExamples.map((one) => ['gfm', one] as const)];
    const named = Object.fromEntries(texts.map(([spec, { example, markdown }]) => [`${spec} ${example}`, markdown]));
    expect(differences(named)).toEqual([]);
  });

  it('are the same in tables with blanks at their ends', () => {
    const texts = [
      '| a | b | \n| --- | --- |  \n| 1 | 2 |\t\n',
      'text\n| a |\n| - | \n| 1 |\n',
      'a | b\n--- | --- \n1 | 2\n',
      '| a |\n| - |\n| - | \n| - |\n',
      '> | a |  \n> | - |  \n> | 1 |  \n',
      '| a | b |\n| --- |  \n',
    ];
    expect(differences(Object.fromEntries(texts.map((text) => [text, text])))).toEqual([]);
  });

  it('are the same in footnotes of several blocks', () => {
    const texts = [
      '[^1]: a\n\n    b\n\n    - c\n      d\n\n        code\n\nout',
      '[^1]: a\nlazy\n[^2]: b\n\n  out',
      'text\n[^1]: a',
      '> [^1]: a\n>\n>     b\n> out\n\nout',
      '- item\n\n  [^1]: a\n\n      b\n',
      '[^1]:\n\n    a\n',
      '[^1]: ```\n    code\n    ```\n\n    # no\n',
      '[^1]: > quote\n\n\n\n    far\n',
      '[^1]: a\n\n\tb\n\n    [^2]: c\n',
      '    [^1]: code\n\n[^a b]: no\n\n[^]: no',
      '[^1]: a\n===\n\n[^2]: # b\n# c\n',
    ];
    expect(differences(Object.fromEntries(texts.map((text) => [text, text])))).toEqual([]);
  });

  it('hold the same formulas, links by name, highlights and tags', () => {
    const inline = (text: string) => {
      const found: string[] = [];
      grammar.language.parser.parse(text).iterate({
        enter({ name, from, to }) {
          if (['InlineMath', 'Wikilink', 'Embed', 'Highlight', 'Tag'].includes(name)) found.push(text.slice(from, to));
        },
      });
      return found;
    };
    const read = (text: string) => {
      const found: string[] = [];
      const visit = (node: Nodes) => {
        const { start, end } = node.position ?? {};
        if (['inlineMath', 'wikilink', 'highlight', 'tag'].includes(node.type)) found.push(text.slice(start?.offset, end?.offset));
        if ('children' in node) node.children.forEach(visit);
      };
      visit(readMarkdown(text));
      return found;
    };
    for (const text of [
      'It costs $5 or $10, not $x$.',
      '$5-$10 and $a$b',
      'a $x y$ b $$z$$ c \\$d$ e',
      '$ a$ and $a $',
      '[[a]] [[a|b]] ![[c.png]] [[]] [[a]b]] \\[[a]]',
      '==a *b*== == c == ==d==',
      '`$x$ [[a]] ==b==` $y$',
      '$x\ny$',
      '#a b #c-d/e- #f/ #1 a#b \\#g\n#h *#i* [x #j](k) ==#l== (#m) `#n` ##o #p#q #r-/-s',
      `#${'long'.repeat(40)} | #é #海 #a1_b`,
    ])
      expect(inline(text), text).toEqual(read(text));
  });

  it('are the same in a hundred real files, but for tags', () => {
    const files = globSync('node_modules/**/*.md')
      .sort()
      .filter((file) => statSync(file).size < 12_000);
    const some = files.filter((_, at) => at % Math.floor(files.length / 100) === 0).slice(0, 100);
    expect(some.length).toBe(100);
    const named = Object.fromEntries(
      some.map((file) => [
        file,
        readFileSync(file, 'utf8')
          .replace(/^\ufeff/, '')
          .replaceAll(/\r\n?/g, '\n'),
      ]),
    );
    // Which files these are changes with the packages.
    expect(differences(named).filter((difference) => difference !== 'a tag alone in its lines')).toEqual([]);
  });
});
