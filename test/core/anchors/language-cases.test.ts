import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { pinIn, said, verdictIn } from '../../helpers/code.ts';
import { createTrackingPlace } from '../../helpers/workspace.ts';

/** A declaration as it was, the file as it is, and what is said of it; `name` with its kind, as an anchor has it. */
interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly said: string;
}

interface Cases {
  readonly extension: string;
  /** Something that would change a body without its meaning being read: the name of one is edited besides. */
  readonly 'edited after a rename': Case;
  readonly nested: Case;
  readonly overload: Case;
  readonly accessor: Case;
  readonly attribute: Case;
  readonly visibility: Case;
  readonly damage: Case;
}

const long = (call: string, end = '') =>
  ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, at) => `    ${call}("${name}", ${at} + rows * ${at + 3})${end}`).join('\n');
const stale = (what: string, name: string) => `stale ${what} src/a.EXT:${name}`;
const body = (name: string) => `${stale('body_changed', name)} +body`;
const signature = (name: string) => `${stale('signature_changed', name)} +signature`;
const visibility = (name: string) => `${stale('visibility_changed', name)} +signature`;
const fresh = (name: string) => `fresh identity_matched src/a.EXT:${name}`;
const renamed = (name: string) => `moved-renamed renamed src/a.EXT:${name} +body`;
const damaged = 'unchecked parse_error';

const js = (extension: string, typed: boolean): Cases => {
  const t = (type: string) => (typed ? `: ${type}` : '');
  const fn = (name: string, extra = '') => `export function ${name}(rows${t('number')}) {\n${long('measure', ';')}\n${extra}}\n`;
  const box = (inner: string) => `export class Box {\n  ${inner}\n}\n`;
  return {
    extension,
    'edited after a rename': {
      name: 'function demand',
      before: fn('demand'),
      after: fn('thirst', '    done(rows);\n'),
      said: renamed('thirst'),
    },
    nested: {
      name: 'method Box.water',
      before: box(`water(rows${t('number')}) { return measure(rows, 1, 2); }`),
      after: `${box(`water(rows${t('number')}) { return measure(rows, 1, 3); }`)}export class Other { water(rows${t('number')}) { return measure(rows, 1, 2); } }\n`,
      said: body('Box.water'),
    },
    overload: typed
      ? {
          name: 'function pick',
          before:
            'export function pick(a: string): string;\nexport function pick(a: number): number;\nexport function pick(a: any) { return measure(a, 1, 2); }\n',
          after:
            'export function pick(a: string): string;\nexport function pick(a: boolean): number;\nexport function pick(a: any) { return measure(a, 1, 2); }\n',
          said: signature('pick'),
        }
      : {
          name: 'function pick',
          before: 'export function pick(a) { return measure(a, 1, 2); }\n',
          after: 'export function pick(a, b) { return measure(a, 1, 2); }\n',
          said: signature('pick'),
        },
    accessor: {
      name: 'getter Box.size',
      before: box('get size() { return measure(this.a, 1, 2); }\n  set size(to) { this.a = measure(to, 3, 4); }'),
      after: box('get size() { return measure(this.a, 1, 2); }\n  set size(to) { this.a = measure(to, 3, 9); }'),
      said: fresh('Box.size'),
    },
    attribute: {
      name: 'method Box.water',
      before: box(`@once water(rows${t('number')}) { return measure(rows, 1, 2); }`),
      after: box(`@twice water(rows${t('number')}) { return measure(rows, 1, 2); }`),
      said: signature('Box.water'),
    },
    visibility: { name: 'function demand', before: fn('demand'), after: fn('demand').replace('export ', ''), said: visibility('demand') },
    damage: {
      name: 'function demand',
      before: fn('demand'),
      after: fn('demand').replace('measure("c"', 'measure(("c" = = ]'),
      said: damaged,
    },
  };
};

const languages: Record<string, Cases> = {
  typescript: js('ts', true),
  tsx: js('tsx', true),
  javascript: js('mjs', false),
  jsx: js('jsx', false),
  swift: {
    extension: 'swift',
    'edited after a rename': {
      name: 'func demand(rows:)',
      before: `func demand(rows: Int) {\n${long('measure')}\n}\n`,
      after: `func thirst(rows: Int) {\n${long('measure')}\n    done(rows)\n}\n`,
      said: renamed('thirst(rows:)'),
    },
    nested: {
      name: 'func Box.Lid.shut(far:)',
      before: 'struct Box {\n  struct Lid {\n    func shut(far: Int) -> Int { return measure(far, 1, 2) }\n  }\n}\n',
      after: 'struct Box {\n  struct Lid {\n    func shut(far: Int) -> Int { return measure(far, 1, 3) }\n  }\n}\n',
      said: body('Box.Lid.shut(far:)'),
    },
    overload: {
      name: 'func move(to:)',
      before: 'func move(to: Int) { measure(to, 1, 2) }\nfunc move(by: Int) { measure(by, 3, 4) }\n',
      after: 'func move(by: Int) { measure(by, 3, 9) }\nfunc move(to: Int) { measure(to, 1, 2) }\n',
      said: fresh('move(to:)'),
    },
    accessor: {
      name: 'var Box.size',
      before: 'struct Box {\n  var size: Int { return measure(a, 1, 2) }\n}\n',
      after: 'struct Box {\n  var size: Int { return measure(a, 1, 3) }\n}\n',
      said: body('Box.size'),
    },
    attribute: {
      name: 'func demand(rows:)',
      before: '@discardableResult func demand(rows: Int) -> Int { return measure(rows, 1, 2) }\n',
      after: 'func demand(rows: Int) -> Int { return measure(rows, 1, 2) }\n',
      said: signature('demand(rows:)'),
    },
    visibility: {
      name: 'func demand(rows:)',
      before: 'public func demand(rows: Int) -> Int { return measure(rows, 1, 2) }\n',
      after: 'func demand(rows: Int) -> Int { return measure(rows, 1, 2) }\n',
      said: visibility('demand(rows:)'),
    },
    damage: {
      name: 'func demand(rows:)',
      before: 'func demand(rows: Int) -> Int { return measure(rows, 1, 2) }\n',
      after: 'func demand(rows: Int) -> Int { return measure(rows,, = ] 1 }\n',
      said: damaged,
    },
  },
  kotlin: {
    extension: 'kt',
    'edited after a rename': {
      name: 'fun demand(rows)',
      before: `fun demand(rows: Int) {\n${long('measure')}\n}\n`,
      after: `fun thirst(rows: Int) {\n${long('measure')}\n    done(rows)\n}\n`,
      said: renamed('thirst(rows)'),
    },
    nested: {
      name: 'fun Box.Lid.shut(far)',
      before: 'class Box {\n  class Lid {\n    fun shut(far: Int): Int { return measure(far, 1, 2) }\n  }\n}\n',
      after: 'class Box {\n  class Lid {\n    fun shut(far: Int): Int { return measure(far, 1, 3) }\n  }\n}\n',
      said: body('Box.Lid.shut(far)'),
    },
    overload: {
      name: 'fun move(to)',
      before: 'fun move(to: Int) { measure(to, 1, 2) }\nfun move(by: Int, far: Int) { measure(by, 3, 4) }\n',
      after: 'fun move(by: Int, far: Int) { measure(by, 3, 9) }\nfun move(to: Int) { measure(to, 1, 2) }\n',
      said: fresh('move(to)'),
    },
    accessor: {
      name: 'val Box.size',
      before: 'class Box {\n  val size: Int\n    get() = measure(a, 1, 2)\n}\n',
      after: 'class Box {\n  val size: Int\n    get() = measure(a, 1, 3)\n}\n',
      said: body('Box.size'),
    },
    attribute: {
      name: 'fun demand(rows)',
      before: '@Once fun demand(rows: Int): Int { return measure(rows, 1, 2) }\n',
      after: '@Twice fun demand(rows: Int): Int { return measure(rows, 1, 2) }\n',
      said: signature('demand(rows)'),
    },
    visibility: {
      name: 'fun demand(rows)',
      before: 'private fun demand(rows: Int): Int { return measure(rows, 1, 2) }\n',
      after: 'fun demand(rows: Int): Int { return measure(rows, 1, 2) }\n',
      said: visibility('demand(rows)'),
    },
    damage: {
      name: 'fun demand(rows)',
      before: 'fun demand(rows: Int): Int { return measure(rows, 1, 2) }\n',
      after: 'fun demand(rows: Int): Int { return measure(rows,, = ] 1 }\n',
      said: damaged,
    },
  },
  python: {
    extension: 'py',
    'edited after a rename': {
      name: 'def demand',
      before: `def demand(rows):\n${long('measure')}\n`,
      after: `def thirst(rows):\n${long('measure')}\n    done(rows)\n`,
      said: renamed('thirst'),
    },
    nested: {
      name: 'def Box.Lid.shut',
      before: 'class Box:\n    class Lid:\n        def shut(self, far):\n            return measure(far, 1, 2)\n',
      after: 'class Box:\n    class Lid:\n        def shut(self, far):\n            return measure(far, 1, 3)\n',
      said: body('Box.Lid.shut'),
    },
    overload: {
      name: 'def pick',
      before: 'def pick(a):\n    return measure(a, 1, 2)\n',
      after: 'def pick(a, b=2):\n    return measure(a, 1, 2)\n',
      said: signature('pick'),
    },
    accessor: {
      name: 'getter Box.size',
      before: 'class Box:\n    @property\n    def size(self):\n        return measure(self.a, 1, 2)\n',
      after: 'class Box:\n    @property\n    def size(self):\n        return measure(self.a, 1, 3)\n',
      said: body('Box.size'),
    },
    attribute: {
      name: 'def demand',
      before: '@once\ndef demand(rows):\n    return measure(rows, 1, 2)\n',
      after: '@twice\ndef demand(rows):\n    return measure(rows, 1, 2)\n',
      said: signature('demand'),
    },
    visibility: {
      name: 'def demand',
      before: 'def demand(rows):\n    return measure(rows, 1, 2)\n',
      after: 'def _demand(rows):\n    return measure(rows, 1, 2)\n',
      said: 'moved-renamed renamed src/a.EXT:_demand',
    },
    damage: {
      name: 'def demand',
      before: 'def demand(rows):\n    return measure(rows, 1, 2)\n',
      after: 'def demand(rows):\n    return measure(rows,, = ] 1\n',
      said: damaged,
    },
  },
  go: {
    extension: 'go',
    'edited after a rename': {
      name: 'func demand',
      before: `package a\n\nfunc demand(rows int) {\n${long('measure')}\n}\n`,
      after: `package a\n\nfunc thirst(rows int) {\n${long('measure')}\n\tdone(rows)\n}\n`,
      said: renamed('thirst'),
    },
    nested: {
      name: 'method Box.Shut',
      before: 'package a\n\nfunc (b *Box) Shut(far int) int { return measure(far, 1, 2) }\n',
      after: 'package a\n\nfunc (b *Box) Shut(far int) int { return measure(far, 1, 3) }\n',
      said: body('Box.Shut'),
    },
    overload: {
      name: 'func pick',
      before: 'package a\n\nfunc pick(a int) int { return measure(a, 1, 2) }\n',
      after: 'package a\n\nfunc pick(a int, b int) int { return measure(a, 1, 2) }\n',
      said: signature('pick'),
    },
    accessor: {
      name: 'method Box.Size',
      before:
        'package a\n\nfunc (b Box) Size() int { return measure(b.a, 1, 2) }\nfunc (b *Box) SetSize(to int) { b.a = measure(to, 3, 4) }\n',
      after:
        'package a\n\nfunc (b Box) Size() int { return measure(b.a, 1, 2) }\nfunc (b *Box) SetSize(to int) { b.a = measure(to, 3, 9) }\n',
      said: fresh('Box.Size'),
    },
    attribute: {
      name: 'struct Box',
      before: 'package a\n\ntype Box struct {\n\tSize int `json:"size"`\n\tLid  int `json:"lid"`\n}\n',
      after: 'package a\n\ntype Box struct {\n\tSize int `json:"width"`\n\tLid  int `json:"lid"`\n}\n',
      said: body('Box'),
    },
    visibility: {
      name: 'func Demand',
      before: 'package a\n\nfunc Demand(rows int) int { return measure(rows, 1, 2) }\n',
      after: 'package a\n\nfunc demand(rows int) int { return measure(rows, 1, 2) }\n',
      said: 'moved-renamed renamed src/a.EXT:demand',
    },
    damage: {
      name: 'func demand',
      before: 'package a\n\nfunc demand(rows int) int { return measure(rows, 1, 2) }\n',
      after: 'package a\n\nfunc demand(rows int) int { return measure(rows,, = ] 1 }\n',
      said: damaged,
    },
  },
  rust: {
    extension: 'rs',
    'edited after a rename': {
      name: 'fn demand',
      before: `fn demand(rows: u32) {\n${long('measure', ';')}\n}\n`,
      after: `fn thirst(rows: u32) {\n${long('measure', ';')}\n    done(rows);\n}\n`,
      said: renamed('thirst'),
    },
    nested: {
      name: 'fn a.Box.shut',
      before: 'mod a {\n    impl Box {\n        fn shut(far: u32) -> u32 { measure(far, 1, 2) }\n    }\n}\n',
      after: 'mod a {\n    impl Box {\n        fn shut(far: u32) -> u32 { measure(far, 1, 3) }\n    }\n}\n',
      said: body('a.Box.shut'),
    },
    overload: {
      name: 'fn pick',
      before: 'fn pick(a: u32) -> u32 { measure(a, 1, 2) }\n',
      after: 'fn pick<T>(a: T) -> u32 { measure(a, 1, 2) }\n',
      said: signature('pick'),
    },
    accessor: {
      name: 'fn Box.size',
      before:
        'impl Box {\n    fn size(&self) -> u32 { measure(self.a, 1, 2) }\n    fn set_size(&mut self, to: u32) { self.a = measure(to, 3, 4); }\n}\n',
      after:
        'impl Box {\n    fn size(&self) -> u32 { measure(self.a, 1, 2) }\n    fn set_size(&mut self, to: u32) { self.a = measure(to, 3, 9); }\n}\n',
      said: fresh('Box.size'),
    },
    attribute: {
      name: 'fn demand',
      before: '#[inline]\nfn demand(rows: u32) -> u32 { measure(rows, 1, 2) }\n',
      after: '#[cold]\nfn demand(rows: u32) -> u32 { measure(rows, 1, 2) }\n',
      said: signature('demand'),
    },
    visibility: {
      name: 'fn demand',
      before: 'pub fn demand(rows: u32) -> u32 { measure(rows, 1, 2) }\n',
      after: 'fn demand(rows: u32) -> u32 { measure(rows, 1, 2) }\n',
      said: visibility('demand'),
    },
    damage: {
      name: 'fn demand',
      before: 'fn demand(rows: u32) -> u32 { measure(rows, 1, 2) }\n',
      after: 'fn demand(rows: u32) -> u32 { measure(rows,, = ] 1 }\n',
      said: damaged,
    },
  },
  java: {
    extension: 'java',
    'edited after a rename': {
      name: 'method Box.demand(int)',
      before: `class Box {\n  void demand(int rows) {\n${long('measure', ';')}\n  }\n}\n`,
      after: `class Box {\n  void thirst(int rows) {\n${long('measure', ';')}\n    done(rows);\n  }\n}\n`,
      said: renamed('Box.thirst(int)'),
    },
    nested: {
      name: 'method Box.Lid.shut(int)',
      before: 'class Box {\n  class Lid {\n    int shut(int far) { return measure(far, 1, 2); }\n  }\n}\n',
      after: 'class Box {\n  class Lid {\n    int shut(int far) { return measure(far, 1, 3); }\n  }\n}\n',
      said: body('Box.Lid.shut(int)'),
    },
    overload: {
      name: 'method Box.move(int)',
      before: 'class Box {\n  int move(int to) { return measure(to, 1, 2); }\n  int move(String by) { return measure(by, 3, 4); }\n}\n',
      after: 'class Box {\n  int move(String by) { return measure(by, 3, 9); }\n  int move(int to) { return measure(to, 1, 2); }\n}\n',
      said: fresh('Box.move(int)'),
    },
    accessor: {
      name: 'method Box.getSize()',
      before: 'class Box {\n  int getSize() { return measure(a, 1, 2); }\n  void setSize(int to) { a = measure(to, 3, 4); }\n}\n',
      after: 'class Box {\n  int getSize() { return measure(a, 1, 2); }\n  void setSize(int to) { a = measure(to, 3, 9); }\n}\n',
      said: fresh('Box.getSize()'),
    },
    attribute: {
      name: 'method Box.demand(int)',
      before: 'class Box {\n  @Once int demand(int rows) { return measure(rows, 1, 2); }\n}\n',
      after: 'class Box {\n  @Twice int demand(int rows) { return measure(rows, 1, 2); }\n}\n',
      said: signature('Box.demand(int)'),
    },
    visibility: {
      name: 'method Box.demand(int)',
      before: 'class Box {\n  public int demand(int rows) { return measure(rows, 1, 2); }\n}\n',
      after: 'class Box {\n  int demand(int rows) { return measure(rows, 1, 2); }\n}\n',
      said: visibility('Box.demand(int)'),
    },
    damage: {
      name: 'method Box.demand(int)',
      before: 'class Box {\n  int demand(int rows) { return measure(rows, 1, 2); }\n}\n',
      after: 'class Box {\n  int demand(int rows) { return measure(rows,, = ] 1 }\n}\n',
      said: damaged,
    },
  },
};

describe.each(Object.entries(languages))('a declaration of %s', (_, { extension, ...cases }) => {
  const file = `src/a.${extension}`;
  it.each(Object.entries(cases))('%s', async (_kind, { name, before, after, said: expected }) => {
    const verdict = await verdictIn(await pinIn({ [file]: before }, file, name), { [file]: after });
    expect(said(verdict)).toBe(expected.replaceAll('EXT', extension));
  });
});

it('a file of any language that cannot be read, or is not reached, is not checked and keeps its state', async () => {
  const place = createTrackingPlace();
  place.write('a.md', '# A\n');
  const files = Object.values(languages).map(({ extension, visibility: { before, name } }) => ({
    path: `src/a.${extension}`,
    before,
    name,
  }));
  for (const { path, before } of files) place.write(path, before);
  const core = await place.open({ disk: { ...realDisk, fsyncSync() {}, fdatasyncSync() {}, flush: async () => {} } });
  const by = { type: 'external', id: 'a test' } as const;
  for (const { path, name } of files) {
    const target = { kind: 'declaration', name: name.slice(name.indexOf(' ') + 1), declared: null } as const;
    await core.anchors.add({ document: 'a.md', section: [], repository: null, file: path, target, by });
  }
  const reasons = async () => {
    const { complete, anchors, unchecked_anchor_ids: unchecked } = await core.anchors.check({ document: null, observe: true });
    return { complete, unchecked: unchecked.length, said: [...new Set(anchors.map(({ state, detail }) => `${state} ${detail.reason}`))] };
  };
  for (const { path } of files) place.write(path, Buffer.from([0xff, 0xfe, 0x41, 0xff]));
  expect(await reasons()).toEqual({ complete: false, unchecked: files.length, said: ['fresh unreadable'] });
  writeFileSync(join(place.home, 'settings.json'), JSON.stringify({ insertIdentity: true, app: { 'anchors.files': 0 } }));
  expect(await reasons()).toEqual({ complete: false, unchecked: files.length, said: ['fresh budget'] });
});

it('an annotation that a stumble elsewhere cut off from its Kotlin class leaves the class unchecked, and a change of it counts once all is whole', async () => {
  const text = readFileSync(new URL('../grammars/samples/a.kt.txt', import.meta.url), 'utf8');
  const pin = await pinIn({ 'src/a.kt': text }, 'src/a.kt', 'class Bed');
  const became = async (from: string, to: string, more = text) => said(await verdictIn(pin, { 'src/a.kt': more.replace(from, to) }));
  expect(await became('(val code: String)', '(val code: Str<ing)')).toBe('unchecked parse_error');
  const changed = text.replace('@Suppress("unused")', '@Suppress("used")');
  expect(await became('', '', changed)).toBe('stale signature_changed src/a.kt:Bed +signature');
  expect(await became('(val code: String)', '(val code: Str<ing)', changed)).toBe('unchecked parse_error');
});
