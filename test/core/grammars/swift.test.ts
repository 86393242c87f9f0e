import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const f = (body: string, head = 'func f(to a: Int, _ b: String) -> Int') => `${head} {\n${body}\n}\n`;
const of = 'func f(to:_:)';

const silent: Change[] = [
  ['a comment', of, f('return a'), f('// why\nreturn a /* here */'), 'nothing'],
  ['a doc comment', of, f('return a'), `/// New.\n${f('return a')}`, 'nothing'],
  [
    'swift-format: wrapping',
    of,
    f('return g(a, b)'),
    'func f(\n  to a: Int,\n  _ b: String\n) -> Int {\n  return g(\n    a,\n    b\n  )\n}\n',
    'nothing',
  ],
  ['swift-format: trailing commas', of, f('return [a, b].count'), f('return [\n  a,\n  b,\n].count'), 'nothing'],
  ['swift-format: semicolons', of, f('let x = a; return x;'), f('let x = a\nreturn x'), 'nothing'],
  [
    'swift-format: parentheses of a condition',
    of,
    f('if (a > 1) { return 1 }\nreturn 2'),
    f('if a > 1 {\n  return 1\n}\nreturn 2'),
    'nothing',
  ],
  ['swift-format: a trailing closure', of, f('return g() { $0 }'), f('return g { $0 }'), 'nothing'],
  ['how a number is written', of, f('return 1000000 + 0xFF'), f('return 1_000_000 + 0xff'), 'nothing'],
  [
    'the indentation of a text',
    of,
    f('return g("""\n  a \\(b)\n    c\n  """)'),
    f('    return g("""\n      a \\(b)\n        c\n      """)'),
    'nothing',
  ],
  ['an attribute on a line of its own', of, `@objc ${f('return a')}`, `@objc\n${f('return a')}`, 'nothing'],
  ['internal', of, f('return a'), `internal ${f('return a')}`, 'nothing'],
  ['several names', 'let b', 'let a = 1, b = 2\n', 'let a = 1,\n    b = 2\n', 'nothing'],
];

const changes: Change[] = [
  ['an edit', of, f('return a'), f('return a + 1'), 'body'],
  ['a string for a name', of, f('g("mode")'), f('g(mode)'), 'body'],
  ['a label of a call', of, f('g(x: a)'), f('g(y: a)'), 'body'],
  ['text', of, f('return g("a\\(b)c")'), f('return g("a\\(b) c")'), 'body'],
  ['a tuple', of, f('return (a, b)'), f('return (b, a)'), 'body'],
  ['a parameter type', of, f('return a'), f('return a', 'func f(to a: Int64, _ b: String) -> Int'), 'signature'],
  ['an inner name', of, f('return 1'), f('return 1', 'func f(to c: Int, _ b: String) -> Int'), 'signature'],
  ['throws', of, f('return a'), f('return a', 'func f(to a: Int, _ b: String) throws -> Int'), 'signature'],
  ['an attribute', of, `@objc ${f('return a')}`, `@inlinable ${f('return a')}`, 'signature'],
  ['visibility', of, f('return a'), `public ${f('return a')}`, 'visibility'],
  ['a label', of, f('return 1'), f('return 1', 'func f(from a: Int, _ b: String) -> Int'), 'gone'],
  ['a getter', 'var A.y', 'struct A {\n  var y: Int { 1 }\n}\n', 'struct A {\n  var y: Int { 2 }\n}\n', 'body'],
  ['an observer', 'var A.y', 'struct A {\n  var y = 1 { didSet { f() } }\n}\n', 'struct A {\n  var y = 1 { didSet { g() } }\n}\n', 'body'],
  ['a protocol', 'class A', 'class A: B {}\n', 'class A: C {}\n', 'signature'],
  [
    'another name',
    of,
    f('return f(to: a, b)'),
    f('return g(to: a, b)', 'func g(to a: Int, _ b: String) -> Int'),
    'nothing',
    'func g(to:_:)',
  ],
  [
    'another name of a method',
    'func A.f()',
    'struct A {\n  func f() { self.f() }\n}\n',
    'struct A {\n  func g() { self.g() }\n}\n',
    'nothing',
    'func A.g()',
  ],
  [
    'another name of the type',
    'func A.f()',
    'struct A {\n  func f() -> A { A() }\n}\n',
    'struct B {\n  func f() -> B { B() }\n}\n',
    'nothing',
    'func B.f()',
  ],
  ['a member in an extension', 'func A.f()', 'struct A {\n  func f() { g() }\n}\n', 'extension A {\n  func f() { g() }\n}\n', 'nothing'],
  [
    'a sibling',
    'func A.f()',
    'struct A {\n  func f() { 1 }\n  func g() { 1 }\n}\n',
    'struct A {\n  func f() { 1 }\n  func g() { 2 }\n}\n',
    'nothing',
  ],
  ['removed', of, f('return a'), 'let x = 1\n', 'gone'],
];

describe('Swift', () => {
  describe('formatting is silent', () => testChanges('A.swift', silent));
  describe('a change of meaning is not', () => testChanges('A.swift', changes));

  it('names members to any depth, functions by their labels', async () => {
    const text = `public final class Arm<T>: Base where T: Q {
  let a = 1, b = 2
  private(set) var x: Int = 3
  func move(to angle: Double, _ k: Int = 2, raw: String...) -> Double { angle }
  init?(from s: String) { x = 1 }
  init(_ n: Int) { x = n }
  deinit { f() }
  subscript(row: Int, col c: Int) -> Double { 1 }
  typealias K = Int
  class Inner { func go(step: Int) {} }
}
extension Arm: Codable { func foo() {} }
enum E: String { case a = "x", b; case c(Int, name: String) }
protocol S { associatedtype A; var n: String { get }; func m(every s: Int) -> Double }
actor Z { }
let (l, r) = t
`;
    expect(namesIn(await parseText('A.swift', text))).toEqual([
      'class Arm',
      'let Arm.a',
      'let Arm.b',
      'var Arm.x',
      'func Arm.move(to:_:raw:)',
      'init Arm.init(from:)',
      'init Arm.init(_:)',
      'deinit Arm.deinit',
      'subscript Arm.subscript(row:col:)',
      'typealias Arm.K',
      'class Arm.Inner',
      'func Arm.Inner.go(step:)',
      'extension Arm',
      'func Arm.foo()',
      'enum E',
      'case E.a',
      'case E.b',
      'case E.c',
      'protocol S',
      'associatedtype S.A',
      'var S.n',
      'func S.m(every:)',
      'actor Z',
    ]);
  });

  it('tells functions apart by types where labels do not', async () => {
    const parsed = await parseText('A.swift', 'func f(_ a: Int) {}\nfunc f(_ a: String) {}\n');
    expect(namesIn(parsed)).toEqual(['func f(_: Int)', 'func f(_: String)']);
  });

  it('reads a file alike whatever was read before it', async () => {
    const text = 'let a = 1\nfunc f() -> String { "x\\(a)y" }\n';
    const before = await parseText('A.swift', text);
    await parseText('B.swift', 'let s = #"raw "# + ##"open \\##(');
    expect(await parseText('A.swift', text)).toEqual(before);
  });

  it('takes attributes with nothing between their parentheses for sound', async () => {
    const parsed = await parseText('A.swift', 'struct A {\n  @Option() var name: String\n}\n');
    expect(parsed.parseErrors).toBe(0);
    expect(namesIn(parsed)).toEqual(['struct A', 'var A.name']);
  });

  it('goes on behind what it cannot read', async () => {
    const parsed = await parseText('A.swift', 'func f() -> Int { 1 }\n\nfunc g() { let = ((  }\n\nfunc h() -> Int { 2 }\n');
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(parsed.declarations.find(({ baseName }) => baseName === 'f')?.damaged).toBe(false);
  });
});
