import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '#cli/registry';
import { createPlace, type Place, stemmaIn } from '../helpers/cli.ts';
import { createFolder, createRepository } from '../helpers/repository.ts';

/** How each command is called here; one that is new has no call yet and fails the first test. */
const calls: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // Ready, it goes on until it is told to end: test/cli/serve.test.ts looks at that.
  serve: [['not-there', '--no-open']],
  init: [[]],
  track: [['a.md'], ['--all', '--yes'], ['--all', '--dry-run']],
  status: [[]],
  scan: [[]],
  breakdown: [[], ['--all'], ['--no-scan']],
  check: [[], ['--sarif']],
  record: [['a.md', '--from', 'sub/b.md']],
  log: [[], ['a.md']],
  show: [['a.md@v1']],
  diff: [
    ['a.md', 'v1'],
    ['a.md', 'v1', 'v2'],
  ],
  verify: [[], ['--restore-lines']],
  rebuild: [[]],
  hash: [['a.md']],
  // Nobody is at the other end; what it answers is looked at in test/mcp.
  mcp: [[]],
  agents: [['list'], ['add', 'Scribe']],
  anchors: [
    ['add', 'a.md', '--file', 'sub/c.ts', '--symbol', 'c'],
    ['check'],
    ['list', 'a.md'],
    ['confirm', '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7'],
    ['rebind', '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7', '--file', 'sub/c.ts', '--lines', '1'],
    ['remove', '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7'],
  ],
  declarations: [['sub/c.ts']],
  repositories: [['list'], ['link', 'near', '--path', 'sub'], ['fetch', 'near'], ['unlink', 'near']],
};

/** Everything under a folder: names, kinds, contents, modes and times of change. Git's own folder as well. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const found = lstatSync(path, { bigint: true });
      const content = found.isFile() ? readFileSync(path).toString('base64') : found.isSymbolicLink() ? readlinkSync(path) : '';
      return `${name} ${found.mode} ${found.mtimeNs} ${content}`;
    });
}

function fill(folder: string): void {
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'a.md'), '# A\r\n\r\nWith its own line endings');
  writeFileSync(join(folder, 'sub/b.md'), '---\ntitle: B\n---\n\nB\n');
  writeFileSync(join(folder, 'sub/c.ts'), 'export const c = 1;\n');
  writeFileSync(join(folder, 'picture.png'), Buffer.from([0, 1, 2, 255]));
  symlinkSync('a.md', join(folder, 'link.md'));
}

function createBare(): Place {
  const place = createPlace();
  fill(place.folder);
  return place;
}

function createInGit(): Place {
  const repository = createRepository();
  fill(repository.folder);
  repository.commit('All of it');
  repository.write('a.md', '# A\n\nchanged since\n');
  return { folder: repository.folder, home: createFolder() };
}

describe('with provenance off and no ledger', () => {
  it('every command has a call below', () => {
    expect(Object.keys(calls).sort()).toEqual(registry.map(({ name }) => name).sort());
  });

  it.each([
    ['outside git', createBare],
    ['in git', createInGit],
  ])('no command changes a byte, a mode or a time %s', (_, create) => {
    const place = create();
    const before = listing(place.folder);
    for (const [name, ways] of Object.entries(calls)) {
      for (const way of ways) {
        // Each begins anew: what `init` sets must not be there for the next.
        const { code } = stemmaIn({ ...place, home: join(createFolder(), 'home') })(name, ...way);
        expect([0, 3], `${name} ${way.join(' ')}`).toContain(code);
        expect(listing(place.folder), `${name} ${way.join(' ')}`).toEqual(before);
      }
    }
  });

  it('what would record says that provenance is off, and how to turn it on', () => {
    const stemma = stemmaIn(createBare());
    for (const call of [['track', 'a.md'], ['scan'], ['breakdown'], ['check'], ['record', 'a.md', '--from', 'sub/b.md']]) {
      const { code, stdout, stderr } = stemma(...call);
      expect([code, stdout], call.join(' ')).toEqual([3, '']);
      expect(stderr, call.join(' ')).toBe('Provenance is off here, so nothing was recorded: run `stemma init` to turn it on.\n');
    }
  });
});

describe('with provenance on and nothing recorded yet', () => {
  it('what only reads makes no ledger', () => {
    const place = createBare();
    const stemma = stemmaIn(place);
    stemma('init');
    const before = listing(place.folder);
    for (const call of [
      ['status'],
      ['scan'],
      ['breakdown'],
      ['check'],
      ['log'],
      ['verify'],
      ['rebuild'],
      ['track', '--all', '--dry-run'],
      ['anchors', 'check'],
      ['anchors', 'list'],
      ['declarations', 'sub/c.ts'],
    ]) {
      expect(stemma(...call).code, call.join(' ')).toBe(0);
      expect(listing(place.folder), call.join(' ')).toEqual(before);
    }
  });
});
