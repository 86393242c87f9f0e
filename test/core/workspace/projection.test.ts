import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import type { Uuid } from '#kernel/uuid';
import { contextsOf } from '../../helpers/contexts.ts';
import { arbitraryHistory, type History, namedUuid } from '../../helpers/history.ts';
import { placeOf, plainRows, productRows, readPlace } from '../../helpers/ledger-place.ts';
import { anchored, type Situation, sectionHashIn, situations, stale } from '../../helpers/situation.ts';
import { vectorsOf } from '../../helpers/vectors.ts';
import { type PlainManifest, plainLens } from '../../reference/context.ts';
import { project, type View } from '../../reference/projection.ts';
import { replay } from '../../reference/replay.ts';

const now = '2026-07-18T12:00:00.000Z';

const manifestOf = (selections: ReadonlyMap<Uuid, string>): PlainManifest => ({
  id: namedUuid('a context'),
  name: 'a-context',
  parent: null,
  selections: Object.fromEntries(selections) as PlainManifest['selections'],
  enforcement: 'greenhouse',
  visible_claims: [],
});

/** The rows of a situation as the product has them. */
async function rowsOf({ history, view }: Situation) {
  const manifests = view?.selections === undefined ? [] : [manifestOf(view.selections)];
  const workspace = await readPlace(placeOf(history, manifests), now);
  return productRows(workspace, {
    ...(view?.selections === undefined ? {} : { context: 'a-context' }),
    ...(view?.absent === undefined ? {} : { absent: view.absent }),
  });
}

interface ProjectionVector {
  name: string;
  situation: string;
  state: string | null;
  anchor_status?: string;
  actionable?: boolean;
  ours?: { listed: string };
}

describe('the vectors of the projection', () => {
  it.each(vectorsOf<ProjectionVector>('projection'))('$name: $situation', async ({ name, state, ours, anchor_status, actionable }) => {
    for (const situation of situations[name]!()) {
      const [row, ...others] = await rowsOf(situation);
      expect(others).toEqual([]);
      if (ours !== undefined) expect(row?.sourceGone && ours.listed).toBe('Source no longer here');
      else if (state === 'fresh-ratified') expect(row).toMatchObject({ state: 'fresh', resolutions: 1 });
      else expect(row?.state ?? null).toBe(state);
      if (anchor_status !== undefined) expect(`anchor-${String(row?.section)}`).toBe(anchor_status);
      if (actionable !== undefined) expect(row?.silenced === null).toBe(actionable);
      if (name.startsWith('check')) expect(row?.check).toBeNull();
    }
  });
});

describe('the vectors of lifecycles', () => {
  it.each(vectorsOf<{ entries: ('live' | 'frozen')[]; frozen: boolean }>('lifecycle'))('$entries', async ({ entries, frozen }) => {
    const { history, artifact } = stale();
    for (const word of entries) history.append('object-lifecycle', { object: artifact.object, state: word, reason: '' });
    expect(await rowsOf({ history })).toMatchObject([{ state: 'version-stale', silenced: frozen ? 'document-finished' : null }]);
  });
});

describe('the vectors of section anchors', () => {
  /** What each resolution is, as a ledger: the history, the snapshots that are not there, and how the row is then. */
  const cases: Record<string, () => { history: History; lost?: 'all' }> = {
    'found, hash equals anchored_hash': () => ({ history: anchored('B') }),
    'found, hash differs': () => ({ history: anchored('A') }),
    'not-found': () => ({ history: anchored('A', withSecond('# Z\n')) }),
    ambiguous: () => ({ history: anchored('B', withSecond('# B\n\n# B\n')) }),
    'upstream snapshot unreadable': () => ({ history: anchored('A'), lost: 'all' }),
    'edge not anchored': () => stale(),
  };
  const withSecond = (text: string) => {
    const made = stale();
    made.history.write(made.source, text);
    return made;
  };

  interface StatusVector {
    resolution: string;
    status: string | null;
    actionable: boolean;
    ours?: { status: string };
  }
  // A path that is invalid cannot stand in a ledger, and a source of several heads has no section to compare.
  const possible = vectorsOf<StatusVector>('section_anchor_status').filter(({ resolution }) => resolution in cases);

  it('are met by ledgers, but for two that no ledger holds', () => {
    expect(possible).toHaveLength(vectorsOf('section_anchor_status').length - 2);
  });

  it.each(possible)('$resolution', async ({ resolution, status, actionable, ours }) => {
    const { history, lost } = cases[resolution]!();
    const gone = new Set<string>(lost === 'all' ? history.texts.keys() : []);
    const rows = productRows(await readPlace(placeOf(history, [], gone), now));
    const words: Record<string, string> = { 'content-unavailable': 'unavailable' };
    const wanted = ours?.status ?? status;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.section).toBe(wanted === null ? null : (words[wanted] ?? wanted.replace('anchor-', '')));
    expect(rows[0]?.silenced === null).toBe(actionable);
  });
});

describe('a breakdown', () => {
  const seen = arbitraryHistory().chain((history) =>
    fc.record({
      history: fc.constant(history),
      manifests: contextsOf(history),
      lines: fc.shuffledSubarray(history.lines, { minLength: history.lines.length }),
      lost: fc.subarray([...history.texts.keys()], { maxLength: 1 }),
      absent: fc.subarray(
        history.documents.map(({ object }) => object),
        { maxLength: 1 },
      ),
      context: fc.constantFrom('one', 'two', 'default'),
    }),
  );

  it('through any context says what the plain replay says, whatever the order of lines, with anchors that are carried', async () => {
    const met = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(seen, async ({ history, manifests, lines, lost, absent: gone, context }) => {
        const absent = new Set(gone);
        const place = placeOf({ ...history, lines: [...lines, ...lines.slice(0, 5)] }, manifests, new Set(lost));
        const id = manifests.find(({ name }) => name === context)!.id;
        const { selections } = plainLens(manifests, id);
        const whole = sectionHashIn(history);
        const kept = new Set([...history.texts.keys()].filter((hash) => !(lost as string[]).includes(hash)));
        const contents = new Map(history.contents.map(({ object, revision, content }) => [`${object} ${revision}`, content]));
        const sectionHash: View['sectionHash'] = (source, revision, headings) =>
          kept.has(contents.get(`${source} ${revision}`)!) ? whole(source, revision, headings) : 'unavailable';
        const expected = plainRows(project(replay(history.lines, digest), { now, selections, absent, context: id, sectionHash }));
        const rows = productRows(await readPlace(place, now), { context, absent });
        expect(rows).toEqual(expected);
        for (const row of rows)
          met
            .add(row.state)
            .add(row.section)
            .add(row.carried && 'carried')
            .add(row.notCarried && 'not carried');
      }),
      { numRuns: 60, seed: 20260718 },
    );
    const wanted = ['version-stale', 'diverged', 'waived', 'unpinnable', 'anchor-lost', 'unchanged', 'changed', 'unavailable'];
    expect([...wanted, 'carried', 'not carried'].filter((word) => !met.has(word))).toEqual([]);
  });
});
