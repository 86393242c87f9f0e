import { realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderArgument, realFile, realFolder } from '#main/argument';
import { temporaryFolder } from '../helpers/temporary';

describe('the folder that the program was started with', () => {
  it('is the first argument that is not for Chromium, resolved from where it was started', () => {
    expect(folderArgument(['electron', '.', '--no-sandbox', 'book'], true, resolve('/work'))).toBe(resolve('/work/book'));
    expect(folderArgument(['stemma', resolve('/book')], false, resolve('/work'))).toBe(resolve('/book'));
    expect(folderArgument(['electron', '.'], true, resolve('/work'))).toBeNull();
    expect(folderArgument(['stemma', '--enable-logging'], false, resolve('/work'))).toBeNull();
  });

  it('is the real one, for a file the one that it is in, and none where nothing is', () => {
    const folder = realpathSync(temporaryFolder());
    writeFileSync(join(folder, 'a.md'), '');
    expect(realFolder(folder)).toBe(folder);
    expect(realFolder(join(folder, '.', 'a.md'))).toBe(folder);
    expect(realFolder(join(folder, 'nowhere'))).toBeNull();
    expect([realFile(join(folder, '.', 'a.md')), realFile(folder), realFile(join(folder, 'nowhere'))]).toEqual([
      join(folder, 'a.md'),
      null,
      null,
    ]);
  });
});
