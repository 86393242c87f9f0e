import { describe, expect, it } from 'vitest';
import type { CallInput, Client } from '#protocol/calls';
import { openFace } from '../../helpers/face.ts';
import { codeOf } from '../../helpers/fault.ts';
import { createPlace, createTrackingPlace, entriesOf, type Place } from '../../helpers/workspace.ts';

const waiting = { group: 'waiting', offset: 0, limit: 200, search: '' } as const satisfies CallInput<'anchor/page'>;
const functionOf = (name: string, line = '') =>
  `export function ${name}(text: string): string[] {\n  const parts = text.split(",");\n${line}  return parts.map((part) => part.trim() + "${name}");\n}\n`;

function createStory(): Place {
  const place = createTrackingPlace();
  place.write('docs/a.md', '# Rows\n\nHow rows are read.\n\n# Columns\n\nHow columns are read.\n');
  place.write('src/rows.ts', functionOf('readRows') + functionOf('readColumns'));
  return place;
}

const add = async (call: Client, name: string, section: string[] = []) => {
  const target = { kind: 'declaration', name, declared: null } as const;
  return (await call('anchor/add', { path: 'docs/a.md', section, repository: null, file: 'src/rows.ts', target })).id;
};

/** Two anchors, of which the first one's code has changed since. */
async function createChanged() {
  const place = createStory();
  const { call } = await openFace(place);
  const [rows, columns] = [await add(call, 'readRows', ['Rows']), await add(call, 'readColumns', ['Columns'])];
  place.write('src/rows.ts', functionOf('readRows', '  void text;\n') + functionOf('readColumns'));
  const summary = await call('breakdown/refresh', {});
  return { place, call, rows, columns, summary };
}

describe('code anchors in the window', () => {
  it('are counted by the breakdown, and those that ask something come in pages', async () => {
    const { place, call, rows, summary } = await createChanged();
    expect(summary.code).toMatchObject({ complete: true, limit: null, waiting: 1, unchecked: 0, fresh: 1, retired: 0 });
    const page = await call('anchor/page', waiting);
    expect(page).toMatchObject({ asOf: summary.asOf, total: 1, rows: [{ isUnchecked: false, anchor: { id: rows, state: 'stale' } }] });
    expect((await call('anchor/page', { ...waiting, search: 'COLUMNS' })).total).toBe(0);
    expect((await call('anchor/page', { ...waiting, group: 'fresh' })).rows).toHaveLength(1);
    expect(entriesOf(place, 'code-anchor-observation')).toHaveLength(1);
  });

  it('show the code then and now, beside the section that describes it', async () => {
    const { call, rows } = await createChanged();
    const look = await call('anchor/look', { id: rows });
    expect(look).toMatchObject({ text: '# Rows\n\nHow rows are read.\n\n', before: { start: 1, end: 4 }, now: { start: 1, end: 5 } });
    expect(look.before.text).toBe(functionOf('readRows').trimEnd());
    expect(look.now?.text).toBe(functionOf('readRows', '  void text;\n').trimEnd());
    expect(look.hash).toBe(look.anchor.detail.actual_hash);
  });

  it('are confirmed as they were shown, once, and refused when the code moved after that', async () => {
    const { place, call, rows } = await createChanged();
    const { hash } = await call('anchor/look', { id: rows });
    const confirm = { id: rows, hashSeen: hash!, note: '', idem: crypto.randomUUID() };
    place.write('src/rows.ts', functionOf('readRows', '  void parts;\n'));
    expect(await codeOf(call('anchor/confirm', confirm))).toBe('anchor-moved');
    expect(entriesOf(place, 'code-anchor-confirmation')).toEqual([]);
    const again = await call('anchor/look', { id: rows });
    const seen = { ...confirm, hashSeen: again.hash! };
    expect([await call('anchor/confirm', seen), await call('anchor/confirm', seen)]).toEqual([{ changed: true }, { changed: false }]);
    expect(entriesOf(place, 'code-anchor-confirmation')).toMatchObject([{ body: { from: 'stale', actor: { type: 'human' } } }]);
    expect((await call('anchor/page', waiting)).total).toBe(0);
    const log = () => call('coherence/confirmations', { offset: 0, limit: 10 });
    const named = { document: { path: 'docs/a.md' }, section: ['Rows'], declared: { kind: 'function', qualified_name: 'readRows' } };
    expect(await log()).toMatchObject({
      total: 1,
      rows: [{ kind: 'code', anchor: rows, isGone: false, ...named, acts: [{ from: 'stale' }] }],
    });
    await call('anchor/remove', { id: rows });
    expect(await log()).toMatchObject({ total: 1, rows: [{ isGone: true, ...named }] });
    expect(await call('coherence/confirmations', { offset: 1, limit: 10 })).toEqual({ total: 1, rows: [] });
  });

  it('that are lost are bound anew, removed, or said to describe removed code, and taken up again', async () => {
    const { place, call, rows, columns } = await createChanged();
    place.write('src/rows.ts', functionOf('parse'));
    await call('breakdown/refresh', {});
    expect((await call('anchor/page', waiting)).rows.map(({ anchor }) => anchor.state)).toEqual(['lost', 'lost']);
    await call('anchor/retire', { id: rows, reason: 'since 2.0' });
    const { retired } = await call('anchor/page', { ...waiting, group: 'retired' });
    expect(retired).toMatchObject([{ id: rows, retired: { reason: 'since 2.0' } }]);
    await call('anchor/retire', { id: rows, reason: null });
    expect((await call('anchor/page', waiting)).total).toBe(2);
    const target = { kind: 'declaration', name: 'parse', declared: 'function' } as const;
    await call('anchor/rebind', { id: rows, repository: null, file: 'src/rows.ts', target });
    await call('anchor/remove', { id: columns });
    expect((await call('anchor/page', waiting)).total).toBe(0);
    expect((await call('anchor/page', { ...waiting, group: 'fresh' })).rows).toMatchObject([{ anchor: { qualified_name: 'parse' } }]);
  });

  it('are listed for a document without a look at the code, also where nothing is known of it', async () => {
    const { call, rows } = await createChanged();
    const { anchors } = await call('anchor/of-document', { path: 'docs/a.md' });
    expect(anchors.map(({ document }) => document.section)).toEqual([['Columns'], ['Rows']]);
    expect(anchors[1]).toMatchObject({ id: rows, line_start: 1 });
    expect(await call('anchor/of-document', { path: 'src/rows.ts' })).toEqual({ anchors: [] });
    const bare = createPlace();
    bare.write('a.md', 'a\n');
    expect(await (await openFace(bare)).call('anchor/of-document', { path: 'a.md' })).toEqual({ anchors: [] });
  });

  it('are chosen from files and from what a file declares', async () => {
    const { place, call } = await createChanged();
    place.write('settings.toml', 'a = 1\n');
    const { files } = await call('code/files', { repository: null });
    expect(files).toEqual(['docs/a.md', 'settings.toml', 'src/rows.ts']);
    const code = await call('code/declarations', { repository: null, file: 'src/rows.ts' });
    expect(code).toMatchObject({ language: 'typescript', parseErrors: 0 });
    expect(code.declarations.map(({ name }) => name)).toEqual(['readRows', 'readColumns']);
    const plain = await call('code/declarations', { repository: null, file: 'settings.toml' });
    expect(plain).toEqual({ language: null, text: 'a = 1\n', declarations: [], parseErrors: 0 });
  });
});
