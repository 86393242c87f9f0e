import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { openCore } from '#core';
import { connect } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { copySample, sampleBeside, sampleFiles, sampleName } from '#web/sample';
import { openSite } from '../helpers/web.ts';
import { createFolder } from '../helpers/workspace.ts';

const checkout = join(import.meta.dirname, '..', '..');
const sample = join(checkout, 'resources', 'sample');

/** Every file under a folder with its bytes, whatever it is called. */
function treeOf(folder: string): [path: string, bytes: string][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return paths.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]);
}

const isDerived = ([path]: [string, string]) => /(^|[\\/])index\.db/u.test(path);

describe('the sample', () => {
  it('is copied byte for byte, its ledger too, and no index or lock with it', async () => {
    const wanted = treeOf(sample).filter((file) => !isDerived(file));
    expect(wanted.length).toBeGreaterThan(12);
    const root = await copySample(sample, createFolder('shelf'));
    expect(treeOf(root)).toEqual(wanted);
    expect(root).toMatch(new RegExp(`${sampleName}$`));
  });

  it('goes with the build as it lies in the checkout', () => {
    const built = sampleBeside(join(checkout, 'out', 'renderer'));
    expect(built).toBe(join(checkout, 'out', 'sample'));
    expect(treeOf(built)).toEqual(treeOf(sample).filter((file) => !isDerived(file)));
    expect(sampleBeside(join(createFolder('checkout'), 'out', 'renderer'))).toMatch(/resources.sample$/u);
  });

  it('leaves behind what a core has derived where it lies, and can be written where it lands', async () => {
    const installed = join(createFolder('installed'), 'sample');
    mkdirSync(join(installed, '.vmark'), { recursive: true });
    for (const name of ['a.md', '.vmark/index.db', '.vmark/index.db-lock', '.vmark/.gitignore']) writeFileSync(join(installed, name), name);
    chmodSync(join(installed, 'a.md'), 0o444);
    const root = await copySample(installed, createFolder('shelf'));
    expect(treeOf(root).map(([path]) => path)).toEqual([join('.vmark', '.gitignore'), 'a.md']);
    writeFileSync(join(root, 'a.md'), 'mine');
  });

  it('takes a name that is free, however many are taken, and touches nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 6 })), fc.boolean(), async (taken, isFile) => {
        const shelf = createFolder('shelf');
        const nameOf = (number: number) => (number === 1 ? sampleName : `${sampleName} ${number}`);
        for (const number of taken) {
          const path = join(shelf, nameOf(number));
          if (!isFile) mkdirSync(path);
          writeFileSync(isFile ? path : join(path, 'README.md'), 'mine');
        }
        const before = treeOf(shelf);
        const free = [1, 2, 3, 4, 5, 6, 7].find((number) => !taken.includes(number))!;
        const root = await copySample(sample, shelf);
        expect(root).toBe(join(shelf, nameOf(free)));
        expect(treeOf(shelf).filter(([path]) => !path.startsWith(nameOf(free) + root.charAt(shelf.length)))).toEqual(before);
      }),
      { numRuns: 12 },
    );
  });

  it('is refused where there is no folder, and where it would be read from a file', async () => {
    const shelf = createFolder('shelf');
    writeFileSync(join(shelf, 'note.md'), '');
    await expect(copySample(sample, join(shelf, 'nowhere'))).rejects.toMatchObject({ code: 'folder-missing' });
    await expect(copySample(sample, join(shelf, 'note.md'))).rejects.toMatchObject({ code: 'not-a-folder' });
    await expect(copySample(sample, 'shelf')).rejects.toMatchObject({ code: 'path-invalid' });
    await expect(copySample(join(shelf, 'no-sample'), shelf)).rejects.toMatchObject({ code: 'folder-missing' });
    expect(readdirSync(shelf)).toEqual(['note.md']);
  });

  it('shows one stale chapter, and is sound', async () => {
    const folder = await copySample(sample, createFolder('shelf'));
    const core = await openCore({ folder, env: { STEMMA_HOME: createFolder('home') } });
    const { artifacts, counts } = await core.breakdown({ all: false, scan: true });
    const verified = await core.verify({ restoreLines: false });
    await core.close();
    const rows = artifacts.flatMap(({ path, rows }) => rows.map(({ source, state }) => [path, source?.path, state]));
    expect(rows).toEqual([['chapters/03-the-fourth-step.md', 'bible/mira.md', 'version-stale']]);
    expect(counts.silenced).toBe(0);
    expect(verified).toMatchObject({ ok: true, problems: [] });
  });

  it('is copied and opened by the browser shell when a page asks', async () => {
    const site = await openSite();
    mkdirSync(join(dirname(site.rendererFolder), 'sample'));
    writeFileSync(join(dirname(site.rendererFolder), 'sample', 'a.md'), '# A\n');
    const cookie = await site.enter();
    const { shell } = connect(portFromWebSocket((await site.socket({ cookie, origin: site.origin })) as WebSocket));
    const into = createFolder('shelf');
    const { root } = await shell('shell/copy-sample', { into });
    expect([root, site.opened]).toEqual([join(into, sampleName), ['/first', root]]);
    expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe('# A\n');
    await expect(shell('shell/copy-sample', { into: join(into, 'nowhere') })).rejects.toMatchObject({ code: 'folder-missing' });
    expect(existsSync(join(into, 'nowhere'))).toBe(false);
  });

  it('has the files that the writer is told of', async () => {
    const files = await sampleFiles(sample);
    const readme = readFileSync(join(sample, 'README.md'), 'utf8');
    for (const named of ['outline.md', join('bible', 'mira.md')]) expect(files).toContain(named);
    expect(readme).toContain('Coherence breakdown');
  });
});
