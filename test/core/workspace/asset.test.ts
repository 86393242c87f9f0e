import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFolder, createPlace } from '../../helpers/workspace';

const bytes = Buffer.from('\x89PNG picture', 'latin1');
const request = { path: 'chapters/one.md', folder: 'assets', name: 'sea.png', bytes };

describe('a picture that is put beside a document', () => {
  it('lies in the assets folder of the document’s own folder, with a link from there', async () => {
    const place = createPlace();
    const core = await place.open();
    expect(await core.putAsset(request)).toEqual({ path: 'chapters/assets/sea.png', link: 'assets/sea.png' });
    expect(place.read('chapters/assets/sea.png')).toEqual(bytes);
    expect(await core.putAsset({ ...request, path: 'top.md', folder: 'pictures/here' })).toMatchObject({ link: 'pictures/here/sea.png' });
    expect(await core.putAsset({ ...request, folder: '../assets' })).toEqual({ path: 'assets/sea.png', link: '../assets/sea.png' });
    expect(existsSync(join(place.folder, '.vmark'))).toBe(false);
  });

  it('is put once, and never over another one', async () => {
    const place = createPlace();
    const core = await place.open();
    await core.putAsset(request);
    expect(await core.putAsset(request)).toMatchObject({ link: 'assets/sea.png' });
    const other = Buffer.from('another');
    expect(await core.putAsset({ ...request, bytes: other })).toMatchObject({ link: 'assets/sea-2.png' });
    expect(await core.putAsset({ ...request, bytes: other })).toMatchObject({ link: 'assets/sea-2.png' });
    expect(place.read('chapters/assets/sea.png')).toEqual(bytes);
    expect(readdirSync(join(place.folder, 'chapters/assets'))).toEqual(['sea-2.png', 'sea.png']);
  });

  it.each([
    [{ folder: '../../out' }, 'outside-workspace'],
    [{ folder: '/etc' }, 'path-invalid'],
    [{ folder: '.git/hooks' }, 'path-invalid'],
    [{ folder: '.vmark' }, 'path-invalid'],
    [{ folder: '.hidden' }, 'path-invalid'],
    [{ path: '../one.md' }, 'outside-workspace'],
    [{ name: 'run.sh' }, 'path-invalid'],
    [{ name: 'page.html' }, 'path-invalid'],
  ])('is refused outside of the workspace, and as anything but a picture: %o', async (part, code) => {
    const place = createPlace();
    const core = await place.open();
    const put = core.putAsset({ ...request, ...part });
    if ('folder' in part && part.folder === '/etc') expect((await put).path).toBe('chapters/etc/sea.png');
    else await expect(put).rejects.toMatchObject({ code });
    expect(existsSync(join(place.folder, '../out'))).toBe(false);
  });

  it('goes through no link', async () => {
    const [place, elsewhere] = [createPlace(), createFolder()];
    const core = await place.open();
    mkdirSync(join(place.folder, 'chapters/assets'), { recursive: true });
    symlinkSync(elsewhere, join(place.folder, 'chapters/out'));
    symlinkSync(join(elsewhere, 'sea.png'), join(place.folder, 'chapters/assets/sea.png'));
    await expect(core.putAsset({ ...request, folder: 'out' })).rejects.toMatchObject({ code: 'outside-workspace' });
    expect(await core.putAsset(request)).toMatchObject({ link: 'assets/sea-2.png' });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('gets a name that stays in its folder and in a link, whatever it is called', async () => {
    const place = createPlace();
    const core = await place.open();
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 60, unit: 'grapheme' }), async (name) => {
        const { path } = await core.putAsset({ ...request, name: `${name}.png` });
        expect(Buffer.byteLength(path)).toBeLessThan(280);
        expect(path).toMatch(/^chapters\/assets\/[^./][^/\\()[\]<>"#?*|\s]*\.png$/u);
      }),
      { numRuns: 40 },
    );
  });
});
