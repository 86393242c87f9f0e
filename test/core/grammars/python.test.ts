import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const f = (...lines: string[]) => `def f(a, b=1):\n${lines.map((line) => `    ${line}\n`).join('')}`;

const silent: Change[] = [
  ['a comment', 'def f', f('return a'), f('# why', 'return a  # here'), 'nothing'],
  ['documentation', 'def f', f('"""Old."""', 'return a'), f('"""New,', '', 'and longer."""', 'return a'), 'nothing'],
  ['black: quotes and prefixes', 'def f', f(`return g('a', U'b', F'{a}', "it's")`), f(`return g("a", "b", f"{a}", 'it\\'s')`), 'nothing'],
  ['black: wrapping', 'def f', f('return g(a, b, c=1)'), f('return g(', '    a,', '    b,', '    c=1,', ')'), 'nothing'],
  ['black: parentheses', 'def f', f('x = a + b', 'return x'), f('x = (', '    a + b', ')', 'return (x)'), 'nothing'],
  [
    'black: parentheses of a tuple',
    'def f',
    f('for (x, y) in a: pass', 'return (x, y)'),
    f('for x, y in a:', '    pass', 'return x, y'),
    'nothing',
  ],
  ['black: parentheses of a target', 'def f', f('a.x = b.y = 1'), f('a.x = (', '    b.y', ') = 1'), 'nothing'],
  [
    'black: managers',
    'def f',
    f('with open(a) as x, open(b):', '    pass'),
    f('with (', '    open(a) as x,', '    open(b),', '):', '    pass'),
    'nothing',
  ],
  ['black: an import inside', 'def f', f('from x import y, z'), f('from x import (', '    y,', '    z,', ')'), 'nothing'],
  ['black: statements on a line', 'def f', f('x = 1; y = 2'), f('x = 1', 'y = 2'), 'nothing'],
  ['black: numbers', 'def f', f('return g(0XAB, 1E5, 10J, 1_000)'), f('return g(0xab, 1e5, 10j, 1000)'), 'nothing'],
  ['a line continued', 'def f', f('return a + \\', '    b'), f('return a + b'), 'nothing'],
  ['strings side by side', 'def f', f("return g('a' 'b')"), f('return g(', "    'a'", "    'b'", ')'), 'nothing'],
  ['strings joined', 'def f', f("return g('a' 'b')"), f("return g('ab')"), 'nothing'],
  ['an empty list of bases', 'class A', 'class A():\n    x = 1\n', 'class A:\n    x = 1\n', 'nothing'],
  ['tabs', 'def f', 'def f(a):\n    if a:\n        return 1\n', 'def f(a):\n\tif a:\n\t\treturn 1\n', 'nothing'],
];

const changes: Change[] = [
  ['an edit', 'def f', f('return a'), f('return b'), 'body'],
  ['the block of a statement', 'def f', f('if a:', '    g()', '    h()'), f('if a:', '    g()', 'h()'), 'body'],
  ['a string for a name', 'def f', f("g('mode')"), f('g(mode)'), 'body'],
  ['bytes for a string', 'def f', f("g('a')"), f("g(b'a')"), 'body'],
  ['a raw string', 'def f', f(String.raw`g('\n')`), f(String.raw`g(r'\n')`), 'body'],
  ['a tuple of one', 'def f', f('return (a,)'), f('return (a)'), 'body'],
  ['an index that is a tuple', 'def f', f('return a[b,]'), f('return a[b]'), 'body'],
  ['a value in a string', 'def f', f("return f'{a}'"), f("return f'{b}'"), 'body'],
  ['a default', 'def f', f('return a'), f('return a').replace('b=1', 'b=2'), 'signature'],
  ['a keyword-only parameter', 'def f', f('return a'), f('return a').replace('a, b', 'a, *, b'), 'signature'],
  ['an annotation', 'def f', f('return a'), f('return a').replace('):', ') -> int:'), 'signature'],
  ['async', 'def f', f('return a'), `async ${f('return a')}`, 'signature'],
  ['a decorator', 'def f', `@get("/a")\n${f('return a')}`, `@get("/b")\n${f('return a')}`, 'signature'],
  ['a base class', 'class A', 'class A(B): pass\n', 'class A(C): pass\n', 'signature'],
  ['another name', 'def f', f('return f(a - 1)'), f('return f(a - 1)').replaceAll('f(a', 'g(a'), 'nothing', 'def g'],
  ['a value', 'variable LIMIT', 'LIMIT = 3\n', 'LIMIT = 4\n', 'body'],
  [
    'a sibling',
    'def A.m',
    'class A:\n    def m(self): return 1\n    def n(self): return 1\n',
    'class A:\n    def m(self): return 1\n    def n(self): return 2\n',
    'nothing',
  ],
  ['removed', 'def f', f('return a'), 'x = 1\n', 'gone'],
  [
    'a function out of a class',
    'def A.m',
    'class A:\n    def m(self, a):\n        return a * 2\n',
    'def m(self, a):\n    return a * 2\n',
    'nothing',
    'def m',
  ],
];

describe('Python', () => {
  describe('formatting is silent', () => testChanges('a.py', silent));
  describe('a change of meaning is not', () => testChanges('a.pyi', changes));

  it('names members, accessors and what stands under a condition', async () => {
    const text = `LIMIT: int = 3
a, b = 1, 2
class A(B):
    x: int
    @property
    def v(self): return 1
    @v.setter
    def v(self, n): pass
    @overload
    def o(self, a: int) -> int: ...
    @overload
    def o(self, a: str) -> str: ...
    def o(self, a): return a
    class In:
        async def g(self): pass
if TYPE_CHECKING:
    def h(): pass
else:
    def h(): return 1
try:
    import q
except ImportError:
    q = None
type T = int | str
`;
    const parsed = await parseText('a.py', text);
    expect(namesIn(parsed)).toEqual([
      'variable LIMIT',
      'class A',
      'attribute A.x',
      'getter A.v',
      'setter A.v',
      'def A.o',
      'class A.In',
      'def A.In.g',
      'def h',
      'def h#2',
      'variable q',
      'type T',
    ]);
    expect(parsed.declarations[5]).toMatchObject({ lineStart: 9, lineEnd: 13 });
  });

  it('goes on behind what it cannot read', async () => {
    const parsed = await parseText('a.py', 'def f():\n    return 1\n\ndef g(:\n    return ((\n\ndef h():\n    return 2\n');
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(parsed.declarations.find(({ baseName }) => baseName === 'f')?.damaged).toBe(false);
  });
});
