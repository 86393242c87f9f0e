import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, samplesOf } from '#core/text-encoding';
import { type Encoding, encodings } from '#protocol/encoding';
import { openFace } from '../helpers/face.ts';
import { createPlace, createTrackingPlace } from '../helpers/workspace.ts';

const legacy = encodings.filter((encoding) => encoding !== 'utf-8');
const newIdem = () => crypto.randomUUID();
/** What each of them must be able to say. */
const said: Readonly<Partial<Record<Encoding, string>>> = {
  'utf-16le': '\ufeffŽluťoučký 😀\r\n',
  'utf-16be': '\ufeffŽluťoučký 😀\r\n',
  'windows-1252': 'Café “naïve” – €\r\n',
  'iso-8859-15': 'cœur €\n',
  'windows-1250': 'Žluťoučký kůň\n',
  'windows-1251': 'Привет, мир\n',
  'koi8-r': 'Привет, мир\n',
  'windows-1253': 'Καλημέρα\n',
  'windows-1255': 'שלום\n',
  shift_jis: '日本語のテキスト\n',
  'euc-jp': '日本語のテキスト\n',
  gb18030: '中文 😀\n',
  big5: '中文\n',
  'euc-kr': '안녕하세요\n',
};

describe('a file in an encoding', () => {
  it('that is read and written again has the same bytes, or is read only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(...encodings), (raw, encoding) => {
        const bytes = Buffer.from(raw);
        const decoded = decodeText('a.md', bytes, { encoding, chosen: true });
        if (decoded === null || decoded.readOnly !== undefined) return;
        expect(encodeText('a.md', decoded.text, decoded.encoding).equals(bytes)).toBe(true);
      }),
    );
  });

  it('writes every text that it can, and refuses with the character that it cannot, never another in its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...legacy), (text, encoding) => {
        try {
          expect(decodeText('a.md', encodeText('a.md', text, encoding), { encoding, chosen: true })?.text).toBe(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'encoding-unfit', detail: { path: 'a.md', encoding } });
        }
      }),
    );
    for (const [encoding, text] of Object.entries(said) as [Encoding, string][]) {
      expect(decodeText('a.md', encodeText('a.md', text, encoding), { encoding })).toEqual({ text, encoding });
    }
    expect(() => encodeText('a.md', 'naïve 日', 'windows-1252')).toThrow('“日”');
  });

  it('is UTF-8 as soon as it is written so, unless a person chose otherwise; a mark tells UTF-16, and NULs no text', () => {
    const bytes = Buffer.from('Café\n');
    expect(decodeText('a.md', bytes, { encoding: 'windows-1252' })).toEqual({ text: 'Café\n', encoding: 'utf-8' });
    expect(decodeText('a.md', bytes, { encoding: 'windows-1252', chosen: true })).toEqual({ text: 'CafÃ©\n', encoding: 'windows-1252' });
    expect(decodeText('a.md', Buffer.from('\ufeffé', 'utf16le'), {})).toEqual({ text: '\ufeffé', encoding: 'utf-16le' });
    expect(decodeText('a.md', Buffer.from([0xff, 0, 1, 2]), {})).toBeNull();
    expect(decodeText('a.md', Buffer.from('Caf\u00e9', 'latin1'), {})).toEqual({
      text: 'Caf\ufffd',
      encoding: 'utf-8',
      readOnly: 'not-utf-8',
    });
  });

  it('shows how it would read in each, and which would keep its bytes', () => {
    const samples = samplesOf(Buffer.concat([Buffer.alloc(500, 'x '), Buffer.from('un café solo', 'latin1')]));
    expect(samples.map(({ encoding }) => encoding)).toEqual(encodings);
    expect(samples.find(({ encoding }) => encoding === 'windows-1252')).toMatchObject({
      isExact: true,
      text: expect.stringContaining('un café solo'),
    });
    expect(samples.find(({ encoding }) => encoding === 'utf-8')).toMatchObject({ isExact: false });
  });

  it('shows text and not what stands in front of it', () => {
    const block = '---\nvmark:\n  id: 01998f2e-7c1a-7d2b-9c3d-4e5f60718293\n---\n';
    const shown = (text: string) => samplesOf(Buffer.from(text)).find(({ encoding }) => encoding === 'utf-8')?.text;
    expect(shown(`${block}# The ferry\n`)).toBe('# The ferry');
    expect(shown(`${block}olé, and more\n`)).toBe('olé, and more');
    expect(shown('---\ntitle: Café\n---\ntext\n')).toContain('Café');
    expect(shown('---\ntitle: x\n---\n')).toContain('title: x');
  });
});

describe('a document in another encoding', () => {
  it('is saved in it, conflicts in it, and changes it, each time to the byte', async () => {
    const place = createPlace();
    const { call } = await openFace(place);
    const latin = (text: string) => Buffer.from(text, 'latin1');
    place.write('a.md', latin('café\r\n'));
    expect(await call('document/open', { path: 'a.md' })).toMatchObject({ readOnly: 'not-utf-8' });
    const opened = await call('document/open', { path: 'a.md', encoding: 'iso-8859-1', chosen: true });
    expect(opened).toMatchObject({ text: 'café\r\n', encoding: 'iso-8859-1' });
    const base = opened.kind === 'text' ? opened.base : null;
    const save = { path: 'a.md', text: 'café olé\r\n', base, idem: newIdem(), encoding: 'iso-8859-1' as const };
    await expect(call('document/save', { ...save, text: 'café €\r\n' })).rejects.toMatchObject({ code: 'encoding-unfit' });
    expect(place.read('a.md').equals(latin('café\r\n'))).toBe(true);
    expect(await call('document/save', save)).toMatchObject({ kind: 'saved', text: 'café olé\r\n' });
    expect(place.read('a.md').equals(latin('café olé\r\n'))).toBe(true);
    expect(await call('document/save', { ...save, text: 'x', idem: newIdem() })).toMatchObject({
      kind: 'conflict',
      text: 'café olé\r\n',
      encoding: 'iso-8859-1',
    });
  });

  it('is recorded by its path where provenance is on, and no block is put into it', async () => {
    const place = createTrackingPlace();
    const { call } = await openFace(place);
    const bytes = Buffer.from('\ufeffOne\n', 'utf16le');
    place.write('a.md', bytes);
    const opened = await call('document/open', { path: 'a.md' });
    const base = opened.kind === 'text' ? opened.base : null;
    const saved = await call('document/save', { path: 'a.md', text: '\ufeffOne é\n', base, idem: newIdem(), encoding: 'utf-16le' });
    expect(saved).toMatchObject({ kind: 'saved', text: '\ufeffOne é\n', recorded: { kind: 'recorded' }, tracking: { by: 'path' } });
    expect(place.read('a.md').equals(Buffer.from('\ufeffOne é\n', 'utf16le'))).toBe(true);
  });
});
