import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const m = (body: string, head = 'public int f(int a, String b)') => `class A {\n  ${head} {\n${body}\n  }\n}\n`;
const of = 'method A.f(int, String)';

const silent: Change[] = [
  ['a comment', of, m('return a;'), m('// why\nreturn a; /* here */'), 'nothing'],
  ['a doc comment', of, m('return a;'), m('return a;').replace('public', '/** New. */\n  public'), 'nothing'],
  [
    'wrapping and braces',
    of,
    m('return g(a, b);'),
    'class A\n{\n    public int f(\n            int a,\n            String b)\n    {\n        return g(\n                a,\n                b);\n    }\n}\n',
    'nothing',
  ],
  [
    'google-java-format: the order of modifiers',
    of,
    m('return a;', 'final static public int f(int a, String b)'),
    m('return a;', 'public static final int f(int a, String b)'),
    'nothing',
  ],
  [
    'an annotation on a line of its own',
    of,
    m('return a;', '@Get("/a") @Override public int f(int a, String b)'),
    m('return a;', '@Get("/a")\n  @Override\n  public int f(int a, String b)'),
    'nothing',
  ],
  ['parentheses', of, m('return (a) + (b.length());'), m('return a + b.length();'), 'nothing'],
  ['parentheses of a lambda', of, m('return g((x) -> x + 1);'), m('return g(x -> x + 1);'), 'nothing'],
  ['a stray semicolon', 'class A', 'class A { int x; ; }', 'class A { int x; }', 'nothing'],
  ['what ends the constants', 'enum E', 'enum E { A, B; }', 'enum E {\n  A,\n  B,\n}', 'nothing'],
  ['a trailing comma', 'field A.x', 'class A { int[] x = {1, 2}; }', 'class A { int[] x = {\n  1,\n  2,\n}; }', 'nothing'],
  ['how a number is written', 'field A.x', 'class A { long x = 1_000L + 0XFF; }', 'class A { long x = 1000l + 0xff; }', 'nothing'],
  [
    'the indentation of a text block',
    of,
    m('return g("""\n      a\n        b\n      """);'),
    m('    return g("""\n            a\n              b\n            """);'),
    'nothing',
  ],
];

const changes: Change[] = [
  ['an edit', of, m('return a;'), m('return a + 1;'), 'body'],
  ['a string for a name', of, m('g("mode");'), m('g(mode);'), 'body'],
  ['which part of a for', of, m('for (; g(); ) h();'), m('for (; ; g()) h();'), 'body'],
  ['a text block', of, m('return g("""\n      a\n      """);'), m('return g("""\n      a""");'), 'body'],
  ['a parameter name', of, m('return 1;'), m('return 1;', 'public int f(int c, String b)'), 'signature'],
  ['a return type', of, m('return a;'), m('return a;', 'public long f(int a, String b)'), 'signature'],
  ['static', of, m('return a;'), m('return a;', 'public static int f(int a, String b)'), 'signature'],
  ['what it throws', of, m('return a;'), m('return a;', 'public int f(int a, String b) throws E'), 'signature'],
  [
    'an annotation',
    of,
    m('return a;', '@Get("/a") public int f(int a, String b)'),
    m('return a;', '@Get("/b") public int f(int a, String b)'),
    'signature',
  ],
  ['visibility', of, m('return a;'), m('return a;', 'private int f(int a, String b)'), 'visibility'],
  ['a base class', 'class A', 'class A extends B {}', 'class A extends C {}', 'signature'],
  ['a parameter type', of, m('return a;'), m('return a;', 'public int f(long a, String b)'), 'gone'],
  [
    'another name',
    of,
    m('return f(a - 1, b) + this.f(1, b);'),
    m('return g(a - 1, b) + this.g(1, b);', 'public int g(int a, String b)'),
    'nothing',
    'method A.g(int, String)',
  ],
  [
    'another name of the class',
    'constructor A.A(int)',
    'class A { A(int x) { A.y = x; } }',
    'class B { B(int x) { B.y = x; } }',
    'nothing',
    'constructor B.B(int)',
  ],
  ['an overload beside it', of, m('return a;'), m('return a;').replace('class A {', 'class A { int f(int a) { return 2; }'), 'nothing'],
  ['removed', of, m('return a;'), 'class A {}', 'gone'],
];

describe('Java', () => {
  describe('formatting is silent', () => testChanges('A.java', silent));
  describe('a change of meaning is not', () => testChanges('A.java', changes));

  it('names types and members, methods by the types of their parameters', async () => {
    const text = `package a;
public class Dial<T> {
  private int a = 1, b[] = {1};
  Dial(int x, String... s) {}
  <K> List<K> foo(final int a, @Nullable Map<String,Integer> m, int[] z) { return null; }
  void foo() {}
  static { f(); }
  class Inner { void go() {} }
}
interface I { int X = 1; default void m() {} }
enum E { A(1), B { void x() {} }; int v; E(int v) {} }
record R(int x) { R { } static int q() { return 1; } }
@interface An { String value() default "x"; }
`;
    expect(namesIn(await parseText('A.java', text))).toEqual([
      'class Dial',
      'field Dial.a',
      'field Dial.b',
      'constructor Dial.Dial(int, String...)',
      'method Dial.foo(int, Map<String, Integer>, int[])',
      'method Dial.foo()',
      'class Dial.Inner',
      'method Dial.Inner.go()',
      'interface I',
      'field I.X',
      'method I.m()',
      'enum E',
      'constant E.A',
      'constant E.B',
      'method E.B.x()',
      'field E.v',
      'constructor E.E(int)',
      'record R',
      'constructor R.R',
      'method R.q()',
      '@interface An',
      'method An.value()',
    ]);
  });

  it('goes on behind what it cannot read', async () => {
    const parsed = await parseText('A.java', 'class A { int f() { return 1; } int g() { return ((; } int h() { return 2; } }');
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(parsed.declarations.find(({ baseName }) => baseName === 'f')?.damaged).toBe(false);
  });
});
