import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { readDocument } from '#core/document';
import { entryLine } from '#kernel/entry';
import { type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import type { CallInput, Client } from '#protocol/calls';
import { opened, openFace, saved } from '../../helpers/face.ts';
import { codeOf } from '../../helpers/fault.ts';
import { createTrackingPlace, entriesOf, type Place } from '../../helpers/workspace.ts';

const waiting = { group: 'waiting', offset: 0, limit: 200, search: '' } as const satisfies CallInput<'pair/page'>;

async function createPair() {
  const place: Place = createTrackingPlace();
  place.write('docs/api.md', '# API\n\nOne call.\n');
  place.write('docs/guide.md', '# Guide\n\nPress the button.\n');
  const { call } = await openFace(place);
  const { pair } = await call('pair/make', { technical: 'docs/api.md', human: 'docs/guide.md' });
  return { place, call, pair };
}

const rowsOf = async (call: Client) => {
  await call('breakdown/refresh', {});
  return (await call('pair/page', waiting)).rows;
};
const edit = async (call: Client, path: string, more: string) => saved(call, path, `${(await opened(call, path)).text}${more}`);
const hashesOf = async (call: Client, pair: string) => {
  const { technical, human } = await call('pair/look', { pair });
  return { technical: technical.hash!, human: human.hash! };
};

const sides = ['docs/api.md', 'docs/guide.md'];

/** The object at a path and its one head, as the ledger has them. */
function headOf(place: Place, path: string): { object: Uuid; heads: RevisionId[] } {
  const { object } = entriesOf(place, 'object-registered').find(({ body }) => body.path === path)!.body;
  const made = entriesOf(place, 'transformation').flatMap(({ body }) => body.outputs.filter((output) => output.object === object));
  return { object, heads: made.slice(-1).map(({ revision }) => revision) };
}

describe('a pair of documents', () => {
  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link out of the workspace', (path: string, secret: string) => symlinkSync(secret, path)],
    ['a link to itself', (path: string) => symlinkSync(basename(path), path)],
  ])('with %s in the place of one says that it is gone, shows and keeps nothing of it, and bars no other', async (_, put) => {
    const { place, call, pair } = await createPair();
    const secret = join(place.home, 'secret.md');
    writeFileSync(secret, '# A secret\n');
    place.write('docs/other.md', '# Other\n');
    await call('pair/make', { technical: 'docs/other.md', human: 'docs/guide.md' });
    const file = join(place.folder, 'docs/api.md');
    rmSync(file);
    put(file, secret);
    expect(await rowsOf(call)).toMatchObject([{ pair, gone: ['technical'], ahead: [] }]);
    expect(await call('pair/page', { ...waiting, group: 'fresh' })).toMatchObject({ total: 1 });
    const { technical, human } = await call('pair/look', { pair });
    expect([technical.now, technical.hash]).toEqual([null, null]);
    const hashes = { technical: readDocument(Buffer.from('# A secret\n'), 'secret.md').contentHash, human: human.hash! };
    expect(await codeOf(call('pair/confirm', { pair, hashes, note: '', idem: crypto.randomUUID() }))).not.toBe('nothing');
    expect(entriesOf(place, 'document-pair-confirmation')).toEqual([]);
    expect(await codeOf(call('pair/remove', { pair }))).toBe('nothing');
  });

  it('is in step as it is made, both tracked, with their contents kept', async () => {
    const { place, call, pair } = await createPair();
    expect(await rowsOf(call)).toEqual([]);
    const [entry] = entriesOf(place, 'document-pair');
    expect(entry).toMatchObject({ body: { pair, actor: { type: 'human' } } });
    expect(entriesOf(place, 'object-registered')).toHaveLength(2);
    const look = await call('pair/look', { pair });
    expect(look).toMatchObject({ state: 'fresh', technical: { path: 'docs/api.md' }, human: { before: '# Guide\n\nPress the button.\n' } });
    expect(look.technical.before).toBe(look.technical.now);
  });

  it('tells the one that the other has moved ahead, with the difference, until it is confirmed in step', async () => {
    const { place, call, pair } = await createPair();
    await edit(call, 'docs/api.md', '\nTwo calls.\n');
    const summary = await call('breakdown/refresh', {});
    expect(summary).toMatchObject({ pairs: { waiting: 1, fresh: 0 }, counts: { 'pair-ahead': 1 } });
    expect((await call('pair/page', waiting)).rows).toMatchObject([{ pair, state: 'pair-ahead', ahead: ['technical'], gone: [] }]);
    const { technical } = await call('pair/look', { pair });
    expect([technical.before, technical.now]).toEqual(['# API\n\nOne call.\n', '# API\n\nOne call.\n\nTwo calls.\n']);
    const confirm = { pair, hashes: await hashesOf(call, pair), note: 'the guide needs no word of it', idem: crypto.randomUUID() };
    expect([await call('pair/confirm', confirm), await call('pair/confirm', confirm)]).toEqual([{ changed: true }, { changed: false }]);
    expect(entriesOf(place, 'document-pair-confirmation')).toMatchObject([{ body: { pair, hashes: confirm.hashes } }]);
    expect((await call('pair/page', waiting)).total).toBe(0);
    const [act] = (await call('coherence/confirmations', { offset: 0, limit: 10 })).rows.flatMap(({ acts }) => acts);
    expect(act).toMatchObject({ by: { type: 'human' }, note: 'the guide needs no word of it', from: null });
    await call('pair/remove', { pair });
    expect(await call('coherence/confirmations', { offset: 0, limit: 10 })).toMatchObject({
      total: 1,
      rows: [{ kind: 'pair', pair, isGone: true, documents: { technical: { path: 'docs/api.md' }, human: { path: 'docs/guide.md' } } }],
    });
  });

  it('of which both were changed is one row, and is confirmed once', async () => {
    const { place, call, pair } = await createPair();
    place.write('docs/api.md', place.text('docs/api.md').replace('One', 'No'));
    place.write('docs/guide.md', place.text('docs/guide.md').replace('Press', 'Hold'));
    expect(await rowsOf(call)).toMatchObject([{ pair, ahead: ['technical', 'human'] }]);
    await call('pair/confirm', { pair, hashes: await hashesOf(call, pair), note: '', idem: crypto.randomUUID() });
    expect(await rowsOf(call)).toEqual([]);
  });

  it('of which both were saved before one look is one row, from the files and from the ledger alone', async () => {
    const { place, call, pair } = await createPair();
    await edit(call, 'docs/api.md', '\nTwo.\n');
    await edit(call, 'docs/guide.md', '\nMore.\n');
    expect(await rowsOf(call)).toMatchObject([{ pair, ahead: ['technical', 'human'] }]);
    expect((await (await place.open()).breakdown({ all: false, scan: false })).pairs).toMatchObject([
      { pair, ahead: ['technical', 'human'] },
    ]);
  });

  it('of which one save made both, as one entry of another program, is one row, and is confirmed once', async () => {
    const { place, call, pair } = await createPair();
    const outputs = sides.map((path) => {
      const text = `${place.text(path)}\nOne save.\n`;
      const { contentHash, masked } = readDocument(Buffer.from(text), path);
      place.write(path, text);
      place.write(`.vmark/snapshots/sha256/${contentHash.slice(7, 9)}/${contentHash.slice(9)}`, masked!);
      const { object, heads } = headOf(place, path);
      return { object, revision: revisionId(digest, contentHash, heads), content_hash: contentHash, parents: heads };
    });
    const body = {
      inputs: [],
      outputs,
      agent: { type: 'human', id: null },
      intent: { kind: 'edit', summary: 'both at once', prompt_hash: null },
      confidence: 'exact',
    } as const;
    const [id, idem, writer] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()] as [Uuid, Uuid, Uuid];
    const time = new Date().toISOString();
    place.write('.vmark/ledger/other.jsonl', entryLine({ id, idem, writer, time, kind: 'transformation', body }));
    const before = entriesOf(place, 'transformation').length;
    expect(await rowsOf(call)).toMatchObject([{ pair, ahead: ['technical', 'human'] }]);
    expect((await (await place.open()).breakdown({ all: false, scan: false })).pairs).toMatchObject([
      { pair, ahead: ['technical', 'human'] },
    ]);
    await call('pair/confirm', { pair, hashes: await hashesOf(call, pair), note: '', idem: crypto.randomUUID() });
    expect(await rowsOf(call)).toEqual([]);
    expect(entriesOf(place, 'transformation')).toHaveLength(before);
    expect(entriesOf(place, 'document-pair-confirmation')).toHaveLength(1);
  });

  it('is not confirmed over a text that nobody looked at', async () => {
    const { place, call, pair } = await createPair();
    await edit(call, 'docs/api.md', '\nTwo.\n');
    const hashes = await hashesOf(call, pair);
    place.write('docs/guide.md', place.text('docs/guide.md').replace('Press', 'Hold'));
    expect(await codeOf(call('pair/confirm', { pair, hashes, note: '', idem: crypto.randomUUID() }))).toBe('pair-moved');
    expect(entriesOf(place, 'document-pair-confirmation')).toEqual([]);
  });

  it('goes along when a document is renamed, and says which one is gone', async () => {
    const { place, call, pair } = await createPair();
    const text = place.text('docs/guide.md');
    place.remove('docs/guide.md');
    place.write('people/handbook.md', text);
    expect(await rowsOf(call)).toEqual([]);
    await edit(call, 'people/handbook.md', '\nMore.\n');
    expect(await rowsOf(call)).toMatchObject([{ human: { path: 'people/handbook.md' }, ahead: ['human'] }]);
    place.remove('people/handbook.md');
    expect(await rowsOf(call)).toMatchObject([{ pair, state: 'fresh', ahead: [], gone: ['human'] }]);
    expect((await call('breakdown/refresh', {})).counts['pair-ahead']).toBe(0);
  });

  it('is taken apart for good, refused with itself and twice', async () => {
    const { place, call, pair } = await createPair();
    const make = (technical: string, human: string) => codeOf(call('pair/make', { technical, human }));
    expect(await make('docs/guide.md', 'docs/api.md')).toBe('pair-exists');
    expect(await make('docs/api.md', './docs/api.md')).toBe('pair-itself');
    expect(await make('docs/api.md', 'docs/none.md')).toBe('file-missing');
    await call('pair/remove', { pair });
    expect(entriesOf(place, 'document-pair-removal')).toHaveLength(1);
    expect(await codeOf(call('pair/look', { pair }))).toBe('pair-unknown');
    expect(await make('docs/guide.md', 'docs/api.md')).toBe('nothing');
  });

  it('fails stemma check, and reads the same from the ledger alone', async () => {
    const { place, call } = await createPair();
    await edit(call, 'docs/guide.md', '\nMore.\n');
    const core = await place.open();
    const check = await core.check({ failOn: ['pair-ahead'] });
    expect(check).toMatchObject({ ok: false, failing: { 'pair-ahead': 1 } });
    expect((await core.breakdown({ all: false, scan: false })).pairs).toEqual(check.breakdown.pairs);
  });
});
