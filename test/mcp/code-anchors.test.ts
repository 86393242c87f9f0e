import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgents } from '#core/agents';
import { realDisk } from '#core/storage/disk';
import { openAgent } from '../helpers/agent.ts';
import { countKinds, createPlace, createTrackingPlace, entriesOf, type Place } from '../helpers/workspace.ts';

const code = (line = '') =>
  `export function readRows(text: string): string[] {\n  const lines = text.split("\\n");\n${line}  return lines.map((one) => one.trim());\n}\n`;

function createStory(place: Place = createTrackingPlace()): Place {
  place.write('docs/rows.md', '# Rows\n\n## Reading\n\nRows are trimmed.\n');
  place.write('src/rows.ts', code());
  return place;
}

const add = { action: 'add', path: 'docs/rows.md', file: 'src/rows.ts', symbol: 'readRows' };

describe('code anchors for agents', () => {
  it('are added and confirmed under the name of the token, never as a person', async () => {
    const place = createStory();
    const { token } = openAgents(realDisk, place.home).add('Scribe');
    const { ask, refused } = await openAgent(place, token);
    const declared = await ask('code_anchors', { action: 'declarations', file: 'src/rows.ts' });
    expect(declared.declarations).toMatchObject([{ kind: 'function', qualified_name: 'readRows' }]);
    const { id } = await ask('code_anchor_write', { ...add, section: ['Rows', 'Reading'], kind: 'function' });
    place.write('src/rows.ts', code('  if (lines.length > 9) return [];\n'));
    const [checked] = (await ask('code_anchors', { action: 'check', path: 'docs/rows.md' })).anchors;
    expect(checked).toMatchObject({ id, state: 'stale', detail: { reason: 'body_changed' } });
    expect((await refused('code_anchor_write', { action: 'confirm', id, hash_seen: checked.detail.expected_hash })).error.code).toBe(
      'anchor-moved',
    );
    const seen = checked.detail.actual_hash;
    expect(await ask('code_anchor_write', { action: 'confirm', id, hash_seen: seen, note: 'still trims' })).toMatchObject({
      changed: true,
    });
    const actor = { type: 'external', id: 'Scribe' };
    expect(entriesOf(place, 'code-anchor')).toMatchObject([{ body: { section: ['Rows', 'Reading'], actor } }]);
    expect(entriesOf(place, 'code-anchor-confirmation')).toMatchObject([{ body: { note: 'still trims', actor } }]);
    expect((await ask('code_anchors', { action: 'list' })).anchors).toMatchObject([{ id, state: 'fresh' }]);
  });

  it('are checked without a line being written', async () => {
    const place = createStory();
    const { ask } = await openAgent(place);
    await ask('code_anchor_write', add);
    const before = countKinds(place);
    place.write('src/rows.ts', 'export {};\n');
    expect((await ask('code_anchors', { action: 'check' })).anchors).toMatchObject([{ state: 'lost' }]);
    expect(countKinds(place)).toEqual(before);
    expect(entriesOf(place, 'code-anchor')).toMatchObject([{ body: { actor: { type: 'external', id: 'mcp-client' } } }]);
  });

  it('are refused with what to do next, and nothing is written then', async () => {
    const place = createStory();
    symlinkSync(join(place.folder, 'src/rows.ts'), join(place.folder, 'link.ts'));
    const { refused } = await openAgent(place);
    const code = async (args: object) => (await refused('code_anchor_write', { ...add, ...args })).error.code;
    expect(await code({ symbol: 'readRow' })).toBe('no-such-declaration');
    expect(await code({ symbol: undefined })).toBe('arguments-invalid');
    expect(await code({ lines: '1-2' })).toBe('arguments-invalid');
    expect(await code({ symbol: undefined, lines: '70-90' })).toBe('range-invalid');
    expect(await code({ section: ['Nowhere'] })).toBe('section-unknown');
    expect(await code({ path: 'src/rows.ts' })).toBe('not-a-document');
    for (const file of ['../x.ts', '.git/config', '.vmark/x.ts'])
      expect(['outside-workspace', 'path-invalid']).toContain(await code({ file }));
    expect(await code({ file: '/etc/passwd' })).toBe('path-absolute');
    expect(await code({ file: 'link.ts' })).toBe('is-a-link');
    expect(await code({ action: 'confirm' })).toBe('arguments-invalid');
    expect([...place.tree().keys()].filter((path) => path.startsWith('.vmark'))).toEqual([]);
    const stranger = await openAgent(place, 'stemma_nobody');
    expect((await stranger.refused('code_anchor_write', add)).error.code).toBe('agent-unknown');
  });

  it('are nothing where provenance is off', async () => {
    const place = createStory(createPlace());
    const { refused } = await openAgent(place);
    for (const action of ['list', 'check']) expect((await refused('code_anchors', { action })).error.code).toBe('no-workspace-record');
    expect((await refused('code_anchor_write', add)).error.code).toBe('no-workspace-record');
  });
});
