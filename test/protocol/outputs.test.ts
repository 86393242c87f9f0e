import { describe, expect, it } from 'vitest';
import type { Outputs } from '#protocol';
import { outputs } from '#protocol/outputs';
import { schemaFiles, staleSchemas } from '../../scripts/schemas.ts';

const id = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const revision = `rev1:${'a'.repeat(64)}`;
const hash = `sha256:${'b'.repeat(64)}`;
const elena = { object: id, path: 'bible/elena.md' };
const chapter = { object: id, path: 'chapters/03.md' };
const none = { 'version-stale': 0, diverged: 0, 'diverged-multi-head': 0, waived: 0, unpinnable: 0, 'anchor-lost': 0 };
const code = { stale: 0, 'moved-renamed': 0, lost: 0, 'pair-ahead': 0 };
const counts = { ...none, 'parallel-versions': 0, 'finished-changed': 0, silenced: 0, ...code };
const diagnostics = [{ code: 'symlink-skipped', message: 'link.md is a link and was not followed.', path: 'link.md' }];
const input = { object: id, path: 'bible/elena.md', revision, role: 'direct' as const };

type Breakdown = Outputs['breakdown'];
type Row = Breakdown['artifacts'][number]['rows'][number];
type EdgeRow = Exclude<Row, { edge: null }>;

const row: EdgeRow = {
  edge: { txf: id, input: 0 },
  source: elena,
  pinned: { revision, label: 'v2' },
  current: { revision, label: 'v4' },
  state: 'version-stale',
  silenced: null,
  section: { path: ['Backstory'], status: 'changed', carried: true },
  delegated: { by: 'codex', grant: id, at: '2026-03-01T10:00:00.000Z' },
  check: { verdict: 'contradicted', confidence: 0.97, evidence: [{ path: 'bible/elena.md', quote: 'green eyes' }] },
  waiver: null,
  provenance: 'exact',
  resolutions: 3,
  judgment: null,
  actions: { accept: true, revise: true, waive: true },
};

const bare = {
  edge: null,
  source: null,
  silenced: null,
  section: null,
  check: null,
  waiver: null,
  provenance: null,
  judgment: null,
} as const;
const noAct = { accept: false, revise: true, waive: false };
const fresh: Row = { ...row, state: 'fresh', section: null, check: null, notCarried: { path: ['Voice'], reason: 'not-found' } };
const waived: Row = { ...row, state: 'waived', waiver: { reason: 'set before', by: 'Ana', at: '2026-03-01T10:00:00.000Z', expires: null } };
const lost: Row = { ...row, state: 'diverged-multi-head', current: null, source: { object: id, path: null }, actions: noAct };
const parallel: Row = {
  ...bare,
  state: 'parallel-versions',
  pinned: null,
  current: null,
  resolutions: 0,
  actions: noAct,
  heads: [
    { revision, label: 'v3' },
    { revision, label: 'v3' },
  ],
};
const finished: Row = {
  ...bare,
  state: 'finished-changed',
  pinned: null,
  current: { revision, label: 'v4' },
  resolutions: 0,
  actions: noAct,
};

const about = {
  id,
  document: { ...elena, section: ['The ladder'] },
  repository: null,
  language: 'typescript',
  kind: 'function',
  qualified_name: 'languageForPath',
  file_hint: 'app/[slug]/(group)/ñ.ts',
  fallback: false,
};
const candidate = { file: 'src/b.ts', kind: 'function', qualified_name: 'languageFor', line_start: 3, line_end: 9, similarity: 0.71 };
const places = { file: 'src/languages.ts', line_start: 12, line_end: 31, expected_hash: 'a', actual_hash: 'b' };
const detail = { reason: 'moved' as const, ...places, moved_to: 'src/b.ts', body_changed: true, signature_changed: false };
const checked: Outputs['anchors-check']['anchors'][number] = { ...about, state: 'moved-renamed', detail };
const said = { reason: 'gone with v2', by: 'Ana', at: '2026-03-01T10:00:00.000Z' };
const fallback_share = { total: 3, fallback: 1, share: 0.3333 };
const anchorCheck: Outputs['anchors-check'] = {
  complete: false,
  budget: { files_read: 3, bytes_read: 10_524, elapsed_ms: 35, limit: 'repository_files' },
  anchors: [checked, { ...about, state: 'lost', detail: { reason: 'ambiguous', file: 'a.ts', candidates: [candidate] } }],
  unchecked_anchor_ids: [id],
  fallback_share,
  retired: [{ ...about, retired: said }],
};
const { anchors: _, ...anchorSummary } = anchorCheck;

const breakdown: Breakdown = {
  format: 1,
  context: { id: '00000000-0000-0000-0000-000000000000', name: 'default', enforcement: 'greenhouse', problems: diagnostics },
  scan: { complete: false, reason: 'git-busy', documents: 12, external: 1, navigations: 0, absent: 0, diagnostics },
  artifacts: [{ ...chapter, lifecycle: 'live', rows: [row, fresh, waived, lost, parallel, finished] }],
  silenced: [{ ...row, silenced: 'section-unchanged', section: { path: ['Voice'], status: 'unchanged' }, artifact: chapter }],
  sourceGone: [{ ...row, artifact: chapter }],
  provenanceUnknown: [{ object: id, path: 'chapters/02.md' }],
  finished: [{ object: id, path: 'chapters/03.md' }],
  codeAnchors: [checked],
  pairs: [],
  counts: { ...counts, fresh: 1, 'version-stale': 1 },
};

const git = { branch: 'main' };
const act = { id, time: '2026-03-01T10:00:00.000Z' };
const common = { documents: 12, unchanged: 11, external: 1, git: 0, navigations: 0, adopted: 0, absent: 0, moved: 0 };

const examples: { readonly [Name in keyof Outputs]: Outputs[Name] } = {
  hash: { path: 'a.md', binary: false, content_hash: hash, masked_bytes: 12, id: null, schema: null, tracked_by: null },
  status: {
    initialized: true,
    setting: 'on',
    documents: 12,
    tracked: 11,
    counts,
    ledger: { segments: 1, entries: 40, bytes: 20_480 },
    quarantined: 0,
    diagnostics,
    writer: null,
    git,
  },
  scan: { complete: true, ...common, held: ['copy.md'], diagnostics },
  record: {
    ...chapter,
    revision,
    entry: id,
    confidence: 'inferred',
    inputs: [input],
    dropped: [{ path: 'gone.md', reason: 'missing' }],
  },
  log: { entries: [{ id, idem: id, time: '2026-03-01T10:00:00.000Z', kind: 'of-tomorrow', writer: id, body: { any: ['thing'] } }] },
  'log-file': {
    ...chapter,
    heads: [revision],
    revisions: [
      {
        revision,
        label: 'v1',
        time: '2026-03-01T10:00:00.000Z',
        agent: { type: 'model', id: 'writer-7' },
        intent: { kind: 'record', summary: 'draft' },
        confidence: 'inferred',
        parents: [],
        inputs: [input],
      },
    ],
  },
  verify: {
    ok: false,
    entries: 40,
    by_kind: { transformation: 38, waiver: 2 },
    revisions: 38,
    snapshots: { present: 37, missing: 1, damaged: 0 },
    quarantined: [{ segment: `${id}.jsonl`, line: 3, reason: 'not UTF-8' }],
    future: 0,
    problems: [{ code: 'snapshot-missing', message: 'A snapshot is missing.', where: hash, detail: { hash } }],
  },
  breakdown,
  init: { setting: 'on', changed: true, initialized: false },
  track: {
    dry_run: false,
    documents: [
      { path: 'a.md', outcome: 'tracked', object: id, revision, tracked_by: 'id', reason: null },
      { path: 'b.md', outcome: 'tracked', object: id, revision, tracked_by: 'path', reason: 'bom' },
      { path: 'c.md', outcome: 'refused', object: null, revision: null, tracked_by: null, reason: 'file-missing' },
    ],
    counts: { tracked: 2, 'already-tracked': 0, refused: 1 },
  },
  show: { ...chapter, revision, label: 'v2', content_hash: hash, binary: false, text: '# Three\n', base64: null },
  diff: {
    ...chapter,
    from: { revision, label: 'v2', content_hash: hash },
    to: { revision: null, label: null, content_hash: hash },
    equal: false,
    binary: false,
    added: 1,
    removed: 0,
    diff: '--- v2\n+++ on disk\n@@ -1 +1,2 @@\n # Three\n+more\n',
  },
  rebuild: { index: 'workspace', entries: 40, documents: 11, revisions: 38, edges: 9 },
  agents: { agents: [{ name: 'Scribe', created: '2026-03-01T10:00:00.000Z', removed: null }] },
  'agent-added': { name: 'Scribe', token: 'stemma_x' },
  check: {
    ok: false,
    complete: false,
    reason: 'git-busy',
    fail_on: ['version-stale', 'lost'],
    failing: { 'version-stale': 1 },
    breakdown,
    anchors: anchorSummary,
  },
  'anchors-add': { id, state: 'fresh', detail: { reason: 'identity_matched', ...places } },
  'anchors-check': anchorCheck,
  'anchors-list': {
    anchors: [{ ...about, state: 'stale', reason: 'body_changed', line_start: 1, line_end: 2, confirmed: said.at, retired: said }],
    fallback_share,
  },
  'anchors-confirm': { id, changed: true, from: 'stale', state: 'fresh', detail: { reason: 'identity_matched', ...places } },
  'anchors-remove': { id, removed: true },
  repositories: {
    repositories: [
      {
        ...{
          name: 'engine',
          path: null,
          url: 'https://example.org/engine.git',
          ref: 'main',
          token_env: 'STEMMA_GIT_TOKEN',
          confirmed: true,
        },
        ...{ fetched: { commit: '1'.repeat(40), at: '2026-07-30T10:00:00.000Z' }, problem: null },
      },
    ],
  },
  declarations: {
    language: 'kotlin',
    declarations: [
      {
        kind: 'fun',
        qualified_name: 'demand(rows, rain)',
        container: null,
        line_start: 1,
        line_end: 4,
        token_hash: 'a',
        body_hash: 'b',
        body_tokens: 12,
      },
    ],
    parse_errors: 0,
  },
  failure: { error: { code: 'file-missing', message: 'The file a.md does not exist.' } },
  'coherence-log': {
    format: 1,
    total: 1,
    resolvedAgain: 1,
    tally: { relevant: 0, noise: 1, unsure: 0, unjudged: 0 },
    rows: [
      {
        edge: { txf: id, input: 0 },
        artifact: chapter,
        source: elena,
        section: ['Backstory'],
        listed: true,
        resolutions: 2,
        lastResolution: 'waiver',
        judgment: 'noise',
        acts: [
          { ...act, kind: 'anchor', path: ['Backstory'], carried: true },
          { ...act, kind: 'ratification', by: { type: 'agent', id: 'codex' }, against: revision, reason: null, expires: null, grant: id },
          { ...act, kind: 'waiver', by: { type: 'human', id: 'Ana' }, against: revision, reason: 'a comma', expires: null, grant: null },
          {
            ...act,
            kind: 'check',
            model: 'm',
            verdict: 'unknown',
            confidence: 0.71,
            downgraded: { verdict: 'contradiction', reason: 'below-tau', tau: 0.9, evidence: [{ path: null, quote: 'green' }] },
            evidence: [],
          },
          { ...act, kind: 'judgment', judgment: 'noise', note: '' },
        ],
      },
    ],
  },
};

describe('the schemas on disk', () => {
  it('are what the outputs give (node scripts/schemas.ts writes them)', () => {
    expect(schemaFiles().length).toBe(Object.keys(outputs).length);
    expect(staleSchemas()).toEqual([]);
  });

  it('are JSON Schema 2020-12 with a title and a description', () => {
    for (const [, text] of schemaFiles()) {
      expect(JSON.parse(text)).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        title: expect.any(String),
        description: expect.any(String),
      });
    }
  });
});

describe.each(Object.keys(examples) as (keyof Outputs)[])('%s', (name) => {
  const schema = outputs[name];
  const example = examples[name];

  it('takes a good example as it is', () => {
    expect(schema.parse(example)).toEqual(example);
  });

  it('refuses a field that it does not know', () => {
    expect(schema.safeParse({ ...example, surprise: 1 }).success).toBe(false);
  });

  it.each(Object.keys(example).filter((field) => field !== 'reason'))('refuses to be without %s', (field) => {
    expect(schema.safeParse(Object.fromEntries(Object.entries(example).filter(([key]) => key !== field))).success).toBe(false);
  });
});

describe('a breakdown refuses', () => {
  const broken: readonly [what: string, rows: unknown[]][] = [
    ['an edge row without an edge', [{ ...row, edge: null }]],
    ['a silenced row among the others', [{ ...row, silenced: 'same-text' }]],
    ['a document row with an edge', [{ ...parallel, edge: row.edge }]],
    ['parallel versions that are fewer than two', [{ ...parallel, heads: [{ revision, label: 'v3' }] }]],
    ['heads on an edge row', [{ ...row, heads: [] }]],
    ['a state of its own', [{ ...row, state: 'stale' }]],
    ['a verdict of the ledger', [{ ...row, check: { ...row.check, verdict: 'contradiction' } }]],
    ['an artifact without rows', []],
  ];

  it.each(broken)('%s', (_, rows) => {
    expect(outputs.breakdown.safeParse({ ...breakdown, artifacts: [{ ...chapter, lifecycle: 'live', rows }] }).success).toBe(false);
  });

  it('a silenced row without its artifact or its reason', () => {
    expect(outputs.breakdown.safeParse({ ...breakdown, silenced: [{ ...row, silenced: 'same-text' }] }).success).toBe(false);
    expect(outputs.breakdown.safeParse({ ...breakdown, silenced: [{ ...row, artifact: chapter }] }).success).toBe(false);
  });
});

describe('a path', () => {
  const parse = (path: string) => outputs.hash.safeParse({ ...examples.hash, path }).success;

  it.each(['a.md', 'a b/ç.md', '..a/b..md', 'a/...md', 'C.md', '[slug]/(group).md'])('may be %s', (path) => {
    expect(parse(path)).toBe(true);
  });

  it.each(['', '/a.md', '../a.md', 'a/../b.md', 'a/..', 'C:\\a.md', 'c:/a.md', 'a\nb.md', 'a\0.md'])('may not be %j', (path) => {
    expect(parse(path)).toBe(false);
  });
});
