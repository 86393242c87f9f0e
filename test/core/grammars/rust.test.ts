import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const f = (body: string, head = 'pub fn f(a: i32, b: &str) -> i32') => `${head} {\n${body}\n}\n`;

const silent: Change[] = [
  ['a comment', 'fn f', f('a + 1'), f('// why\na /* here */ + 1'), 'nothing'],
  ['documentation', 'fn f', f('a'), `/// New.\n${f('a')}`, 'nothing'],
  [
    'rustfmt: wrapping',
    'fn f',
    f('g(a, b)'),
    'pub fn f(\n    a: i32,\n    b: &str,\n) -> i32 {\n    g(\n        a,\n        b,\n    )\n}\n',
    'nothing',
  ],
  [
    'rustfmt: the block of an arm',
    'fn f',
    f('match a { 1 | 2 => { g() } _ => h(), }'),
    f('match a {\n    1 | 2 => g(),\n    _ => {\n        h()\n    }\n}'),
    'nothing',
  ],
  [
    'rustfmt: a bar before the first',
    'fn f',
    f('match a { | 1 | 2 => g(), _ => h() }'),
    f('match a { 1 | 2 => g(), _ => h() }'),
    'nothing',
  ],
  ['rustfmt: the block of a closure', 'fn f', f('g(|x| { x + 1 })'), f('g(|x| x + 1)'), 'nothing'],
  ['rustfmt: a semicolon after return', 'fn f', f('return a'), f('return a;'), 'nothing'],
  ['rustfmt: parentheses', 'fn f', f('if (a > 1) { ((a)) } else { 2 }'), f('if a > 1 { a } else { 2 }'), 'nothing'],
  ['rustfmt: macros', 'fn f', f('vec![a, b].len()'), f('vec![\n    a,\n    b,\n].len()'), 'nothing'],
  ['rustfmt: arrays', 'fn f', f('[a, b].len()'), f('[\n    a,\n    b,\n].len()'), 'nothing'],
  [
    'rustfmt: imports',
    'mod m',
    'mod m { use b::{d, c}; use a::x; fn q() {} }',
    'mod m {\n    use a::x;\n    use b::{c, d};\n    fn q() {}\n}',
    'nothing',
  ],
  [
    'rustfmt: derives',
    'struct A',
    '#[derive(Debug)]\n#[derive(Clone)]\nstruct A { x: i32 }',
    '#[derive(Debug, Clone)]\nstruct A {\n    x: i32,\n}',
    'nothing',
  ],
  ['how a number is written', 'const C', 'const C: u32 = 0xFF_FF;', 'const C: u32 = 0xffff;', 'nothing'],
];

const changes: Change[] = [
  ['an edit', 'fn f', f('a + 1'), f('a + 2'), 'body'],
  ['a value at the end', 'fn f', f('g(a)'), f('g(a);'), 'body'],
  ['a string for a name', 'fn f', f('g("mode")'), f('g(mode)'), 'body'],
  ['bytes for a string', 'fn f', f('g("a")'), f('g(b"a")'), 'body'],
  ['an array of copies', 'fn f', f('[a; 3]'), f('[a, 3]'), 'body'],
  ['a tuple of one', 'fn f', f('g((a,))'), f('g((a))'), 'body'],
  ['a pattern', 'fn f', f('match a { 1 => 1, _ => 2 }'), f('match a { 2 => 1, _ => 2 }'), 'body'],
  ['what a macro is given', 'fn f', f('p!("{} {}", a, b)'), f('p!("{} {}", b, a)'), 'body'],
  ['a parameter type', 'fn f', f('a'), f('a', 'pub fn f(a: i64, b: &str) -> i32'), 'signature'],
  ['a lifetime', 'fn f', f('a', "fn f<'a>(x: &'a str)"), f('a', "fn f<'a>(x: &'a mut str)"), 'signature'],
  ['unsafe', 'fn f', f('a'), f('a', 'pub unsafe fn f(a: i32, b: &str) -> i32'), 'signature'],
  ['visibility', 'fn f', f('a'), f('a', 'pub(crate) fn f(a: i32, b: &str) -> i32'), 'visibility'],
  ['an attribute', 'fn f', `#[inline]\n${f('a')}`, `#[cold]\n${f('a')}`, 'signature'],
  ['a derive', 'struct A', '#[derive(Debug)] struct A;', '#[derive(Clone)] struct A;', 'signature'],
  ['a bound', 'struct A', 'struct A<T: B> { x: T }', 'struct A<T: C> { x: T }', 'signature'],
  ['a variant', 'variant E.A', 'enum E { A(i32) }', 'enum E { A(i64) }', 'body'],
  ['another name', 'fn f', 'fn f(n: u8) -> u8 { f(n - 1) }', 'fn g(n: u8) -> u8 { g(n - 1) }', 'nothing', 'fn g'],
  ['another name of a method', 'fn A.f', 'impl A { fn f(&self) { self.f() } }', 'impl A { fn g(&self) { self.g() } }', 'nothing', 'fn A.g'],
  ['another name of the type', 'fn A.f', 'impl A { fn f() -> A { A::g() } }', 'impl B { fn f() -> B { B::g() } }', 'nothing', 'fn B.f'],
  ['a sibling', 'fn A.f', 'impl A { fn f() {} fn g() {} }', 'impl A { fn f() {} fn g() { 1 } }', 'nothing'],
  ['removed', 'fn f', f('a'), 'fn g() {}', 'gone'],
];

describe('Rust', () => {
  describe('formatting is silent', () => testChanges('a.rs', silent));
  describe('a change of meaning is not', () => testChanges('a.rs', changes));

  it('names items, members and what implements what', async () => {
    const text = `pub struct A<T> { pub x: i32, y: T }
pub struct P(i32);
enum E { A, B(i32), C { x: i32 } }
impl<T: B> A<T> { const K: i32 = 1; fn new() {} }
impl<T> fmt::Display for A<T> { type Out = i32; fn fmt(&self) {} }
impl From<u8> for A<u8> { fn from(x: u8) {} }
impl From<u16> for A<u8> { fn from(x: u16) {} }
trait Tr: S { fn m(&self); fn d(&self) {} const C: i32; type T; }
mod m { pub fn q() {} }
macro_rules! mac { ($x:expr) => { $x }; }
static S: i32 = 2;
type Al = Vec<i32>;
extern "C" { fn c(x: i32); }
`;
    expect(namesIn(await parseText('a.rs', text))).toEqual([
      'struct A',
      'field A.x',
      'field A.y',
      'struct P',
      'enum E',
      'variant E.A',
      'variant E.B',
      'variant E.C',
      'field E.C.x',
      'impl A',
      'const A.K',
      'fn A.new',
      'impl fmt::Display for A<T>',
      'type fmt::Display for A<T>.Out',
      'fn fmt::Display for A<T>.fmt',
      'impl From<u8> for A<u8>',
      'fn From<u8> for A<u8>.from',
      'impl From<u16> for A<u8>',
      'fn From<u16> for A<u8>.from',
      'trait Tr',
      'fn Tr.m',
      'fn Tr.d',
      'const Tr.C',
      'type Tr.T',
      'mod m',
      'fn m.q',
      'macro_rules! mac',
      'static S',
      'type Al',
      'fn c',
    ]);
  });

  it('goes on behind what it cannot read', async () => {
    const parsed = await parseText('a.rs', 'fn f() -> i32 { 1 }\nfn g() { let = ((; }\nfn h() -> i32 { 2 }\n');
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(parsed.declarations.find(({ baseName }) => baseName === 'f')?.damaged).toBe(false);
  });
});
