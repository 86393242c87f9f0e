import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { contentHash, type RevisionId, revisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { arbitraryHistory, createHistory, type History, namedUuid } from '../helpers/history.ts';
import { checked, derived, first, lastOf, type Situation, sectionHashIn, situations, stale } from '../helpers/situation.ts';
import { vectorsOf } from '../helpers/vectors.ts';
import { defaultContext, type EdgeRow, noClaims, type ObjectRow, project, type Row, type View } from './projection.ts';
import { currentOf, headsOf, isStrictAncestor, labelsOf, type Replay, type ReplayObject, replay, tally } from './replay.ts';

const now = '2026-07-18T12:00:00.000Z';
const readOf = (history: History): Replay => replay(history.lines, digest);
const rowsOf = (history: History, view: Partial<View> = {}): Row[] => project(readOf(history), { now, ...view });
const isEdge = (row: Row): row is EdgeRow => 'txf' in row;
const edgesOf = (history: History, view: Partial<View> = {}): EdgeRow[] => rowsOf(history, view).filter(isEdge);
/** The only row that there is. */
const onlyRow = (history: History, view: Partial<View> = {}): EdgeRow => {
  const rows = rowsOf(history, view);
  expect(rows).toHaveLength(1);
  return rows[0] as EdgeRow;
};

const state = (row: EdgeRow): string => (row.fresh === 'ratified' || row.fresh === 'ahead' ? `fresh-${row.fresh}` : row.state);

interface ProjectionVector {
  name: string;
  situation: string;
  state: string | null;
  anchor_status?: string;
  actionable?: boolean;
  ours?: { listed: string };
}

/** The rows of a situation of the vectors; null where nothing is listed. */
function rowOf({ history, view }: Situation): EdgeRow | null {
  const seen = { ...view, sectionHash: sectionHashIn(history) };
  return rowsOf(history, seen).length === 0 ? null : onlyRow(history, seen);
}

describe('the vectors of the projection', () => {
  it.each(vectorsOf<ProjectionVector>('projection'))('$name: $situation', ({ name, state: theirs, ours, anchor_status, actionable }) => {
    for (const row of situations[name]!().map(rowOf)) {
      if (ours === undefined) expect(row && state(row)).toBe(theirs);
      else expect(row?.sourceGone && ours.listed).toBe('Source no longer here');
      if (anchor_status !== undefined) expect(`anchor-${row?.section}`).toBe(anchor_status);
      if (actionable !== undefined) expect(row?.silenced === null).toBe(actionable);
      if (name.startsWith('check')) expect(row?.check).toBeNull();
    }
  });

  it('of an absent document hide its rows', () => {
    const { history, artifact } = stale();
    expect(rowsOf(history, { absent: new Set([artifact.object]) })).toEqual([]);
  });

  it('of a waiver hold until its end', () => {
    const [{ history }] = situations['expiry exactly now']!() as [Situation];
    expect(onlyRow(history, { now: '2026-07-18T11:59:59.999Z' }).state).toBe('waived');
  });
});

describe('the vectors of ancestry', () => {
  interface Graph {
    graph: Record<string, string[]>;
    heads: string[];
    queries?: [string, string, boolean][];
    resolve_live?: string;
  }
  it.each(vectorsOf<Graph>('dag_ancestry'))('of the graph $graph', ({ graph, heads, queries, resolve_live }) => {
    const history = createHistory();
    const document = history.document('a.md');
    const ids: Record<string, RevisionId> = {};
    const idOf = (name: string): RevisionId => (ids[name] ??= revisionId(digest, contentHash(digest, name), (graph[name] ?? []).map(idOf)));
    for (const [name, parents] of Object.entries(graph)) history.write(document, name, { parents: parents.map(idOf) });
    const object = readOf(history).objects.get(document.object)!;
    expect(headsOf(object)).toEqual(heads.map(idOf).sort());
    for (const [ancestor, revision, answer] of queries ?? []) {
      expect([ancestor, revision, isStrictAncestor(object, idOf(ancestor), idOf(revision))]).toEqual([ancestor, revision, answer]);
    }
    if (resolve_live !== undefined) expect(headsOf(object)).toHaveLength(resolve_live === 'absent' ? 0 : 2);
  });
});

describe('the vectors of the logbook and of lifecycles', () => {
  type Judgment = 'relevant' | 'noise' | 'unsure';
  interface Logbook {
    entries?: ('ratification' | 'waiver')[];
    resolutions?: number;
    last_resolution?: string;
    judgments_in_order?: Judgment[];
    current?: string;
    m2_over_rows?: (Judgment | null)[];
    summary?: object;
  }
  it.each(vectorsOf<Logbook>('logbook'))('$entries $judgments_in_order $m2_over_rows', (vector) => {
    const { history, source } = stale();
    const judge = (input: number, judgment: Judgment) =>
      void history.append('flag-judgment', { edge: { ...history.edges[0]!.edge, input }, judgment, note: '' });
    for (const kind of vector.entries ?? []) history.resolve(kind, 0, source.revisions.at(-1)!);
    for (const judgment of vector.judgments_in_order ?? []) judge(0, judgment);
    for (const [input, judgment] of (vector.m2_over_rows ?? []).entries()) {
      if (judgment !== null) judge(input, judgment);
      else history.append('edge-anchor', { edge: { ...history.edges[0]!.edge, input }, headings: [], anchored_hash: null });
    }
    const read = readOf(history);
    const [log] = read.logs.values();
    if (vector.resolutions !== undefined) expect(log?.resolutions).toHaveLength(vector.resolutions);
    if (vector.resolutions !== undefined) expect(edgesOf(history)[0]?.resolutions).toBe(vector.resolutions);
    if (vector.last_resolution !== undefined) expect(log?.resolutions.at(-1)?.kind).toBe(vector.last_resolution);
    if (vector.current !== undefined) expect(currentOf(log).judgment).toBe(vector.current);
    if (vector.summary !== undefined) expect(tally(read)).toEqual(vector.summary);
  });

  interface Lifecycle {
    entries: ('live' | 'frozen')[];
    frozen: boolean;
  }
  it.each(vectorsOf<Lifecycle>('lifecycle'))('after $entries the document is finished: $frozen', ({ entries, frozen }) => {
    const { history, artifact } = stale();
    for (const word of entries) history.append('object-lifecycle', { object: artifact.object, state: word, reason: '' });
    expect(onlyRow(history)).toMatchObject({ state: 'version-stale', silenced: frozen ? 'document-finished' : null });
  });
});

describe('an edge', () => {
  it('is fresh where the source has gone back behind the pin', () => {
    const { history, source } = stale();
    const artifact = history.document('later.md');
    history.write(artifact, 'later', { inputs: [lastOf(source)] });
    const view = { selections: new Map([[source.object, source.revisions[0]!]]) };
    expect(edgesOf(history, view).map(state)).toEqual(['fresh', 'fresh-ahead']);
  });

  it.each(['part-of', 'mention'] as const)('of the kind %s is fresh whatever the source does', (kind) => {
    for (const { history } of [derived({ kind }), stale({ kind }), derived({ kind, object: namedUuid('nowhere') })]) {
      expect(onlyRow(history)).toMatchObject({ state: 'fresh', fresh: 'kind' });
    }
    const { history, source } = stale({ kind });
    history.write(source, 'beside', { parents: source.revisions.slice(0, 1) });
    expect(onlyRow(history)).toMatchObject({ state: 'fresh', fresh: 'kind', current: null });
  });

  it('is never made to an output of its own entry, and the others keep their numbers', () => {
    const { history, source, artifact } = derived();
    history.write(artifact, 'again', { inputs: [lastOf(artifact), lastOf(source)] });
    expect(onlyRow(history)).toMatchObject({ source: source.object, input: 1 });
  });

  it('is waived with reason, actor, time and end', () => {
    const { history, newest } = stale();
    history.resolve('waiver', 0, newest, '2026-08-01T00:00:00Z', { time: '2026-07-18T11:00:00.000Z' });
    const waiver = { reason: 'because', by: 'Ana', at: '2026-07-18T11:00:00.000Z', expires: '2026-08-01T00:00:00Z' };
    expect(onlyRow(history)).toMatchObject({ state: 'waived', waiver });
    expect(onlyRow(history, { now: 'today' }).state).toBe('version-stale');
  });

  it('carries the verdict of the newest check that asked just this', () => {
    const about = { context: defaultContext, claims_fingerprint: noClaims };
    const verdictOf = (verdict: 'no-contradiction' | 'contradiction' | 'unknown') => onlyRow(checked(about, verdict).history).check;
    expect((['no-contradiction', 'contradiction', 'unknown'] as const).map(verdictOf)).toEqual([
      'verified-valid',
      'contradicted',
      'unchecked',
    ]);
    const { history, source } = checked(about);
    history.write(source, 'three');
    expect(onlyRow(history)).toMatchObject({ state: 'version-stale', check: null });
  });

  it('whose source has its old text again is silenced', () => {
    const { history, source } = stale();
    history.write(source, first);
    expect(onlyRow(history)).toMatchObject({ state: 'version-stale', silenced: 'same-text' });
  });

  it('whose section changed or is lost is shown', () => {
    const { history } = stale();
    const view = (found: ReturnType<NonNullable<View['sectionHash']>>) => onlyRow(history, { sectionHash: () => found });
    expect(view('lost')).toMatchObject({ section: null });
    history.append('edge-anchor', { edge: history.edges[0]!.edge, headings: ['A'], anchored_hash: contentHash(digest, 'then') });
    expect(view(contentHash(digest, 'now'))).toMatchObject({ section: 'changed', silenced: null });
    for (const found of ['lost', 'unavailable'] as const) expect(view(found)).toMatchObject({ section: found, silenced: null });
    history.append('edge-anchor', { edge: history.edges[0]!.edge, headings: [], anchored_hash: null });
    expect(view('lost')).toMatchObject({ section: null });
  });

  it('to a revision that nobody recorded is diverged, or stale where it is named as a parent', () => {
    const unknown = `rev1:${'0'.repeat(64)}` as RevisionId;
    const { history, source } = derived({ revision: unknown });
    expect(onlyRow(history).state).toBe('diverged');
    history.write(source, 'after', { parents: [unknown, ...source.revisions] });
    expect(onlyRow(history).state).toBe('version-stale');
  });

  it('stands once for every output of its entry, and says the same of all', () => {
    const { history, source } = derived();
    const outputs = ['x.md', 'y.md'].map((path) => {
      const content_hash = contentHash(digest, path);
      return { object: history.document(path).object, revision: revisionId(digest, content_hash, []), content_hash, parents: [] };
    });
    const body = { outputs: [...outputs, outputs[0]!], agent: { type: 'model', id: null }, confidence: 'exact' } as const;
    const intent = { kind: 'genie', summary: '', prompt_hash: null };
    const inputs = [{ ...lastOf(source), role: 'direct', kind: 'dependency' }] as const;
    const txf = history.append('transformation', { ...body, intent, inputs });
    const edge = { txf, input: 0 };
    history.edges.push({ edge, source: source.object, pinned: source.revisions[0]! });
    const { revision } = history.write(source, 'two');
    history.resolve('ratification', 1, revision);
    expect(edgesOf(history).filter((row) => row.txf === txf)).toMatchObject([
      { path: 'x.md', fresh: 'ratified' },
      { path: 'y.md', fresh: 'ratified' },
    ]);
  });
});

describe('a revision', () => {
  it('that is not that of its content and parents is shown and never projected', () => {
    const { history, artifact, source, txf } = stale();
    const lie = history.lines.findIndex((line) => line.includes(`"id":"${txf}"`));
    const false_ = `rev1:${'f'.repeat(64)}` as RevisionId;
    history.lines[lie] = history.lines[lie]!.replace(artifact.revisions[0]!, false_);
    const read = readOf(history);
    expect(read.mismatches).toEqual([{ txf, object: artifact.object, revision: false_ }]);
    expect(project(read, { now })).toEqual([]);
    expect(read.objects.get(artifact.object)?.revisions.size).toBe(0);
    expect(read.objects.get(source.object)?.revisions.size).toBe(2);
  });

  it('recorded again keeps its parents, has the edges of both, and the author who knew the inputs', () => {
    const { history, source, artifact, txf } = derived();
    const again = (manner: object) => history.write(artifact, 'made', { parents: [], ...manner }).txf;
    again({ confidence: 'unknown' });
    again({ confidence: 'exact' });
    const confirmed = again({ confidence: 'inferred', inputs: [lastOf(source)], intent: 'provenance-confirmation' });
    const authorOf = (lines: string[]) => replay(lines, digest).objects.get(artifact.object)!.revisions.get(artifact.revisions[0]!)!;
    expect(authorOf(history.lines)).toMatchObject({ author: txf, confidence: 'exact' });
    expect(
      edgesOf(history)
        .map((row) => [row.txf, row.confidence])
        .sort(),
    ).toEqual(
      [
        [txf, 'exact'],
        [confirmed, 'inferred'],
      ].sort(),
    );
    const withoutFirst = history.lines.filter((line) => !line.includes(`"id":"${txf}"`));
    expect(authorOf(withoutFirst)).toMatchObject({
      author: confirmed,
      confidence: 'inferred',
      intent: { kind: 'provenance-confirmation' },
    });
    const scansOnly = withoutFirst.filter((line) => !line.includes(confirmed));
    expect(authorOf(scansOnly)).toMatchObject({ confidence: 'exact' });
  });

  it('is called by one more than its longest path to a root', () => {
    const history = createHistory();
    const document = history.document('a.md');
    const write = (text: string, parents: RevisionId[]) => history.write(document, text, { parents }).revision;
    const a = write('a', []);
    const b = write('b', [a]);
    const c = write('c', [b]);
    const fork = write('f', [a]);
    const join = write('j', [fork, c]);
    const lost = write('l', [`rev1:${'0'.repeat(64)}` as RevisionId]);
    const labels = labelsOf(readOf(history).objects.get(document.object)!);
    expect([a, b, c, fork, join, lost].map((id) => labels.get(id))).toEqual(['v1', 'v2', 'v3', 'v2', 'v4', 'v1']);
  });
});

describe('a document', () => {
  it('with several heads is listed once, without its edges, and only where it rests on something', () => {
    const { history, source, artifact } = stale();
    history.write(artifact, 'beside', { parents: [] });
    history.write(source, 'beside', { parents: [] });
    const heads = [...artifact.revisions].sort();
    expect(rowsOf(history)).toEqual([
      { artifact: artifact.object, path: 'artifact.md', state: 'parallel-versions', heads, silenced: null },
    ]);
    const selections = new Map([[artifact.object, artifact.revisions[0]!]]);
    expect(onlyRow(history, { selections }).state).toBe('diverged-multi-head');
    expect(rowsOf(history, { absent: new Set([artifact.object]) })).toEqual([]);
  });

  it('that was finished and then edited is listed itself, until it is finished again', () => {
    const { history, artifact } = stale();
    const finish = () => history.append('object-lifecycle', { object: artifact.object, state: 'frozen', reason: '' });
    finish();
    expect(rowsOf(history).map((row) => row.state)).toEqual(['version-stale']);
    history.write(artifact, 'edited');
    expect(rowsOf(history)).toMatchObject([{ state: 'finished-changed', silenced: null, artifact: artifact.object }]);
    finish();
    expect(rowsOf(history)).toEqual([]);
  });

  it('is where it was registered last, and gives way to another that comes there', () => {
    const { history, source, artifact } = stale();
    const move = (object: Uuid, path: string) => history.append('object-registered', { object, path, schema: 'scene', derived_from: [] });
    move(source.object, 'artifact.md');
    const read = readOf(history);
    expect(read.objectAt).toEqual(new Map([['artifact.md', source.object]]));
    expect([source, artifact].map(({ object }) => read.objects.get(object)?.path)).toEqual(['artifact.md', 'artifact.md']);
    move(source.object, 'elsewhere.md');
    expect(readOf(history).objectAt).toEqual(new Map([['elsewhere.md', source.object]]));
    expect(readOf(history).objects.get(source.object)?.schema).toBe('scene');
  });
});

describe('a ledger', () => {
  it('loses what hangs on an entry whose idem another has used before', () => {
    const { history, newest, txf } = stale();
    history.resolve('ratification', 0, newest);
    const line = history.lines.find((text) => text.includes(`"id":"${txf}"`))!;
    const earlier = line.replace(txf, namedUuid('earlier')).replace(/"time":"[^"]*"/, '"time":"2026-07-18T09:00:00Z"');
    history.lines.push(earlier);
    expect(onlyRow(history)).toMatchObject({ txf: namedUuid('earlier'), state: 'version-stale', resolutions: 0 });
  });

  it('counts what it cannot read and goes on', () => {
    const { history } = stale();
    const before = rowsOf(history);
    history.lines.push(
      '',
      '{',
      'null',
      history.lines[0]!.replace('"format":0', '"format":1'),
      history.lines[0]!.replace('object-registered', 'novelty'),
    );
    const read = readOf(history);
    expect(read.malformed.map(({ line }) => line)).toEqual(['{', 'null']);
    expect(read.future).toBe(1);
    expect(project(read, { now })).toEqual(before);
  });

  const view: View = { now, sectionHash: (_, revision) => (/[0-3]$/.test(revision) ? 'lost' : contentHash(digest, 'section 1')) };

  it('says the same whatever the order of its lines, how often they stand there and in which segments', () => {
    const arranged = arbitraryHistory().chain((history) =>
      fc.tuple(
        fc.constant(history.lines),
        fc.shuffledSubarray(history.lines, { minLength: history.lines.length }),
        fc.array(fc.constantFrom(...history.lines), { maxLength: 10 }),
        fc.nat(50),
      ),
    );
    fc.assert(
      fc.property(arranged, ([lines, shuffled, repeats, cut]) => {
        const segments = [...shuffled.slice(cut), ...repeats, ...shuffled.slice(0, cut)];
        const [once, again] = [replay(lines, digest), replay(segments, digest)];
        expect(project(again, view)).toEqual(project(once, view));
        expect(again.entries).toEqual(once.entries);
        expect(tally(again)).toEqual(tally(once));
      }),
      { numRuns: 200 },
    );
  });

  it('lists edges of current revisions only, in order, each a direct input of its entry', () => {
    fc.assert(
      fc.property(arbitraryHistory(), (history) => {
        const read = readOf(history);
        const rows = project(read, view);
        for (const row of rows) {
          const object = read.objects.get(row.artifact) as ReplayObject;
          if (!isEdge(row)) {
            if (row.state === 'parallel-versions') expect((row as ObjectRow).heads.length).toBeGreaterThan(1);
            continue;
          }
          const entry = read.entries.find(({ id }) => id === row.txf);
          if (entry?.kind !== 'transformation') throw new Error('an edge without a transformation');
          expect(headsOf(object)).toEqual([row.artifactRevision]);
          expect(entry.body.inputs[row.input]).toMatchObject({ object: row.source, revision: row.pinned, role: 'direct' });
          expect(entry.body.outputs.map((output) => output.object)).not.toContain(row.source);
          expect(row.silenced === null || row.state !== 'fresh').toBe(true);
          expect(row.waiver === null).toBe(row.state !== 'waived');
          if (row.state === 'version-stale') expect(isStrictAncestor(read.objects.get(row.source), row.pinned, row.current!)).toBe(true);
        }
        expect(rows.map((row) => row.path ?? '')).toEqual(rows.map((row) => row.path ?? '').sort());
      }),
    );
  });

  it('that is arbitrary reaches every state and every silence', () => {
    const met = new Set<unknown>();
    for (const history of fc.sample(arbitraryHistory(), { numRuns: 600, seed: 5 })) {
      for (const row of project(readOf(history), view)) {
        met.add(row.state).add(row.silenced);
        if (isEdge(row)) met.add(row.fresh).add(row.check).add(row.section);
      }
    }
    const states = [
      'fresh',
      'version-stale',
      'diverged',
      'diverged-multi-head',
      'waived',
      'unpinnable',
      'parallel-versions',
      'finished-changed',
    ];
    const others = ['kind', 'ratified', 'same', 'verified-valid', 'contradicted', 'unchecked', 'changed', 'lost', 'unchanged'];
    const silences = ['document-finished', 'same-text', 'section-unchanged'];
    expect([...states, ...others, ...silences].filter((word) => !met.has(word))).toEqual([]);
  });
});
