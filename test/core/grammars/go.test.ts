import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const file = (text: string) => `package main\n\n${text}\n`;
const f = (body: string, head = 'func (s *Server) Run(ctx Context, n int) error') => file(`${head} {\n${body}\n}`);

const silent: Change[] = [
  ['a comment', 'method Server.Run', f('\treturn nil'), f('\t// why\n\treturn nil // here'), 'nothing'],
  ['gofmt: spaces', 'method Server.Run', f('    x:=n+1\n    return s.do( x )'), f('\tx := n + 1\n\treturn s.do(x)'), 'nothing'],
  [
    'gofmt: semicolons',
    'method Server.Run',
    f('\tx := 1; y := 2;\n\treturn g(x, y)'),
    f('\tx := 1\n\ty := 2\n\treturn g(x, y)'),
    'nothing',
  ],
  ['wrapped arguments', 'method Server.Run', f('\treturn g(n, s)'), f('\treturn g(\n\t\tn,\n\t\ts,\n\t)'), 'nothing'],
  [
    'parentheses',
    'method Server.Run',
    f('\tif (n > 1) { return nil }\n\treturn (g(n))'),
    f('\tif n > 1 {\n\t\treturn nil\n\t}\n\treturn g(n)'),
    'nothing',
  ],
  ['gofmt: a single result', 'func f', file('func f() (int) { return 1 }'), file('func f() int { return 1 }'), 'nothing'],
  ['gofmt -s: types in a literal', 'var x', file('var x = []T{T{1}, T{2}}'), file('var x = []T{{1}, {2}}'), 'nothing'],
  [
    'gofmt -s: pointers and maps in a literal',
    'var x',
    file('var x = map[string]*T{"a": &T{1}}'),
    file('var x = map[string]*T{"a": {1}}'),
    'nothing',
  ],
  [
    'gofmt -s: a loop',
    'method Server.Run',
    f('\tfor i, _ := range a {\n\t}\n\tfor _ = range a {\n\t}'),
    f('\tfor i := range a {\n\t}\n\tfor range a {\n\t}'),
    'nothing',
  ],
  ['gofmt: numbers', 'const x', file('const x = 0XFF + 1E3 + 1_000'), file('const x = 0xff + 1e3 + 1000'), 'nothing'],
  [
    'aligned fields',
    'struct T',
    file('type T struct {\n\tName, Host string `json:"n"`\n\tPort int\n}'),
    file('type T struct {\n\tName, Host string `json:"n"` // x\n\tPort       int\n}'),
    'nothing',
  ],
  ['a group of one', 'const x', file('const x = 1'), file('const (\n\tx = 1\n)'), 'nothing'],
];

const changes: Change[] = [
  ['an edit', 'method Server.Run', f('\treturn g(n)'), f('\treturn g(n + 1)'), 'body'],
  ['a string for a name', 'method Server.Run', f('\tg("mode")'), f('\tg(mode)'), 'body'],
  ['which part of a slice', 'method Server.Run', f('\treturn a[1:]'), f('\treturn a[:1]'), 'body'],
  ['which part of a for', 'method Server.Run', f('\tfor ; g(); {\n\t}'), f('\tfor ; ; g() {\n\t}'), 'body'],
  ['a parameter', 'method Server.Run', f('\treturn nil'), f('\treturn nil', 'func (s *Server) Run(ctx Context) error'), 'signature'],
  [
    'a pointer receiver',
    'method Server.Run',
    f('\treturn nil'),
    f('\treturn nil', 'func (s Server) Run(ctx Context, n int) error'),
    'signature',
  ],
  [
    'a tag',
    'field T.Name',
    file('type T struct { Name string `json:"a"` }'),
    file('type T struct { Name string `json:"b"` }'),
    'signature',
  ],
  ['a constraint', 'func f', file('func f[T any](x T) {}'), file('func f[T comparable](x T) {}'), 'signature'],
  [
    'a constant before one that counts',
    'const B',
    file('const (\n\tA = iota\n\tB\n)'),
    file('const (\n\tA = iota\n\tZ\n\tB\n)'),
    'signature',
  ],
  ['a field', 'struct T', file('type T struct { A int }'), file('type T struct { A int64 }'), 'body'],
  [
    'another name',
    'func f',
    file('func f(n int) int { return f(n - 1) }'),
    file('func g(n int) int { return g(n - 1) }'),
    'nothing',
    'func g',
  ],
  [
    'another name of the type',
    'method A.Run',
    file('func (a *A) Run() any { return &A{} }'),
    file('func (a *B) Run() any { return &B{} }'),
    'nothing',
    'method B.Run',
  ],
  ['a sibling', 'func f', file('func f() {}\nfunc g() { f() }'), file('func f() {}\nfunc g() {}'), 'nothing'],
  ['removed', 'func f', file('func f() {}'), file(''), 'gone'],
];

describe('Go', () => {
  describe('formatting is silent', () => testChanges('a.go', silent));
  describe('a change of meaning is not', () => testChanges('a.go', changes));

  it('names types, members, methods, constants and variables', async () => {
    const text = file(`type Server[T any] struct { Name, Host string; *Embedded }
type (
	I interface { Run(x int) error; fmt.Stringer }
	M = map[string]int
)
const ( A = iota; B )
var x, y = 1, 2
var (
	z int
)
func (s *Server[T]) Run() {}
func init() {}
func init() {}
`);
    expect(namesIn(await parseText('a.go', text))).toEqual([
      'struct Server',
      'field Server.Name',
      'field Server.Host',
      'interface I',
      'method I.Run',
      'type M',
      'const A',
      'const B',
      'var x',
      'var y',
      'var z',
      'method Server.Run',
      'func init',
      'func init#2',
    ]);
  });

  it('goes on behind what it cannot read', async () => {
    const parsed = await parseText('a.go', file('func f() int { return 1 }\nfunc g() { return ((; }\nfunc h() int { return 2 }'));
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(parsed.declarations.find(({ baseName }) => baseName === 'f')?.damaged).toBe(false);
  });
});
