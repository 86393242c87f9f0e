import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPicture } from '#web/picture';
import { openSite } from '../helpers/web.ts';
import { createFolder } from '../helpers/workspace.ts';

function album() {
  const folder = createFolder();
  const root = join(folder, 'book');
  mkdirSync(join(root, 'assets'), { recursive: true });
  mkdirSync(join(root, '.vmark'));
  writeFileSync(join(root, 'assets/sea view é.png'), 'png');
  writeFileSync(join(root, 'notes.md'), 'secret');
  writeFileSync(join(root, '.vmark/a.png'), 'secret');
  writeFileSync(join(folder, 'outside.png'), 'secret');
  symlinkSync(join(folder, 'outside.png'), join(root, 'link.png'));
  symlinkSync(join(root, 'notes.md'), join(root, 'text.png'));
  return root;
}

describe('a picture of a workspace', () => {
  it.each([
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ])('is found by its name in %s where it and its folder are kept in %s, and by no other name', async (asked, kept) => {
    const root = album();
    const name = (form: string) => 'été/vue de café.png'.normalize(form);
    mkdirSync(dirname(join(root, name(kept))));
    writeFileSync(join(root, name(kept)), 'found');
    const path = (text: string) => `/file/${text.split('/').map(encodeURIComponent).join('/')}`;
    expect((await readPicture(root, path(name(asked))))?.bytes.toString()).toBe('found');
    expect(await readPicture(root, path(name(asked).replace('vue', 'vüe')))).toBeNull();
  });

  it('is given by its encoded path', async () => {
    const found = await readPicture(album(), '/file/assets/sea%20view%20%C3%A9.png');
    expect(found).toMatchObject({ type: 'image/png', bytes: Buffer.from('png') });
  });

  it.each([
    ['a link out of it', 'link.png'],
    ['a link to what is no picture', 'text.png'],
    ['a document', 'notes.md'],
    ['a hidden folder', '.vmark/a.png'],
    ['the parent', '../outside.png'],
    ['an encoded separator', '..%2foutside.png'],
    ['a broken escape', '%E0%A4%A.png'],
    ['a NUL', 'a%00.png'],
    ['a folder', 'assets'],
    ['nothing', ''],
  ])('is none for %s', async (_, path) => {
    expect(await readPicture(album(), `/file/${path}`)).toBeNull();
  });

  it('is never anything outside, whatever the path', async () => {
    const root = album();
    const piece = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '/',
      '%2f',
      '%5c',
      '\\',
      'assets',
      'outside.png',
      'link.png',
      '.vmark',
      'a.png',
      '%00',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 10 }), async (pieces) => {
        expect((await readPicture(root, `/file/${pieces.join('')}`))?.bytes.toString()).not.toBe('secret');
      }),
    );
  });

  it('is shown to a browser that is in, of an open workspace only, and can do nothing by itself', async () => {
    const root = album();
    writeFileSync(join(root, 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const site = await openSite({}, { folder: root });
    const cookie = await site.enter();
    const svg = await site.get('/file/a.svg', { cookie });
    expect(svg).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' } });
    expect(svg.headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect((await site.get(`/file/a.svg?folder=${encodeURIComponent(root)}`, { cookie })).status).toBe(200);
    expect((await site.get('/file/a.svg?folder=%2Felsewhere', { cookie })).status).toBe(404);
    expect((await site.get('/file/notes.md', { cookie })).status).toBe(404);
    expect((await site.get('/file/a.svg')).status).toBe(401);
  });
});
