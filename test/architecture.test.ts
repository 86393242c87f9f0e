import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  docBreaches,
  exportBreaches,
  importBreaches,
  longFiles,
  mayUse,
  mentionsOf,
  nameBreaches,
  type SourceFile,
  sizeBreaches,
  traceBreaches,
} from './helpers/architecture';

const root = join(import.meta.dirname, '..');
const read = (file: string): SourceFile => ({ file, source: readFileSync(join(root, file), 'utf8') });

function filesUnder(folder: string): SourceFile[] {
  if (!existsSync(join(root, folder))) return [];
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll(sep, '/')}`,
  );
  return paths.filter((path) => /\.tsx?$/u.test(path)).map(read);
}

const sources = filesUnder('src');
const beside = ['test', 'scripts', 'bench', 'tools', 'e2e', 'build'].flatMap(filesUnder);
// vitest takes its global setup as a default export.
const mayDefault = new Set(['test/helpers/build.ts']);

describe('the source', () => {
  it('was looked at: every part that is there, and imports between parts', () => {
    const parts = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of parts) expect(sources.some(({ file }) => file.startsWith(`src/${name}/`))).toBe(true);
    for (const part of ['kernel', 'protocol', 'core', 'cli']) expect(parts.map(({ name }) => name)).toContain(part);
    const aliases = sources.flatMap(mentionsOf).filter(({ specifier }) => specifier?.startsWith('#kernel/'));
    expect(aliases.length).toBeGreaterThan(0);
  });

  it('imports only in the directions of the table', () => {
    expect(sources.flatMap(importBreaches)).toEqual([]);
  });

  it('has files named by kebab-case nouns', () => {
    expect(sources.flatMap(nameBreaches)).toEqual([]);
  });

  it('has short files, and no exception that is not needed', () => {
    expect(sizeBreaches(sources)).toEqual([]);
    const long = new Set(sizeBreaches(sources, new Map()).map((breach) => breach.split(' ')[0]));
    expect([...longFiles.keys()].filter((file) => !long.has(file))).toEqual([]);
  });

  it('documents every exported name', () => {
    expect(sources.flatMap(docBreaches)).toEqual([]);
  });

  it('exports by name, at the declaration, here and beside it', () => {
    expect(beside.length).toBeGreaterThan(0);
    expect([...sources, ...beside].flatMap((file) => exportBreaches(file, mayDefault.has(file.file)))).toEqual([]);
  });

  it('keeps no trace of a machine in any file that git has or would take', (context) => {
    const listed = trackedFiles();
    if (listed === null) context.skip('git does not know this folder, so there are no tracked files to look at');
    const files = listed!.filter((file) => existsSync(join(root, file)) && statSync(join(root, file)).isFile());
    expect(files).toContain('package-lock.json');
    expect(files.map(read).flatMap((file) => traceBreaches(file, [root, homedir()]))).toEqual([]);
  });
});

function trackedFiles(): string[] | null {
  try {
    const out = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return out.split('\0').filter((file) => file !== '');
  } catch {
    return null;
  }
}

const at = (file: string, source: string): SourceFile => ({ file, source });

describe('the checks themselves find', () => {
  it.each([
    ['a static import', "import { a } from '#core/a';", 'may not use core'],
    ['a type-only import', "import type { A } from '#core/a';", 'may not use core'],
    ['a re-export', "export { a } from '#core/a';", 'may not use core'],
    ['an empty re-export', "export {} from '#core/a';", 'may not use core'],
    ['an import for its effect', "import '#core/a';", 'may not use core'],
    ['a dynamic import', "const a = () => import('#core/a');", 'may not use core'],
    ['a type taken through import()', "let a: import('#core/a').A;", 'may not use core'],
    ['a require', "const a = require('#core/a');", 'may not use core'],
    ['a front door', "import { a } from '#core';", 'may not use core'],
    ['a relative path', "import { a } from '../core/a.ts';", 'may not use core'],
    ['a relative path that leaves src', "import { a } from '../../scripts/a';", 'may not use outside src'],
    ['a computed import', 'const a = (b: string) => import(b);', 'computes the path of an import'],
    ['a Node module', "import { join } from 'node:path';", 'kernel has no Node'],
    ['a Node module without its prefix', "import { join } from 'path';", 'kernel has no Node'],
    ['a package', "import { z } from 'zod';", 'kernel has no packages'],
  ])('%s in the kernel', (_, source, breach) => {
    expect(importBreaches(at('src/kernel/x.ts', source))).toEqual([expect.stringContaining(breach)]);
  });

  it.each([
    ['renderer', "import type { A } from '#core/a';", 'may not use core'],
    ['web', "import { openCore } from '#core';", 'may not construct core: openCore'],
    ['mcp', "import { createCore as make } from '#core';", 'may not construct core: createCore'],
    ['core', "import { app } from 'electron';", 'may not use electron'],
    ['cli', "import { app } from 'electron/main';", 'may not use electron'],
    ['preload', "import { a } from '#kernel/a';", 'may not use kernel'],
    ['protocol', "import { readFileSync } from 'node:fs';", 'protocol has no Node'],
    ['shared', '', 'is in no part'],
  ])('what %s may not', (part, source, breach) => {
    expect(importBreaches(at(`src/${part}/x.ts`, source))).toContainEqual(expect.stringContaining(breach));
  });

  it('core in the first file of the app', () => {
    const source = "import { openCore } from '#core';";
    expect(importBreaches(at('src/main/index.ts', source))).toEqual([expect.stringContaining('core-process does')]);
    expect(importBreaches(at('src/main/core-process.ts', source))).toEqual([]);
  });

  it('nothing wrong in what the table allows', () => {
    expect(importBreaches(at('src/cli/x.ts', "import { openCore } from '#core';\nimport { z } from 'zod';\nimport 'node:fs';"))).toEqual(
      [],
    );
    expect(importBreaches(at('src/core/a/x.ts', "import { y } from './y';\nimport { z } from '../b/z';\nimport '#core/c';"))).toEqual([]);
    expect(importBreaches(at('src/main/x.ts', "import { app } from 'electron';"))).toEqual([]);
    expect(importBreaches(at('src/kernel/x.ts', "// import { a } from '#core/a';\nconst text = \"import '#core/a'\";"))).toEqual([]);
  });

  it('a table whose parts are all in the table, without a circle', () => {
    const reaches = (from: string): string[] => (mayUse[from] ?? []).flatMap((part) => [part, ...reaches(part)]);
    for (const [part, used] of Object.entries(mayUse)) {
      expect(reaches(part)).not.toContain(part);
      for (const name of used) expect(mayUse).toHaveProperty(name);
    }
  });

  it('names that say nothing or are not kebab-case', () => {
    for (const name of ['utils', 'git-helpers', 'common', 'misc', 'tab-manager', 'service', 'types', 'TabBar', 'tab_bar', 'tabBar']) {
      expect(nameBreaches(at(`src/core/${name}.ts`, '')), name).not.toEqual([]);
    }
    expect(nameBreaches(at('src/core/utils/a.ts', ''))).not.toEqual([]);
    for (const name of ['tab-bar', 'ledger', 'sha256', 'prototype', 'commonmark'])
      expect(nameBreaches(at(`src/core/${name}.ts`, ''))).toEqual([]);
  });

  it('a file that is too long, and many that are rather long', () => {
    const long = (lines: number) => 'x\n'.repeat(lines);
    expect(sizeBreaches([at('a', long(601)), at('b', ''), at('c', '')])).toContain('a has 601 lines, more than 600');
    expect(sizeBreaches([at('a', long(600)), at('b', ''), at('c', '')], new Map())).toEqual([expect.stringContaining('95th percentile')]);
    expect(sizeBreaches([at('a', long(601)), ...Array.from({ length: 40 }, () => at('b', ''))], new Map([['a', 'a table']]))).toEqual([]);
    expect(sizeBreaches([at('a', long(151)), at('b', long(151)), at('c', '')])).toEqual([
      expect.stringContaining('the median file has 151'),
    ]);
  });

  it.each(['function a() {}', 'const a = 1;', 'interface A {}', 'type A = 1;', 'async function a() {}', 'class A {}'])(
    'export %s without a doc comment',
    (declaration) => {
      const found = (before: string) => docBreaches(at('x.ts', `${before}export ${declaration}`));
      expect(found('')).toHaveLength(1);
      expect(found('// Not a doc comment.\n')).toHaveLength(1);
      expect(found('/* Nor this. */\n')).toHaveLength(1);
      expect(found('/** Of b. */\nconst b = 1;\n')).toHaveLength(1);
      expect(found('/** What it is. */\n')).toEqual([]);
    },
  );

  it('no fault in the second of two overloads, nor in a re-export', () => {
    expect(
      docBreaches(
        at('x.ts', '/** Both. */\nexport function a(b: 1): 1;\nexport function a(b: 2): 2;\nexport function a(b: number) { return b; }'),
      ),
    ).toEqual([]);
    expect(docBreaches(at('x.ts', "export { a } from './a';\nexport {};"))).toEqual([]);
  });

  it('exports that have no name or not their own place', () => {
    expect(exportBreaches(at('x.ts', 'export default 1;'))).toEqual(['x.ts has a default export']);
    expect(exportBreaches(at('x.ts', 'export default 1;'), true)).toEqual([]);
    expect(exportBreaches(at('x.ts', "export * from './a';"))).toEqual(['x.ts has an `export *`']);
    expect(exportBreaches(at('x.ts', "export * as a from './a';"))).toEqual(['x.ts has an `export *`']);
    expect(exportBreaches(at('x.ts', 'const a = 1;\nexport { a };'))).toEqual(['x.ts exports a name apart from its declaration']);
    expect(exportBreaches(at('x.ts', 'export const = ;'))).toContain('x.ts does not parse');
    expect(exportBreaches(at('x.ts', "export { a } from './a';\nexport {};"))).toEqual([]);
  });

  it('traces of a machine', () => {
    const path = (...parts: string[]) => parts.join('/');
    for (const text of [path('', 'home', 'ada', 'x'), path('', 'Users', 'ada', 'x'), ['C:', 'Users', 'ada'].join('\\')]) {
      expect(traceBreaches(at('x', `see ${text}`)), text).toEqual(['x names a home folder']);
    }
    for (const text of [path('https:/', 'registry.example.org', 'a'), `"${'resolved'}": "a"`, `${'registry'} = a`]) {
      expect(traceBreaches(at('x', text)), text).toEqual(['x names a package registry']);
    }
    expect(traceBreaches(at('x', 'in /srv/desk/a'), ['/srv/desk', '/'])).toEqual(['x names a folder of this machine']);
    expect(traceBreaches(at('x', 'in tmp/srv/desk-two'), ['/srv/desk'])).toEqual([]);
  });
});
