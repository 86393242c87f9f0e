import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const silent: Change[] = [
  [
    'a formatter pass',
    'function f',
    "function f(a, b) {\n  g('x', a);\n  return [a, b].map((c) => c * 2);\n}",
    'function f(\n    a,\n    b,\n) {\n    g("x", a)\n    return [a, b].map(c => (c * 2))\n}',
    'nothing',
  ],
  ['a comment', 'function f', 'function f() { return 1; }', '// x\nfunction f() { /* y */ return 1; }', 'nothing'],
  ['a field without semicolon', 'class A', 'class A { x = 1; #y = 2; m() {} }', 'class A {\n  x = 1\n  #y = 2\n  m() {}\n}', 'nothing'],
  [
    'an element over lines',
    'const V',
    'const V = () => <p>a <b>c</b></p>;',
    'const V = () => (\n  <p>\n    a <b>c</b>\n  </p>\n)',
    'nothing',
  ],
];

const changes: Change[] = [
  ['an edit', 'function f', 'function f() { return 1; }', 'function f() { return 2; }', 'body'],
  ['a parameter', 'function f', 'function f(a) {}', 'function f(a, b) {}', 'signature'],
  ['a generator', 'function f', 'function f() {}', 'function* f() {}', 'signature'],
  ['export', 'function f', 'export function f() {}', 'function f() {}', 'visibility'],
  [
    'another name',
    'function f',
    'function f(n) { return n && f(n - 1); }',
    'function g(n) { return n && g(n - 1); }',
    'nothing',
    'function g',
  ],
  ['a decorator', 'class A', '@a class A {}', '@b class A {}', 'signature'],
  ['a value of an export', 'const exports.LIMIT', 'exports.LIMIT = 1;', 'exports.LIMIT = 2;', 'body'],
];

describe('JavaScript', () => {
  describe('formatting is silent', () => testChanges('a.mjs', silent));
  describe('a change of meaning is not', () => testChanges('a.jsx', changes));

  it('names members, accessors and exports', async () => {
    const text = `class A { static x = 1; get v() { return 1; } set v(n) {} 'q'() {} [Symbol.iterator]() {} }
const o = { a() {}, b: function () {}, c: 1, 'd-e': () => 2, async *f() {} };
exports.go = () => {};
module.exports = class B { m() {} };
A.prototype.late = function () {};
var p = 1, q;
`;
    expect(namesIn(await parseText('a.js', text))).toEqual([
      'class A',
      'property A.x',
      'getter A.v',
      'setter A.v',
      'method A.q',
      'method A.[Symbol.iterator]',
      'const o',
      'method o.a',
      'property o.b',
      'property o.c',
      'property o.d-e',
      'method o.f',
      'function exports.go',
      'class module.exports',
      'method module.exports.m',
      'method A.late',
      'var p',
      'var q',
    ]);
  });

  it('reads a hashbang and a byte order mark', async () => {
    expect(namesIn(await parseText('a.cjs', '#!/usr/bin/env node\nfunction f() {}\n'))).toEqual(['function f']);
    expect(namesIn(await parseText('a.js', '\ufefffunction f() {}\n'))).toEqual(['function f']);
  });
});
