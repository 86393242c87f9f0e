import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgents } from '#core/agents';
import { realDisk } from '#core/storage/disk';
import { connectAgent, openAgent, openAgentCore, type Said } from '../helpers/agent.ts';
import {
  countKinds,
  createFolder,
  createPlace,
  createTrackingPlace,
  entriesOf,
  type Place,
  recording,
  stamped,
} from '../helpers/workspace.ts';

const elena = '# Elena\n\nGreen eyes.\n';

/** The inputs of the newest write, by path and role, and who made it. */
function newestWrite(place: Place) {
  const registered = new Map(entriesOf(place, 'object-registered').map(({ body }) => [body.object, body.path]));
  const { body } = entriesOf(place, 'transformation').findLast((entry) => entry.body.intent.kind === 'mcp-document-write')!;
  const inputs = body.inputs.map((input) => ({ path: registered.get(input.object), revision: input.revision, role: input.role }));
  return { inputs, agent: body.agent, confidence: body.confidence, summary: body.intent.summary };
}

const rolesOf = (place: Place) => newestWrite(place).inputs.map(({ path, role }) => `${path} ${role}`);

describe('the tools', () => {
  it('are listed with annotations and schemas, and what only reads is marked so', async () => {
    const { client } = await openAgent(createPlace());
    const { tools } = await client.listTools();
    const readOnly = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
    expect(readOnly).toEqual({
      workspace: true,
      document: true,
      document_write: false,
      coherence: true,
      coherence_resolve: false,
      code_anchors: true,
      code_anchor_write: false,
    });
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      expect(annotations).toMatchObject({ destructiveHint: expect.any(Boolean), idempotentHint: expect.any(Boolean) });
      expect(inputSchema).toMatchObject({ type: 'object', required: expect.arrayContaining(['action']) });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(description).toMatch(/\.$/u);
    }
  });

  it('say which argument is wrong, and take a null as left out', async () => {
    const place = createPlace();
    place.write('a.md', elena);
    const { ask, refused } = await openAgent(place);
    expect(await refused('document', { action: 'read' })).toMatchObject({
      error: { code: 'arguments-invalid', detail: { call: 'document read', problem: expect.stringContaining('path') } },
    });
    for (const args of [{}, { action: 'erase' }, { action: 'read', path: 7 }, { action: 'read', path: 'a.md', also: 1 }]) {
      expect((await refused('document', args)).error.code).toBe('arguments-invalid');
    }
    expect(await ask('workspace', { action: 'list', path: null, query: null })).toMatchObject({ total: 1 });
  });
});

describe('what an agent reads', () => {
  it('has LF, no BOM and no id, and its hash is that of the command line', async () => {
    const place = createPlace();
    place.write('a.md', Buffer.from(`\uFEFF# A\r\nline\rend`));
    place.write('b.md', stamped(randomUUID(), elena).replaceAll('\n', '\r\n'));
    const { read } = await openAgent(place);
    expect(await read('a.md')).toMatchObject({ text: '# A\nline\nend', tracked: false, id: null, revision: null, coherence: null });
    expect((await read('b.md')).text).toBe(elena);
  });

  it('is listed and searched without what git ignores, what is no document, and links', async () => {
    const place = createPlace();
    for (const path of ['b/elena.md', 'a.md', 'drafts/x.md', 'note.txt', '.vmark/x.md']) place.write(path, elena);
    place.write('.gitignore', 'drafts/\n');
    symlinkSync(join(place.folder, 'a.md'), join(place.folder, 'link.md'));
    const { ask } = await openAgent(place);
    const listed = await ask('workspace', { action: 'list' });
    expect(listed.documents.map(({ path }: Said) => path)).toEqual(['a.md', 'b/elena.md']);
    for (const path of ['b/', 'b', 'b/elena.md']) expect((await ask('workspace', { action: 'list', path })).documents).toHaveLength(1);
    const found = await ask('workspace', { action: 'search', query: 'GREEN eyes.' });
    expect(found.hits.map(({ path }: Said) => path)).toEqual(['a.md', 'b/elena.md']);
    expect(found.hits[0].matches).toEqual([{ line: 3, text: 'Green eyes.' }]);
    expect((await ask('workspace', { action: 'search', query: 'Green.eyes' })).hits).toEqual([]);
  });

  it('is outlined in the lines of the text', async () => {
    const place = createPlace();
    place.write('a.md', stamped(randomUUID(), '# One\n\ntext\n\n## Two\n\n```\n# no\n```\n# Three\n'));
    const { ask } = await openAgent(place);
    const { headings } = await ask('document', { action: 'outline', path: 'a.md' });
    expect(headings.map(({ text, level, line, end_line }: Said) => [text, level, line, end_line])).toEqual([
      ['One', 1, 1, 9],
      ['Two', 2, 5, 9],
      ['Three', 1, 10, 10],
    ]);
  });

  it('tells how it stood in the last breakdown that was computed, and null before', async () => {
    const place = createTrackingPlace();
    place.write('bible.md', elena);
    place.write('one.md', '# One\n');
    const { host, call } = await openAgentCore(place);
    await (await place.open()).record(recording('one.md', 'bible.md'));
    const { read, ask } = await connectAgent(call);
    expect((await read('one.md')).coherence).toBeNull();
    place.write('bible.md', place.text('bible.md').replace('Green', 'Grey'));
    await ask('coherence', { action: 'edges' });
    expect((await read('one.md')).coherence).toEqual({ as_of: expect.any(String), changed: 1, code: 0 });
    expect((await read('bible.md')).coherence).toMatchObject({ changed: 0 });
    expect(host.root).toBe(place.folder);
  });
});

describe('a write', () => {
  it('rests on exactly what was read, at what was read, and the next one on nothing', async () => {
    const place = createTrackingPlace();
    for (const path of ['bible.md', 'plan.md', 'other.md']) place.write(path, `${elena}${path}\n`);
    await (await place.open()).track({ paths: null, dryRun: false });
    const { ask, read } = await openAgent(place);
    const bible = await read('bible.md');
    await ask('workspace', { action: 'search', query: 'plan.md' });
    const { inputs, agent, recorded, left_out } = await ask('document_write', { action: 'create', path: 'ch/one.md', text: '# One\n' });
    expect(newestWrite(place)).toMatchObject({
      inputs: [
        { path: 'bible.md', revision: bible.revision, role: 'direct' },
        { path: 'plan.md', role: 'contextual' },
      ],
      agent: { type: 'external', id: 'mcp-client' },
      confidence: 'inferred',
      summary: 'created by an agent',
    });
    expect([inputs.length, agent, recorded.kind, left_out]).toEqual([2, { type: 'external', id: 'mcp-client' }, 'recorded', []]);
    await ask('document_write', { action: 'create', path: 'ch/two.md', text: '# Two\n' });
    expect(newestWrite(place).inputs).toEqual([]);
  });

  it('rests on what was asked for before it, answered or not, and not on what was asked for after it', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, elena);
    const { ask, read } = await openAgent(place);
    const write = (path: string) => ask('document_write', { action: 'create', path, text: path });
    const [, first, , second] = await Promise.all([read('a.md'), write('c.md'), read('b.md'), write('d.md')]);
    const pathsOf = ({ inputs }: Said) => inputs.map(({ path }: Said) => path);
    expect([first, second].map(pathsOf)).toEqual([['a.md'], ['b.md']]);
  });

  it('takes a document as read directly once it was, however it was found before or after', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, elena);
    const { ask, read } = await openAgent(place);
    await ask('workspace', { action: 'search', query: 'green' });
    await read('a.md');
    await ask('workspace', { action: 'search', query: 'green' });
    await ask('document_write', { action: 'create', path: 'c.md', text: 'c' });
    expect(rolesOf(place).sort()).toEqual(['a.md direct', 'b.md contextual']);
  });

  it('of one connection does not rest on what another has read, and a token is who the agent is', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, elena);
    const { token } = openAgents(realDisk, place.home).add('Scribe');
    const { call } = await openAgentCore(place);
    const [one, other] = [await connectAgent(call), await connectAgent(call, token)];
    await one.read('a.md');
    await other.read('b.md');
    await other.ask('document_write', { action: 'create', path: 'c.md', text: 'c' });
    expect(newestWrite(place)).toMatchObject({ inputs: [{ path: 'b.md' }], agent: { type: 'model', id: 'Scribe' } });
    await one.ask('document_write', { action: 'create', path: 'd.md', text: 'd' });
    expect(newestWrite(place)).toMatchObject({ inputs: [{ path: 'a.md' }], agent: { type: 'external', id: 'mcp-client' } });
  });

  it('with a token that is nobody’s, or no longer, is refused', async () => {
    const place = createTrackingPlace();
    const agents = openAgents(realDisk, place.home);
    const { token } = agents.add('Scribe');
    agents.remove('Scribe');
    for (const credential of [token, 'stemma_x', 'x'.repeat(5000)]) {
      const { refused } = await openAgent(place, credential);
      expect((await refused('document_write', { action: 'create', path: 'a.md', text: '' })).error.code).toBe('agent-unknown');
    }
    expect(place.tree().size).toBe(0);
  });

  it('registers what was not tracked with the text that was served as its root', async () => {
    const place = createTrackingPlace();
    place.write('bible.md', Buffer.from(elena.replaceAll('\n', '\r\n')));
    const { ask, read } = await openAgent(place);
    const { hash } = await read('bible.md');
    place.write('bible.md', Buffer.from(elena.replace('Green', 'Grey').replaceAll('\n', '\r\n')));
    await ask('document_write', { action: 'create', path: 'one.md', text: '# One\n' });
    const core = await place.open();
    const { revisions } = await core.logFile('bible.md');
    expect(revisions.map(({ label, parents }) => [label, parents.length])).toEqual([
      ['v1', 0],
      ['v2', 1],
    ]);
    expect(newestWrite(place).inputs).toEqual([{ path: 'bible.md', revision: revisions[0]!.revision, role: 'direct' }]);
    expect((await core.show('bible.md', 'v1')).content_hash).toBe(hash);
    const { counts } = await core.breakdown({ all: false, scan: true });
    expect(counts['version-stale']).toBe(1);
    expect(place.text('bible.md').endsWith('---\r\n# Elena\r\n\r\nGrey eyes.\r\n')).toBe(true);
  });

  it('leaves a known document out, and says so, of which no version has the text that was read', async () => {
    const place = createTrackingPlace();
    place.write('bible.md', elena);
    await (await place.open()).track({ paths: null, dryRun: false });
    const { ask, read } = await openAgent(place);
    place.write('bible.md', place.text('bible.md').replace('Green', 'Grey'));
    await read('bible.md');
    place.write('bible.md', place.text('bible.md').replace('Grey', 'Blue'));
    const { left_out, inputs } = await ask('document_write', { action: 'create', path: 'one.md', text: '# One\n' });
    expect([left_out, inputs]).toEqual([[{ path: 'bible.md', reason: 'not-as-read' }], []]);
  });

  it('pins an edit that nobody had recorded when it was read', async () => {
    const place = createTrackingPlace();
    place.write('bible.md', elena);
    await (await place.open()).track({ paths: null, dryRun: false });
    const { ask, read } = await openAgent(place);
    place.write('bible.md', place.text('bible.md').replace('Green', 'Grey'));
    expect((await read('bible.md')).revision).toBeNull();
    const { inputs } = await ask('document_write', { action: 'create', path: 'one.md', text: '# One\n' });
    expect(inputs).toMatchObject([{ path: 'bible.md', role: 'direct' }]);
    expect((await (await place.open()).logFile('bible.md')).heads).toEqual([inputs[0].revision]);
  });

  it('never rests on the document itself', async () => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    const { ask, read } = await openAgent(place);
    const { hash } = await read('a.md');
    await ask('document_write', { action: 'replace', path: './a.md', base: hash, text: 'new\n' });
    expect(newestWrite(place).inputs).toEqual([]);
  });

  it('is not stopped by an input that was stamped by the write before', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, elena);
    const { ask, read } = await openAgent(place);
    const { hash } = await read('a.md');
    await ask('document_write', { action: 'edit', path: 'b.md', base: (await read('b.md')).hash, edits: [{ old: 'Green', new: 'Grey' }] });
    expect(place.text('a.md')).toContain('vmark:');
    await ask('document_write', { action: 'edit', path: 'a.md', base: hash, edits: [{ old: 'Green', new: 'Blue' }] });
    expect(place.text('a.md')).toContain('Blue eyes.');
  });

  it('to a workspace that is gone makes no other in its place, and every call says that it is gone', async () => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    const { ask, read, refused } = await openAgent(place);
    await read('a.md');
    await ask('document_write', { action: 'create', path: 'b.md', text: 'b' });
    rmSync(place.folder, { recursive: true });
    const calls = [
      ['document', { action: 'read', path: 'a.md' }],
      ['document_write', { action: 'create', path: 'c.md', text: 'c' }],
      ['workspace', { action: 'list' }],
      ['coherence', { action: 'status' }],
      ['coherence', { action: 'edges' }],
    ] as const;
    for (const [tool, args] of calls) expect((await refused(tool, args)).error.code).toBe('folder-missing');
    expect(existsSync(place.folder)).toBe(false);
    place.write('a.md', 'New.\n');
    expect((await read('a.md')).text).toBe('New.\n');
  });

  it('of a text that UTF-8 cannot hold is refused', async () => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    const { read, refused } = await openAgent(place);
    const { hash } = await read('a.md');
    for (const args of [
      { action: 'create', path: 'b.md', text: 'a\ud800b' },
      { action: 'edit', path: 'a.md', base: hash, edits: [{ old: 'Green', new: '\udc00' }] },
    ])
      expect((await refused('document_write', args)).error.code).toBe('arguments-invalid');
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });

  it('asked for again where nothing is recorded is not refused because it was made', async () => {
    const place = createPlace();
    const { call } = await openAgentCore(place);
    const change = { action: 'create', text: 'b\n' } as const;
    const request = { path: 'b.md', change, reads: [], leftOut: 0, credential: null, idem: randomUUID() };
    const made = await call('agent/write', request);
    expect(await call('agent/write', { ...request, again: true })).toEqual(made);
    await expect(call('agent/write', request)).rejects.toMatchObject({ code: 'already-exists' });
    const other = { ...request, change: { ...change, text: 'c\n' }, again: true };
    await expect(call('agent/write', other)).rejects.toMatchObject({ code: 'already-exists' });
  });

  it('where provenance is off writes the file and nothing else, and says that it is off', async () => {
    const place = createPlace();
    place.write('a.md', elena);
    const { ask, read } = await openAgent(place);
    const { hash } = await read('a.md');
    const { recorded, inputs } = await ask('document_write', { action: 'replace', path: 'a.md', base: hash, text: 'new\n' });
    expect([recorded.kind, inputs]).toEqual(['off', []]);
    expect([...place.tree().keys()]).toEqual(['a.md']);
  });

  it('asked for again under its idem is made once', async () => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    const { call } = await openAgentCore(place);
    const { answer, served } = await call('agent/read', { path: 'a.md' });
    const read = { ...served, role: 'direct' as const, text: answer.text };
    const request = { path: 'b.md', reads: [read], leftOut: 3, credential: null, idem: randomUUID() };
    const made = [];
    for (const path of ['b.md', 'b.md'])
      made.push(await call('agent/write', { ...request, path, change: { action: 'create', text: 'b' } }));
    expect(made[1]).toEqual(made[0]);
    expect(newestWrite(place).summary).toBe('created by an agent; 3 older reads left out');
    const edit = { action: 'edit' as const, base: answer.hash, edits: [{ old: 'Green', new: 'Grey' }] };
    const edits = { ...request, path: 'a.md', reads: [], idem: randomUUID(), change: edit };
    expect((await call('agent/write', edits)).kind).toBe('written');
    expect((await call('agent/write', edits)).kind).toBe('written');
    expect(entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'mcp-document-write')).toHaveLength(2);
  });
});

describe('a document that changed between read and write', () => {
  it('is a conflict with its new text; nothing is written, and what was read is still what the next write rests on', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'bible.md']) place.write(path, elena);
    await (await place.open()).track({ paths: null, dryRun: false });
    const { ask, read, refused } = await openAgent(place);
    await read('bible.md');
    const { hash } = await read('a.md');
    place.write('a.md', place.text('a.md').replace('Green', 'Grey'));
    const before = place.tree();
    for (const change of [
      { action: 'replace', text: 'mine\n' },
      { action: 'edit', edits: [{ old: 'Green', new: 'Blue' }] },
    ]) {
      const { error, current } = await refused('document_write', { path: 'a.md', base: hash, ...change });
      expect([error.code, current.text]).toEqual(['conflict-on-disk', elena.replace('Green', 'Grey')]);
    }
    expect(place.tree()).toEqual(before);
    const { hash: now } = await read('a.md');
    await ask('document_write', { action: 'replace', path: 'a.md', base: now, text: 'mine\n' });
    expect(rolesOf(place)).toEqual(['bible.md direct']);
  });

  it('that is gone is no conflict to solve, and says so', async () => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    const { read, refused } = await openAgent(place);
    const { hash } = await read('a.md');
    place.remove('a.md');
    expect((await refused('document_write', { action: 'replace', path: 'a.md', base: hash, text: '' })).error.code).toBe('file-missing');
  });
});

describe('edits', () => {
  it.each([
    ['that name nothing', [{ old: '', new: 'x' }], 'edit-empty'],
    [
      'whose text is not there',
      [
        { old: 'Green', new: 'Grey' },
        { old: 'Green', new: 'x' },
      ],
      'edit-missing',
    ],
    [
      'whose text is there twice',
      [
        { old: 'Green', new: 'Grey' },
        { old: 'e', new: 'x' },
      ],
      'edit-ambiguous',
    ],
  ])('%s change nothing, not even those before', async (_, edits, code) => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    const { read, refused } = await openAgent(place);
    const { hash } = await read('a.md');
    const before = place.tree();
    const { error } = await refused('document_write', { action: 'edit', path: 'a.md', base: hash, edits });
    expect([error.code, error.detail.number]).toEqual([code, edits.length]);
    expect(place.tree()).toEqual(before);
  });
});

describe('coherence', () => {
  it('status leaves the file system as it is, byte for byte', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, elena);
    await (await place.open()).record(recording('a.md', 'b.md'));
    place.write('b.md', place.text('b.md').replace('Green', 'Grey'));
    const { ask } = await openAgent(place);
    // What a search derives from the texts is no record, and deletable.
    const kept = () => [...createPlace(place.home).tree()].filter(([path]) => !path.startsWith('search/'));
    const [before, home] = [place.tree(), kept()];
    const index = readFileSync(join(place.folder, '.vmark/index.db'));
    expect(await ask('coherence', { action: 'status' })).toMatchObject({ initialized: true, setting: 'on', tracked: 2 });
    for (const action of ['claims', 'contexts']) await ask('coherence', { action });
    for (const action of ['list', 'search']) await ask('workspace', { action, ...(action === 'search' ? { query: 'e' } : {}) });
    expect(place.tree()).toEqual(before);
    expect(kept()).toEqual(home);
    expect(readFileSync(join(place.folder, '.vmark/index.db')).equals(index)).toBe(true);
  });

  it('edges appends what a scan finds and nothing else, and stamps nothing', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md', 'untracked.md']) place.write(path, elena);
    await (await place.open()).record(recording('a.md', 'b.md'));
    const [kinds, untracked] = [countKinds(place), place.text('untracked.md')];
    place.write('b.md', place.text('b.md').replace('Green', 'Grey'));
    const { ask } = await openAgent(place);
    expect((await ask('coherence', { action: 'edges' })).counts['version-stale']).toBe(1);
    await ask('coherence', { action: 'edges', context: 'default' });
    expect(countKinds(place)).toEqual({ ...kinds, transformation: kinds.transformation! + 1 });
    expect(place.entries().at(-1)).toMatchObject({ body: { intent: { kind: 'observed-external-edit' } } });
    expect(place.text('untracked.md')).toBe(untracked);
  });

  it.each([true, false])('edges makes no ledger where there is none (setting on: %s)', async (on) => {
    const place = createPlace();
    place.setting(on);
    place.write('a.md', stamped(randomUUID(), elena));
    const { ask } = await openAgent(place);
    const before = place.tree();
    expect(await ask('coherence', { action: 'edges' })).toMatchObject({ artifacts: [] });
    expect(place.tree()).toEqual(before);
  });

  it('edges through a context that is not there names those there are', async () => {
    const { refused } = await openAgent(createTrackingPlace());
    const { error } = await refused('coherence', { action: 'edges', context: 'draft' });
    expect([error.code, error.detail.candidates]).toEqual(['context-unknown', 'default']);
  });

  it('claims and contexts are what ledger and manifests hold', async () => {
    const place = createTrackingPlace();
    const claim = randomUUID();
    const entry = (statement: string, time: string, maturity: string) => ({
      format: 0,
      id: randomUUID(),
      kind: 'claim',
      time,
      writer: randomUUID(),
      idem: randomUUID(),
      body: { claim, statement, valid_at: null, invalid_at: null, established_by: [], supersedes: null, maturity },
    });
    const lines = [
      entry('Her eyes are grey.', '2026-03-02T10:00:00.000Z', 'established'),
      entry('Green.', '2026-03-01T10:00:00.000Z', 'draft'),
    ];
    place.write('.vmark/ledger/x.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const nil = '00000000-0000-0000-0000-000000000000';
    const draft = randomUUID();
    const manifest = { format: 0, selections: {}, enforcement: 'greenhouse' };
    place.write('.vmark/contexts/default.json', JSON.stringify({ ...manifest, id: nil, name: 'default', visible_claims: [claim] }));
    place.write('.vmark/contexts/draft.json', JSON.stringify({ ...manifest, id: draft, name: 'draft', parent: nil, visible_claims: [] }));
    place.write('.vmark/contexts/broken.json', '{');
    const { ask } = await openAgent(place);
    expect((await ask('coherence', { action: 'claims' })).claims).toMatchObject([
      { claim, statement: 'Her eyes are grey.', maturity: 'established', visible: true },
    ]);
    expect((await ask('coherence', { action: 'contexts' })).contexts).toMatchObject([
      { name: 'default', id: nil, enforcement: 'greenhouse', visible_claims: 1, errors: [] },
      { name: 'draft', id: draft, parent: nil, errors: [] },
      { name: 'broken', errors: ['context-unreadable'] },
    ]);
  });

  it('resolve refuses, whatever it is asked, and changes nothing', async () => {
    const place = createTrackingPlace();
    const { refused } = await openAgent(place);
    const edge = { txf: randomUUID(), input: 0 };
    for (const args of [
      { action: 'accept-latest', edge },
      { action: 'waive', edge, reason: 'fine' },
    ])
      expect((await refused('coherence_resolve', args)).error.code).toBe('grant-missing');
    expect(place.tree().size).toBe(0);
  });
});

describe('hostile calls', () => {
  const outside = createFolderOutside();
  const names: readonly [name: string, code: string][] = [
    ['../../etc/passwd', 'outside-workspace'],
    ['../secret.md', 'outside-workspace'],
    ['a/../../secret.md', 'outside-workspace'],
    ['/etc/passwd', 'path-absolute'],
    ['/etc/passwd.md', 'path-absolute'],
    ['C:\\secret.md', 'path-absolute'],
    ['.git/x.md', 'path-invalid'],
    ['.GIT/x.md', 'path-invalid'],
    ['.git. /x.md', 'path-invalid'],
    ['.g\u200cit/x.md', 'path-invalid'],
    ['git~1/x.md', 'path-invalid'],
    ['a\u202edm.md', 'path-invalid'],
    ['.vmark/x.md', 'path-invalid'],
    ['a/.vmark/x.md', 'path-invalid'],
    ['a\0.md', 'path-invalid'],
    ['a\nb.md', 'path-invalid'],
    ['a\u001b[31m.md', 'path-invalid'],
    ['..\\secret.md', 'path-invalid'],
    ['a\ud800.md', 'path-invalid'],
    ['out/secret.md', 'outside-workspace'],
    ['link.md', 'is-a-link'],
    ['dangling.md', 'is-a-link'],
    ['other/inner/x.md', 'outside-workspace'],
    ['run.sh', 'not-a-document'],
    ['folder.md', 'is-a-folder'],
    [`${'a'.repeat(300)}.md`, 'name-too-long'],
    [`${'a'.repeat(5000)}.md`, 'arguments-invalid'],
  ];

  it.each(names.map(([name, code]) => [JSON.stringify(name).slice(0, 40), name, code]))(
    'a name such as %s is refused, read or written',
    async (_, name, code) => {
      const place = createTrackingPlace();
      const elsewhere = outside();
      place.write('a.md', elena);
      mkdirSync(join(place.folder, 'folder.md'));
      place.write('other/.vmark/x', '');
      place.write('other/inner/x.md', elena);
      symlinkSync(elsewhere, join(place.folder, 'out'));
      symlinkSync(join(elsewhere, 'secret.md'), join(place.folder, 'link.md'));
      symlinkSync(join(elsewhere, 'new.md'), join(place.folder, 'dangling.md'));
      const { refused, read } = await openAgent(place);
      const [before, there] = [place.tree(), createPlace(elsewhere).tree()];
      const { error } = await refused('document', { action: 'read', path: name });
      expect(error.code).toBe(code);
      const base = `sha256:${'0'.repeat(64)}`;
      for (const change of [
        { action: 'create', text: 'x' },
        { action: 'replace', base, text: 'x' },
        { action: 'edit', base, edits: [{ old: 'a', new: 'b' }] },
      ])
        expect((await refused('document_write', { path: name, ...change })).error.code).toBe(code);
      expect([place.tree(), createPlace(elsewhere).tree()]).toEqual([before, there]);
      expect((await read('a.md')).text).toBe(elena);
    },
  );

  it('a document of 6 MB is refused, read or written', async () => {
    const place = createTrackingPlace();
    const large = 'a'.repeat(6 * 1024 * 1024);
    place.write('large.md', large);
    place.write('a.md', elena);
    const { refused, read, ask } = await openAgent(place);
    const before = place.tree();
    const { hash } = await read('a.md');
    expect((await refused('document', { action: 'read', path: 'large.md' })).error.code).toBe('file-too-large');
    for (const args of [
      { action: 'create', path: 'b.md', text: large },
      { action: 'replace', path: 'a.md', base: hash, text: large },
      { action: 'edit', path: 'a.md', base: hash, edits: [{ old: 'Green', new: large }] },
    ])
      expect((await refused('document_write', args)).error.code).toBe('file-too-large');
    expect(place.tree()).toEqual(before);
    expect((await ask('workspace', { action: 'search', query: 'aaaa' })).skipped).toBe(1);
  });

  it('a document whose JSON no client would take is refused, and was no read', async () => {
    const place = createTrackingPlace();
    place.write('quotes.md', '"'.repeat(5 * 1024 * 1024));
    place.write('long.md', 'a'.repeat(5 * 1024 * 1024));
    const { client, refused, ask } = await openAgent(place);
    expect((await refused('document', { action: 'read', path: 'quotes.md' })).error.code).toBe('answer-too-large');
    const long = await client.callTool({ name: 'document', arguments: { action: 'read', path: 'long.md' } });
    expect((long.content as Said)[0].text).toBe('The answer is long; it is in structuredContent.');
    expect((long.structuredContent as Said).text).toHaveLength(5 * 1024 * 1024);
    const { inputs } = await ask('document_write', { action: 'create', path: 'a.md', text: 'a' });
    expect(inputs.map(({ path }: Said) => path)).toEqual(['long.md']);
  });

  it('a text that carries an id of its own does not get it', async () => {
    const place = createTrackingPlace();
    place.write('a.md', elena);
    await (await place.open()).track({ paths: null, dryRun: false });
    const { ask, read } = await openAgent(place);
    const { id, hash } = await read('a.md');
    const foreign = randomUUID();
    await ask('document_write', { action: 'replace', path: 'a.md', base: hash, text: stamped(foreign, 'x\n') });
    expect(place.text('a.md')).toBe(stamped(id, 'x\n'));
    const made = await ask('document_write', { action: 'create', path: 'b.md', text: stamped(id, 'copy\n') });
    expect(made.id).not.toBe(id);
    expect(place.text('b.md')).toBe(stamped(made.id, 'copy\n'));
  });

  it('a frontmatter that leaves no place for the id is refused', async () => {
    const place = createTrackingPlace();
    place.write('a.md', `---\ntitle: Elena\n---\n${elena}`);
    await (await place.open()).track({ paths: null, dryRun: false });
    const { refused, read } = await openAgent(place);
    const { hash } = await read('a.md');
    const before = place.tree();
    const { error } = await refused('document_write', { action: 'replace', path: 'a.md', base: hash, text: '---\nnever closed\n' });
    expect(error.code).toBe('identity-unwritable');
    expect(place.tree()).toEqual(before);
  });
});

/** A folder beside the workspace with something to find in it. */
function createFolderOutside(): () => string {
  return () => {
    const folder = createFolder('outside');
    writeFileSync(join(folder, 'secret.md'), 'secret\n');
    return folder;
  };
}
