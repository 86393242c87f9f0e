import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const view = (jsx: string) => `export function View({ a, b }) {\n  return ${jsx};\n}\n`;

const silent: Change[] = [
  ['parentheses and lines', 'function View', view('<p>{a}</p>'), view('(\n    <p>\n      {a}\n    </p>\n  )'), 'nothing'],
  [
    'text over lines',
    'function View',
    view('<p>one two <b>three</b></p>'),
    view('<p>\n  one\n  two <b>\n    three\n  </b>\n</p>'),
    'nothing',
  ],
  [
    'a space that a line break would lose',
    'function View',
    view('<p>one <b>two</b> three</p>'),
    view('<p>\n  one{" "}\n  <b>two</b>{\' \'}\n  three\n</p>'),
    'nothing',
  ],
  [
    'attributes over lines',
    'function View',
    view('<p id="x" hidden={a} {...b} />'),
    view("<p\n  id='x'\n  hidden={a}\n  {...b}\n/>"),
    'nothing',
  ],
  ['a string in braces', 'function View', view('<p id={"x"} />'), view('<p id="x" />'), 'nothing'],
  ['quotes of an attribute', 'function View', view(`<p id='say "x"' />`), view('<p id="say &quot;x&quot;" />'), 'nothing'],
  ['an element without children', 'function View', view('<p></p>'), view('<p />'), 'nothing'],
  ['a comment', 'function View', view('<p>{a}</p>'), view('<p>\n  {/* why */}\n  {a}\n</p>'), 'nothing'],
  ['a trailing comma for the parser', 'const id', 'const id = <T,>(x: T) => x;', 'const id = <T,>(\n  x: T,\n) => x', 'nothing'],
];

const changes: Change[] = [
  ['text', 'function View', view('<p>one two</p>'), view('<p>one too</p>'), 'body'],
  ['a space between elements', 'function View', view('<p><b /> <i /></p>'), view('<p><b /><i /></p>'), 'body'],
  ['two spaces', 'function View', view('<p>one two</p>'), view('<p>one  two</p>'), 'body'],
  ['an entity', 'function View', view('<p>a&nbsp;b</p>'), view('<p>a b</p>'), 'body'],
  ['text for a string', 'function View', view('<p>{"a"}</p>'), view('<p>{a}</p>'), 'body'],
  ['an attribute', 'function View', view('<p id="x" />'), view('<p id="y" />'), 'body'],
  ['the order of attributes', 'function View', view('<p {...a} id="y" />'), view('<p id="y" {...a} />'), 'body'],
  ['the element', 'function View', view('<p>{a}</p>'), view('<div>{a}</div>'), 'body'],
  ['a fragment', 'function View', view('<>{a}</>'), view('<p>{a}</p>'), 'body'],
  [
    'another name of a memo',
    'const Row',
    'const Row = memo(function Inner({ id }) { return <li key={id} />; });',
    'const ListRow = memo(function Inner({ id }) { return <li key={id} />; });',
    'nothing',
    'const ListRow',
  ],
  [
    'another name of a component that uses itself',
    'const Tree',
    'const Tree = (p) => <ul><Tree {...p} /></ul>;',
    'const Leaf = (p) => <ul><Leaf {...p} /></ul>;',
    'nothing',
    'const Leaf',
  ],
  ['export', 'function View', view('<p />'), view('<p />').replace('export ', ''), 'visibility'],
  [
    'another name for a parameter',
    'const f',
    'const f = (a: number) => <p>{a}</p>;',
    'const f = (b: number) => <p>{b}</p>;',
    'body and signature',
  ],
];

describe('TSX', () => {
  describe('formatting is silent', () => testChanges('a.tsx', silent));
  describe('a change of meaning is not', () => testChanges('a.tsx', changes));

  it('finds components and their types', async () => {
    const text = 'type Props = { a: string };\nexport const Legend = () => <ul />;\nexport default function () { return <p />; }\n';
    expect(namesIn(await parseText('a.tsx', text))).toEqual(['type Props', 'const Legend', 'function default']);
  });

  it('hashes the same code alike in TypeScript', async () => {
    const text = 'export class A<T> { m(a: T): void { this.m(a as T); } }\n';
    const [one, two] = [await parseText('a.ts', text), await parseText('a.tsx', text)];
    expect(one.declarations.map(({ tokenHash }) => tokenHash)).toEqual(two.declarations.map(({ tokenHash }) => tokenHash));
  });
});
