import fc from 'fast-check';
import type { Nodes } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { HtmlValidate } from 'html-validate';
import { describe, expect, it } from 'vitest';
import { type Manuscript, manuscriptOf } from '#renderer/export/manuscript.ts';

const words = { footnotes: 'Footnotes', back: 'Back', callouts: { note: 'Note' } };
const of = (texts: Readonly<Record<string, string>>) =>
  manuscriptOf(
    Object.entries(texts).map(([path, text]) => ({ path, text })),
    words,
  );
const htmlOf = ({ chapters }: Manuscript) =>
  chapters.map(({ id, blocks }) => `<section id="${id}">${blocks.map((tree) => toHtml(JSON.parse(tree) as Nodes)).join('\n')}</section>`);
const idsIn = (html: string) => Array.from(html.matchAll(/ id="([^"]*)"/gu), ([, id]) => id!);
const placesIn = (html: string) => Array.from(html.matchAll(/ href="#([^"]*)"/gu), ([, id]) => id!);

const piece = fc.constantFrom(
  '# Ferry',
  '## Ferry',
  '## The answer\n',
  'text[^1]\n\n[^1]: note [[b#Ferry]]\n',
  '[a](b.md#the-answer) [b](#ferry) [c](a.md) [d](../out.md) [e](none.md) [[b]] [f](https://example.org/)',
  '<a id="ferry">x</a><a id="chapter-1" name="n">y</a><a id="c1-ferry">z</a>',
  '> [!note] Title *with* words\n> text',
  '| a | b |\n| :-: | --: |\n| 1 | `x` |',
  '- [x] task\n- item\n\n  deeper',
  '<center>one <b>two</b></center><p align=right>three</p><tt>four</tt>',
  '<ul>stray<li>x<div>y</div></ul><li>alone</li><dl><dt>t<dd>d</dl><dd>out</dd>',
  '<span><div>block <h2>in</h2></div></span><em><ul><li>i</ul></em>',
  '<table width=3 border=1><tr><td nowrap bgcolor=red valign=top>x<td colspan=2>y</table>',
  '<details open><summary>More <h3>x</h3></summary>\n\ninside\n</details><summary>lost</summary>',
  '<img src="data:image/png;base64,AA==" width="10%" height=4><script>x</script><style>y</style>',
  '$x^2$ and ==mark== ~~gone~~ H<sub>2</sub>O <kbd>K</kbd>',
  '<ol start=3 type=a><li value=4>x</ol><a href="javascript:x">j</a><a>nothing</a>',
);
const chapter = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('\n\n'));

describe('chapters that become one', () => {
  it('have no id twice, and every place that a link names', () => {
    fc.assert(
      fc.property(chapter, chapter, chapter, (a, b, c) => {
        const html = htmlOf(of({ 'a.md': a, 'b.md': b, 'c.md': c })).join('\n');
        const ids = idsIn(html);
        expect(new Set(ids).size).toBe(ids.length);
        for (const place of placesIn(html)) expect(ids).toContain(place);
      }),
    );
  });

  it('validate, whatever HTML stood in them', async () => {
    const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules: { 'no-raw-characters': 'off' } });
    await fc.assert(
      fc.asyncProperty(chapter, chapter, async (a, b) => {
        const body = htmlOf(of({ 'a.md': a, 'b.md': b })).join('\n');
        const { results } = await validator.validateString(
          `<!DOCTYPE html><html lang="en"><head><title>t</title></head><body>${body}</body></html>`,
        );
        expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual([]);
      }),
    );
  });

  it('are linked by path, by name and by heading; what is not among them is plain words', () => {
    const [first = ''] = htmlOf(
      of({
        'part/a.md':
          '[p](b.md) [h](b.md#the-answer) [[b]] [[b#The answer|n]] [own](#end) [out](c.md) [web](https://example.org/)\n\n## End',
        'part/b.md': '## The answer\n\n## The answer',
      }),
    );
    expect(placesIn(first)).toEqual(['chapter-2', 'c2-the-answer', 'chapter-2', 'c2-the-answer', 'c1-end']);
    expect(first).toContain('<a>out</a>');
    expect(first).toContain('href="https://example.org/"');
  });

  it('keep their footnotes apart', () => {
    const html = htmlOf(of({ 'a.md': 'x[^1]\n\n[^1]: one', 'b.md': 'y[^1]\n\n[^1]: two' }));
    expect(placesIn(html[0]!)).toEqual(['c1-fn-1', 'c1-fnref-1']);
    expect(placesIn(html[1]!)).toEqual(['c2-fn-1', 'c2-fnref-1']);
  });

  it('show nothing of the frontmatter, whose title and language they have', () => {
    const front = '---\ntitle: "The: Road"\nlang: es\nvmark:\n  id: 01998f2e-7c1a-7d2b-9c3d-4e5f60718293\n---\n# Other\n';
    const made = of({ 'a.md': '', 'b.md': front });
    expect([made.title, made.language]).toEqual(['The: Road', 'es']);
    expect(htmlOf(made).join()).not.toMatch(/vmark|01998f2e|Road/u);
    expect(of({ 'a.md': '---\ntitle: [broken\n---\n# *Own* words\n' })).toMatchObject({ title: 'Own words', language: null });
  });
});
