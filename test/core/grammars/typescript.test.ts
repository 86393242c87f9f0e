import { describe, expect, it } from 'vitest';
import { type Change, declarationIn, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const ledger = `/** A day. */
export class Ledger<T extends object> extends Base<T> implements Sheet {
  private rows = new Map<string, number>();
  static #count = 0;
  'content-type' = 'text';

  constructor(private readonly clock: Clock) { super(); }

  enter(code: string, grams = 1_000): void {
    const kilos = Math.ceil(grams / 1000);
    this.rows.set(code, (this.rows.get(code) ?? 0) + kilos);
  }

  get total(): number { return this.rows.size * 2 + this.total; }
  set total(next: number) { this.rows.clear(); }
}
`;

const f = (body: string, head = 'export function f(a: number, b: string)') => `${head} {\n${body}\n}\n`;

const silent: Change[] = [
  ['a comment', 'function f', f('  return a + 1;'), f('  // why\n  return /* here */ a + 1; // end'), 'nothing'],
  ['a doc comment', 'function f', f('return a;'), `/** New. */\n${f('return a;')}`, 'nothing'],
  ['indentation by tabs', 'function f', f('  if (a) {\n    b();\n  }'), f('\tif (a) {\n\t\tb();\n\t}'), 'nothing'],
  ['Windows line ends', 'function f', f('  g(a);\n  return `x\ny`;'), f('  g(a);\n  return `x\ny`;').replaceAll('\n', '\r\n'), 'nothing'],
  ['moved lines', 'function f', f('return a;'), `\n\nconst z = 1;\n${f('return a;')}`, 'nothing'],
  ['no semicolons', 'function f', f('g(a);\nlet c = 1;\nreturn c;'), f('g(a)\nlet c = 1\nreturn c'), 'nothing'],
  ['trailing commas', 'function f', f('g(a, b, [a, b], { a, b });'), f('g(\n  a,\n  b,\n  [a, b,],\n  { a, b, },\n);'), 'nothing'],
  ['wrapped parameters', 'function f', f('return a;'), 'export function f(\n  a: number,\n  b: string,\n) { return a; }', 'nothing'],
  ['quotes', 'function f', f(`g('it\\'s', "say \\"x\\"");`), f(`g("it's", 'say "x"');`), 'nothing'],
  [
    'escapes',
    'function f',
    f(String.raw`g('\u0041\x42\n\
c');`),
    f(String.raw`g("AB\nc");`),
    'nothing',
  ],
  ['parentheses of an arrow function', 'function f', f('return b.map((x) => x);'), f('return b.map(x => x);'), 'nothing'],
  ['redundant parentheses', 'function f', f('return (a) * (b.length) + ((1));'), f('return a * b.length + 1;'), 'nothing'],
  ['parentheses around an awaited value', 'function f', f('return (await (g())).h;'), f('return (await g()).h;'), 'nothing'],
  ['a chain of conditions', 'function f', f('return a && (b && c) && d;'), f('return ((a && b) && c) && d;'), 'nothing'],
  ['quoted keys', 'function f', f(`g({ 'a': 1, "b-c": 2, '3': 4 });`), f(`g({ a: 1, 'b-c': 2, 3: 4 });`), 'nothing'],
  ['how a number is written', 'function f', f('g(1_000, 0XFF, .5, 1.50, 1E3);'), f('g(1000, 0xff, 0.5, 1.5, 1e3);'), 'nothing'],
  ['an empty argument list', 'function f', f('return new Foo;'), f('return new Foo();'), 'nothing'],
  ['a stray semicolon', 'function f', f('g();;'), f('g();'), 'nothing'],
  ['flags of a pattern', 'function f', f('return /a/gi;'), f('return /a/ig;'), 'nothing'],
  [
    'separators of members',
    'interface I',
    'interface I { a: string; b(): void; }',
    'interface I {\n  a: string,\n  b(): void\n}',
    'nothing',
  ],
  ['a leading bar', 'type U', "type U = 'a' | 'b' | (C | D);", 'type U =\n  | "a"\n  | "b"\n  | C\n  | D', 'nothing'],
  ['a bar before a single type', 'type U', 'type U = A;', 'type U =\n  | A;', 'nothing'],
  ['parentheses in a type', 'type U', 'type U = (A)[] | (() => void);', 'type U = A[] | (() => void)', 'nothing'],
  ['a trailing comma of an enum', 'enum E', "enum E { A = 'x', B }", 'enum E {\n  "A" = "x",\n  B,\n}', 'nothing'],
  ['where decorators stand', 'class A', '@dec() export class A {}', 'export @dec() class A {}', 'nothing'],
  [
    'decorators on lines of their own',
    'method A.m',
    'class A { @Get("/a") @Use(x) m() { return 1 } }',
    "class A {\n  @Get('/a')\n  @Use(x)\n  m() {\n    return 1;\n  }\n}",
    'nothing',
  ],
  ['an export list', 'function g', 'export function g() {}', 'function g() {}\nexport { g };', 'nothing'],
];

const changes: Change[] = [
  ['an argument order', 'function f', f('g(a, b);'), f('g(b, a);'), 'body'],
  ['a literal', 'function f', f("g('x');"), f("g('y');"), 'body'],
  ['a string for a name', 'function f', f("g('mode');"), f('g(mode);'), 'body'],
  ['a template for a string', 'function f', f("g('mode');"), f('g(`mode`);'), 'body'],
  ['an operator', 'function f', f('return a < b;'), f('return a <= b;'), 'body'],
  ['parentheses that matter', 'function f', f('return (a + b) * c;'), f('return a + b * c;'), 'body'],
  ['the end of an optional chain', 'function f', f('return (a?.b).c;'), f('return a?.b.c;'), 'body'],
  ['mixed conditions', 'function f', f('return a && (b || c);'), f('return (a && b) || c;'), 'body'],
  ['a hole in an array', 'function f', f('return [a, , b];'), f('return [a, b];'), 'body'],
  ['which part of a for', 'function f', f('for (; a; ) g();'), f('for (; ; a) g();'), 'body'],
  ['an empty loop', 'function f', f('while (g()); h();'), f('while (g()) h();'), 'body'],
  ['a computed key', 'function f', f('g({ a: 1 });'), f('g({ [a]: 1 });'), 'body'],
  ['text of a template', 'function f', f(`return \`a \${b}\`;`), f(`return \`a  \${b}\`;`), 'body'],
  ['a big number', 'function f', f('return 1;'), f('return 1n;'), 'body'],
  ['a parameter', 'function f', f('return a;'), f('return a;', 'export function f(a: number, b: string, c = 1)'), 'signature'],
  ['a parameter type', 'function f', f('return a;'), f('return a;', 'export function f(a: bigint, b: string)'), 'signature'],
  ['a return type', 'function f', f('return a;'), f('return a;', 'export function f(a: number, b: string): number'), 'signature'],
  ['async', 'function f', f('return a;'), f('return a;', 'export async function f(a: number, b: string)'), 'signature'],
  ['export', 'function f', f('return a;'), f('return a;', 'function f(a: number, b: string)'), 'visibility'],
  ['an export list', 'function g', 'function g() {}\nexport { g };', 'function g() {}', 'visibility'],
  ['an export under another name', 'function g', 'function g() {}\nexport { g };', 'function g() {}\nexport { g as h };', 'visibility'],
  ['the default export', 'function g', 'export default function g() {}', 'export function g() {}', 'visibility'],
  ['private', 'method A.m', 'class A { m() {} }', 'class A { private m() {} }', 'visibility'],
  ['static', 'method A.m', 'class A { m() {} }', 'class A { static m() {} }', 'signature'],
  ['a decorator of a method', 'method A.m', "class A { @Get('/a') m() {} }", "class A { @Get('/b') m() {} }", 'signature'],
  ['a decorator of an exported class', 'class A', '@Ctl("a") export class A {}', '@Ctl("b") export class A {}', 'signature'],
  ['a decorator of a parameter', 'method A.m', 'class A { m(@Body() a) {} }', 'class A { m(@Query() a) {} }', 'signature'],
  ['a base class', 'class A', 'class A extends B {}', 'class A extends C {}', 'signature'],
  ['a member', 'class A', 'class A { m() { return 1; } }', 'class A { m() { return 2; } }', 'body'],
  [
    'a sibling',
    'method A.m',
    'class A { m() { return 1; } n() { return 1; } }',
    'class A { m() { return 1; } n() { return 2; } }',
    'nothing',
  ],
  ['optionality', 'property I.a', 'interface I { a: string }', 'interface I { a?: string }', 'signature'],
  ['a tuple of types', 'type U', 'type U = A | B;', 'type U = B | A;', 'body'],
  ['both', 'function f', f('return a;'), f('return b;', 'function f(a: number)'), 'body and signature'],
  [
    'another name',
    'function f',
    f('return f(a - 1, b);'),
    f('return g(a - 1, b);', 'export function g(a: number, b: string)'),
    'nothing',
    'function g',
  ],
  ['another name of a table', 'const A', 'const A = { x: 1, y: A };', 'const B = { x: 1, y: B };', 'nothing', 'const B'],
  [
    'another name of a schema',
    'const A',
    'const A = z.object({ id: z.string() });',
    'const B = z.object({ id: z.string() });',
    'nothing',
    'const B',
  ],
  [
    'another name of a method',
    'method A.m',
    'class A { m(n) { return this.m(n - 1); } }',
    'class A { k(n) { return this.k(n - 1); } }',
    'nothing',
    'method A.k',
  ],
  [
    'another name of the class',
    'method A.m',
    'class A { m() { return A.n; } }',
    'class B { m() { return B.n; } }',
    'nothing',
    'method B.m',
  ],
  [
    'a member of the same name elsewhere',
    'function f',
    'function f(o) { return o.f; }',
    'function g(o) { return o.g; }',
    'body',
    'function g',
  ],
  ['let', 'const a', 'const a = 1;', 'let a = 1;', 'gone'],
  ['removed', 'function f', f('return a;'), 'export {};', 'gone'],
  [
    'a function out of a class',
    'method A.m',
    'class A { m(a) { const b = a * 2; return b; } }',
    'function m(a) { const b = a * 2; return b; }',
    'nothing',
    'function m',
  ],
];

describe('TypeScript', () => {
  describe('formatting is silent', () => testChanges('a.ts', silent));
  describe('a change of meaning is not', () => testChanges('a.ts', changes));

  it('names members to any depth', async () => {
    const text = `${ledger}namespace N.M { export enum E { 'a' = 1, B } class C { m() {} } }
declare global { interface Window { v: string } }
declare module 'mod' { function q(): void }
export const routes = { list(p) {}, drop: (id) => 1, get size() { return 1; }, deep: { 'x-y': 1 } };
export const store = defineStore('s', { actions: { go() {} } });
export default { name: 'x', setup() {} };
const { a, b } = load();
let c = 1, d = () => 2;
Ledger.prototype.extra = function () {};
`;
    expect(namesIn(await parseText('a.ts', text))).toEqual([
      'class Ledger',
      'property Ledger.rows',
      'property Ledger.#count',
      'property Ledger.content-type',
      'constructor Ledger.constructor',
      'method Ledger.enter',
      'getter Ledger.total',
      'setter Ledger.total',
      'namespace N.M',
      'enum N.M.E',
      'member N.M.E.a',
      'member N.M.E.B',
      'class N.M.C',
      'method N.M.C.m',
      'namespace global',
      'interface global.Window',
      'property global.Window.v',
      'module mod',
      'function mod.q',
      'const routes',
      'method routes.list',
      'property routes.drop',
      'getter routes.size',
      'property routes.deep',
      'property routes.deep.x-y',
      'const store',
      'property store.actions',
      'method store.actions.go',
      'const default',
      'property default.name',
      'method default.setup',
      'let c',
      'let d',
      'method Ledger.extra',
    ]);
  });

  it('takes overloads for one declaration', async () => {
    const text = 'export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) { g(a); }\n';
    const parsed = await parseText('a.ts', text);
    expect(namesIn(parsed)).toEqual(['function f']);
    expect(parsed.declarations[0]).toMatchObject({ lineStart: 1, lineEnd: 3 });
    const other = await parseText('a.ts', text.replace('a: number', 'a: bigint'));
    expect(other.declarations[0]?.bodyHash).toBe(parsed.declarations[0]?.bodyHash);
    expect(other.declarations[0]?.signatureHash).not.toBe(parsed.declarations[0]?.signatureHash);
  });

  it('numbers what nothing else tells apart', async () => {
    const parsed = await parseText('a.ts', 'interface A { x: 1 }\ninterface A { x: 2 }\n');
    expect(parsed.declarations.map(({ qualifiedName, plainName }) => [qualifiedName, plainName])).toEqual([
      ['A', 'A'],
      ['A.x', 'A.x'],
      ['A#2', 'A'],
      ['A.x#2', 'A.x'],
    ]);
  });

  it('names the exports of CommonJS', async () => {
    const text = 'exports.parse = function (a) {};\nmodule.exports.LIMIT = 3;\nmodule.exports = { a, b() {} };\n';
    expect(namesIn(await parseText('a.cts', text))).toEqual([
      'function exports.parse',
      'const exports.LIMIT',
      'const module.exports',
      'method module.exports.b',
    ]);
  });

  it('counts the tokens of a body with its brackets', async () => {
    const parsed = await parseText('a.ts', "class A { limit() { return 0; } }\nconst x = 'a';\ninterface I { a: 1 }\n");
    expect(declarationIn(parsed, 'method A.limit')?.bodyTokens).toBe(5);
    expect(declarationIn(parsed, 'const x')?.bodyTokens).toBe(3);
    expect(declarationIn(parsed, 'property I.a')?.bodyTokens).toBe(0);
  });

  it('says where a statement stands', async () => {
    const text = `import x from 'y';\n\n/** Doc. */\n@dec\nexport class A {\n  m() {}\n}\n`;
    const [found] = (await parseText('a.ts', text)).declarations;
    expect(found).toMatchObject({ lineStart: 4, lineEnd: 7 });
    expect(text.slice(found?.start, found?.end)).toBe('@dec\nexport class A {\n  m() {}\n}');
  });

  it('tells what stands inside a damaged part from what does not', async () => {
    const text = 'function first() { return 1; }\nfunction second() { return ((; }\nclass A { m() { return 1; } n() { let = = ; } }\n';
    const parsed = await parseText('a.ts', text);
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(declarationIn(parsed, 'function first')?.damaged).toBe(false);
    expect(declarationIn(parsed, 'method A.m')?.damaged).toBe(false);
    expect(declarationIn(parsed, 'class A')?.damaged).toBe(true);
  });
});
