import fc from 'fast-check';
import type { Element } from 'hast';
import { visit } from 'unist-util-visit';
import { describe, expect, it } from 'vitest';
import { readBlocks, toHtmlTree } from '#renderer/reading/markdown.ts';
import { readAsHtml, words } from './specification.ts';

describe('what our Markdown has beyond GFM', () => {
  it.each([
    ['a highlight', 'a ==b *c*== d', '<p>a <mark>b <em>c</em></mark> d</p>'],
    ['signs that are none', 'a == b == c', '<p>a == b == c</p>'],
    ['a link by name', '[[Ines#The ferry|she]]', '<p><a href="Ines#The%20ferry" class="wikilink">she</a></p>'],
    ['an embedded picture', '![[sea view.png]]', '<p><img src="sea%20view.png" alt="sea view.png"></p>'],
    ['brackets that are none', '[[a]', '<p>[[a]</p>'],
    ['escaped brackets', '\\[[a]]', '<p>[[a]]</p>'],
    ['a formula', '$x^2$', '<p><code class="language-math math-inline">x^2</code></p>'],
    ['prices', 'It costs $5 or $10, not $x$.', '<p>It costs $5 or $10, not <code class="language-math math-inline">x</code>.</p>'],
    ['a price range', '$5-$10', '<p>$5-$10</p>'],
    ['a block of a formula', '$$\nx\n$$', '<pre><code class="language-math math-display">x</code></pre>'],
    ['one tilde', 'about ~5 to ~6', '<p>about ~5 to ~6</p>'],
    ['a tag', 'a #sea/tide- b', '<p>a <span class="tag">#sea/tide</span>- b</p>'],
    ['what is no tag', 'a#b \\#c #1 # d `#e`', '<p>a#b #c #1 # d <code>#e</code></p>'],
    ['frontmatter', '---\ntitle: a\n---\nb', '<p>b</p>'],
  ])('%s', (_, markdown, html) => {
    expect(readAsHtml(markdown)).toBe(html);
  });

  it.each([
    ['with a title', '> [!warning] Mind *this*\n> text', 'Mind <em>this</em>'],
    ['without one', '> [!note]\n> text', 'Note'],
    ['of a kind that nobody knows', '> [!sea]\n> text', 'Sea'],
  ])('a callout %s', (_, markdown, title) => {
    const html = readAsHtml(markdown);
    expect(html).toMatch(/^<blockquote class="callout callout-\w+">/u);
    expect(html).toContain(`<p class="callout-title">${title}</p>\n<p>text</p>`);
  });

  it('a callout that folds', () => {
    expect(readAsHtml('> [!tip]- More\n> text')).toBe(
      '<details class="callout callout-tip">\n<summary class="callout-title">More</summary>\n<p>text</p>\n</details>',
    );
    expect(readAsHtml('> [!tip]+ More\n> text')).toMatch(/^<details class="callout callout-tip" open>/u);
  });

  it('footnotes, whose links lead to each other', () => {
    const html = readAsHtml('a[^1]\n\n[^1]: Note');
    const addresses = Array.from(html.matchAll(/href="#([^"]+)"/gu), ([, name]) => name);
    expect(addresses).toHaveLength(2);
    for (const name of addresses) expect(html).toContain(`id="user-content-${name}"`);
  });
});

/** What an attacker writes in a document. */
const piece = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<a href="javascript:alert(1)">',
    '[a](javascript:alert(1))',
    '[a](data:text/html,x)',
    '![a](vbscript:x)',
    '<iframe srcdoc="<script>">',
    '<style>*{}</style>',
    '<form action=x><button formaction="javascript:1">',
    '<math><mi xlink:href="data:x">',
    '<base href=x>',
    '<meta http-equiv=refresh>',
    '<object data=x>',
    '<div id=x name=y style="position:fixed" onclick=x>',
    '<![CDATA[',
    '<!--',
    '-->',
    '"><script>',
    '`',
    '\n\n',
    '> ',
    '[[javascript:alert(1)]]',
    '$\\href{javascript:alert(1)}{x}$',
  ),
  fc.string({ maxLength: 6 }),
);

describe('a hostile document', () => {
  it('leaves nothing that runs, loads by itself, or leads to anything but the web, mail and the workspace', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        visit(toHtmlTree(pieces.join(''), words), 'element', ({ tagName, properties }: Element) => {
          expect(tagName).not.toMatch(/^(script|style|iframe|object|embed|form|button|base|meta|link|svg|math|template)$/u);
          for (const [name, value] of Object.entries(properties)) {
            expect(name).not.toMatch(/^on|^style$|^srcdoc$|^formaction$|^srcset$/iu);
            if (name === 'href') expect(String(value)).toMatch(/^(https?:|mailto:|[^:]*$|[^:/?#]*[/?#])/iu);
            if (name === 'src') expect(String(value)).toMatch(/^(https?:|data:|[^:]*$|[^:/?#]*[/?#])/iu);
            if (name === 'id') expect(String(value)).toMatch(/^user-content-/u);
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  it('loses nothing behind a tag that would swallow it', () => {
    for (const tag of ['title', 'textarea', 'style', 'xmp', 'script', 'plaintext', 'noscript', 'template', 'select', 'iframe'])
      expect(readAsHtml(`a <${tag}> b\n\nlast words`), tag).toContain('last words');
  });

  it('is read in a time that grows with its length', () => {
    for (const part of ['>', '- ', '[', '*a ', '`', '<!', '$', '==', '[[', '![', '~~', '| a ']) {
      expect(readBlocks(part.repeat(2000), words).length, part).toBeGreaterThan(0);
    }
  });
});

describe('the blocks of a document', () => {
  it('stand in the order of the text, one behind the other, and name their places', () => {
    const block = fc.constantFrom(
      '# A',
      'text *a*',
      '- a\n- b',
      '> q',
      '```js\nx\n```',
      '<div>\n\nhtml',
      '</div>',
      '$$\nx\n$$',
      '| a |\n|-|',
      'a[^1]',
      '[^1]: b',
      '---',
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (parts) => {
        const text = parts.join('\n\n');
        let last = 0;
        for (const { from, to } of readBlocks(text, words)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThanOrEqual(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
    const [head, body] = readBlocks('# A\n\ntext\n', words);
    expect([head!.from, head!.to, body!.from, body!.to]).toEqual([0, 3, 5, 9]);
  });

  it('that are the same are the same text, wherever they stand', () => {
    const [a] = readBlocks('one *two*', words);
    const [, b] = readBlocks('before\n\none *two*', words);
    expect(b!.tree).toBe(a!.tree);
  });
});
