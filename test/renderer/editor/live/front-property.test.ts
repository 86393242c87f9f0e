import { EditorState, Text } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  addItem,
  addProperty,
  type Change,
  propertiesOf,
  removeItem,
  removeProperty,
  setText,
} from '#renderer/editor/live/front-property.ts';

const docOf = (source: string) => Text.of(source.split('\n'));
const framed = (yaml: string) => `---\n${yaml}\n---\nBody: text\n`;
const yamlOf = (source: string) => parse(source.slice(4, source.indexOf('\n---\n', 3)), { schema: 'core' }) as Record<string, unknown>;
const apply = (source: string, change: Change | null) =>
  change === null ? source : EditorState.create({ doc: source }).update({ changes: change }).state.doc.toString();

describe('the properties of a frontmatter', () => {
  it('are none without one, and what its lines say', () => {
    expect(propertiesOf(docOf('# A\n'))).toBeNull();
    const source = framed(
      'title: The Ferry # here\nquoted: "a \\"b\\""\nsingle: \'it\'\'s\'\ndone: false\ntags: [a, "b c"]\nlist:\n  - x\n  - y\nbare:\n- z\nempty:\nvmark:\n  id: x\nnested:\n  a: 1\nlong: |\n  text\nmap: {a: 1}\n# a comment\nurl: https://a.b',
    );
    const shown = propertiesOf(docOf(source))!.map(({ key, value }) => {
      if (value.kind === 'text' || value.kind === 'raw') return [key, value.kind, value.text];
      return [key, value.kind, value.kind === 'flag' ? value.isOn : value.items.map(({ text }) => text)];
    });
    expect(shown).toEqual([
      ['title', 'text', 'The Ferry'],
      ['quoted', 'text', 'a "b"'],
      ['single', 'text', "it's"],
      ['done', 'flag', false],
      ['tags', 'list', ['a', 'b c']],
      ['list', 'list', ['x', 'y']],
      ['bare', 'list', ['z']],
      ['empty', 'text', ''],
      ['nested', 'raw', 'a: 1'],
      ['long', 'raw', '|\n  text'],
      ['map', 'raw', '{a: 1}'],
      ['url', 'text', 'https://a.b'],
    ]);
  });

  const word = fc.constantFrom(
    'plain',
    'two words',
    "it's",
    'say "x"',
    'a: b',
    '# no',
    '- dash',
    '[x',
    'käse',
    '日本',
    'a, b',
    '',
    ' lead',
    '\\back',
    '{',
    '*a',
    '@b',
    '%',
    'x #y',
    '---',
    "'q'",
  );
  const line = fc.oneof(
    fc.tuple(fc.constant('text'), word).map(([, text]) => JSON.stringify(text)),
    fc.constantFrom('plain', "'single'", '"double"', '', 'x   # comment', '2024-01-02'),
  );
  const source = fc
    .array(line, { minLength: 1, maxLength: 5 })
    .map((values) => framed(values.map((value, at) => `key${at}: ${value}`.trimEnd()).join('\n')));

  it('say what was written into them, as YAML reads it, and no other line changes', () => {
    fc.assert(
      fc.property(source, fc.nat(), word, (before, pick, text) => {
        const properties = propertiesOf(docOf(before))!;
        const at = pick % properties.length;
        const { value, key } = properties[at]!;
        if (value.kind !== 'text') return;
        const after = apply(before, setText(docOf(before), value, text));
        expect(String(yamlOf(after)[key] ?? '')).toBe(text);
        const [was, is] = [before.split('\n'), after.split('\n')];
        expect(is.length).toBe(was.length);
        expect(is.toSpliced(at + 1, 1)).toEqual(was.toSpliced(at + 1, 1));
        expect(propertiesOf(docOf(after))![at]!.value).toMatchObject({ kind: 'text', text });
      }),
      { numRuns: 500 },
    );
  });

  it('that are lists get items and lose them, each in its own way', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b c', '"q, r"', "'s'"), { maxLength: 4 }),
        fc.boolean(),
        fc.nat(),
        word,
        (items, isFlow, pick, text) => {
          if (text === '' || (items.length === 0 && !isFlow)) return;
          const before = framed(
            `first: 1\ntags:${isFlow ? ` [${items.join(', ')}]` : items.map((item) => `\n  - ${item}`).join('')}\nlast: 2`,
          );
          const tags = () => propertiesOf(docOf(before))!.find(({ key }) => key === 'tags')!;
          const was = (yamlOf(before).tags as string[] | null) ?? [];
          const more = yamlOf(apply(before, addItem(tags(), text)));
          expect(more).toEqual({ first: 1, tags: [...was, text], last: 2 });
          if (items.length === 0) return;
          const at = pick % items.length;
          const less = yamlOf(apply(before, removeItem(docOf(before), tags(), at)));
          expect(less.tags ?? []).toEqual(was.toSpliced(at, 1));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are added before the closing fence and removed with their lines', () => {
    const before = framed('a: 1\nb:\n  - x');
    expect(apply(before, addProperty(docOf(before), 'new one'))).toBe(framed('a: 1\nb:\n  - x\nnew one:'));
    for (const name of ['a', 'vmark', '', 'x: y', '- z', '#']) expect(addProperty(docOf(before), name)).toBeNull();
    expect(apply(before, removeProperty(propertiesOf(docOf(before))![1]!))).toBe(framed('a: 1'));
  });
});
