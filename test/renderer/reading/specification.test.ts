import { describe, expect, it } from 'vitest';
import { commonmarkExamples, type Example, gfmExamples, verdictOf } from './specification.ts';

/** Each section: how many examples, how many come out as written, how many as written but sanitised, and the numbers of the others. */
function table(examples: readonly Example[]): string[] {
  const sections = Map.groupBy(examples, ({ section }) => section);
  return [...sections].map(([section, some]) => {
    const verdicts = some.map(verdictOf);
    const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
    const others = some.filter((_, at) => verdicts[at] === 'other').map(({ example }) => example);
    return `${section}: ${some.length} = ${count('same')} same + ${count('sanitised')} sanitised${others.length === 0 ? '' : `; other ${others}`}`;
  });
}

// Every number behind `other` is named in docs/rendering.md.
describe('the reading view', () => {
  it('reads the examples of CommonMark as they are written', () => {
    expect(table(commonmarkExamples)).toMatchInlineSnapshot(`
      [
        "Tabs: 11 = 11 same + 0 sanitised",
        "Backslash escapes: 13 = 13 same + 0 sanitised",
        "Entity and numeric character references: 17 = 17 same + 0 sanitised",
        "Precedence: 1 = 1 same + 0 sanitised",
        "Thematic breaks: 19 = 19 same + 0 sanitised",
        "ATX headings: 18 = 18 same + 0 sanitised",
        "Setext headings: 27 = 25 same + 0 sanitised; other 96,98",
        "Indented code blocks: 12 = 12 same + 0 sanitised",
        "Fenced code blocks: 29 = 29 same + 0 sanitised",
        "HTML blocks: 44 = 26 same + 18 sanitised",
        "Link reference definitions: 27 = 26 same + 1 sanitised",
        "Paragraphs: 8 = 8 same + 0 sanitised",
        "Blank lines: 1 = 1 same + 0 sanitised",
        "Block quotes: 25 = 25 same + 0 sanitised",
        "List items: 48 = 48 same + 0 sanitised",
        "Lists: 26 = 24 same + 2 sanitised",
        "Inlines: 1 = 1 same + 0 sanitised",
        "Code spans: 22 = 22 same + 0 sanitised",
        "Emphasis and strong emphasis: 132 = 132 same + 0 sanitised",
        "Links: 90 = 84 same + 4 sanitised; other 548,559",
        "Images: 22 = 21 same + 0 sanitised; other 590",
        "Autolinks: 19 = 9 same + 5 sanitised; other 602,606,608,611,612",
        "Raw HTML: 20 = 10 same + 10 sanitised",
        "Hard line breaks: 15 = 15 same + 0 sanitised",
        "Soft line breaks: 2 = 2 same + 0 sanitised",
        "Textual content: 3 = 3 same + 0 sanitised",
      ]
    `);
  });

  it('reads the examples of GFM as they are written', () => {
    expect(table(gfmExamples)).toMatchInlineSnapshot(`
      [
        "Tables: 8 = 8 same + 0 sanitised",
        "Task list items: 2 = 2 same + 0 sanitised",
        "Strikethrough: 2 = 2 same + 0 sanitised",
        "Autolinks: 11 = 10 same + 0 sanitised; other 628",
        "Disallowed Raw HTML: 1 = 1 same + 0 sanitised",
      ]
    `);
  });
});
