import { describe, expect, it } from 'vitest';
import { useDesk } from './desk.ts';

/** What is typed, `⏎` for Enter and `⇥` for Tab, and the source that stands there then; without one it is what was typed. */
const constructs: Readonly<Record<string, readonly [typed: string, source?: string]>> = {
  heading: ['## A heading⏎⏎text', '## A heading\n\ntext'],
  underlined: ['A heading⏎===⏎text', 'A heading\n===\ntext'],
  emphasis: ['some *soft* words'],
  strong: ['some **loud** words'],
  both: ['some ***loud*** words'],
  struck: ['some ~~gone~~ words'],
  highlight: ['some ==marked== words'],
  code: ['some `code` here'],
  link: ['a [word](b.md) here'],
  autolink: ['at <https://a.example> here'],
  address: ['at https://a.example/b here'],
  wikilink: ['a [[b|word]] here'],
  embed: ['a ![[dot.svg]] here'],
  picture: ['a ![alt](dot.svg) here'],
  escape: ['not \\*soft\\* here'],
  tag: ['about #boats here'],
  footnote: ['called[^a] here⏎⏎[^a]: said', 'called[^a] here\n\n[^a]: said'],
  bullets: ['- one⏎two⏎⏎out', '- one\n- two\n\nout'],
  inner: ['- one⏎⇥inner⏎⏎two', '- one\n  - inner\n- two'],
  numbers: ['1. one⏎two⏎⏎out', '1. one\n2. two\n\nout'],
  tasks: ['- [ ] one⏎two', '- [ ] one\n- [ ] two'],
  quote: ['> said⏎more⏎⏎out', '> said\n> more\n\nout'],
  callout: ['> [!note] Title⏎body⏎⏎out', '> [!note] Title\n> body\n\nout'],
  rule: ['a⏎⏎***⏎⏎b', 'a\n\n***\n\nb'],
  fence: ['```⏎let a⏎```⏎⏎out', '```\nlet a\n```\n\nout'],
  'code of a language': ['```js⏎let a⏎```⏎⏎out', '```js\nlet a\n```\n\nout'],
  formula: ['where $x^2$ is'],
  'formula in lines': ['$$⏎x^2⏎$$⏎⏎out', '$$\nx^2\n$$\n\nout'],
  diagram: ['```mermaid⏎graph LR⏎A --> B⏎```⏎⏎out', '```mermaid\ngraph LR\nA --> B\n```\n\nout'],
  table: ['| a | b |⏎| - | - |⏎| 1 | 2 |⏎⏎out', '| a | b |\n| - | - |\n| 1 | 2 |\n\nout'],
  front: ['---⏎title: T⏎---⏎⏎text', '---\ntitle: T\n---\n\ntext'],
  html: ['a <b>word</b> here'],
  'right to left': ['שלום **עולם** סוף'],
  signs: ['👩‍👩‍👧 e\u0301 **🏳️‍🌈** 東'],
};

describe('what is typed in live preview', () => {
  const desk = useDesk(Object.keys(constructs).length, {
    'b.md': '# B\n',
    'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><rect width="9" height="9"/></svg>',
  });
  const now = () => desk.book.text(desk.path);
  /** Presses a key until the source is this; all that it was on the way. */
  const stepsTo = async (key: string, wanted: string): Promise<string[]> => {
    const steps = [now()];
    while (steps.at(-1) !== wanted && steps.length < 100) {
      await desk.press(key);
      const saved = async () => {
        await desk.press('ControlOrMeta+S');
        return now();
      };
      await expect.poll(saved).not.toBe(steps.at(-1));
      steps.push(now());
    }
    return steps;
  };

  it.each(Object.entries(constructs))(
    'is its source, goes away step by step, and comes back by the same: %s',
    async (_, [typed, source]) => {
      const asked: string[] = [];
      desk.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      for (const part of typed.split(/(?=[⏎⇥])|(?<=[⏎⇥])/u)) {
        if (part === '⏎') await desk.press('Enter');
        else if (part === '⇥') await desk.press('Tab');
        else await desk.type(part);
      }
      const wanted = source ?? typed;
      await desk.written(wanted);
      const back = await stepsTo('ControlOrMeta+Z', '');
      expect(back.at(-1)).toBe('');
      expect(await stepsTo('ControlOrMeta+Y', wanted)).toEqual(back.toReversed());
      // Of a picture that is typed nothing is asked for but the whole name.
      expect(asked.filter((path) => path.startsWith('/file/') && !path.endsWith('/dot.svg'))).toEqual([]);
    },
  );
});
