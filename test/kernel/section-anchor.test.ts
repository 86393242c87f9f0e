import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { contentHash, type RevisionId } from '#kernel/revision';
import { type SectionAnchor, sectionAnchors } from '#kernel/section-anchor';
import { createHistory, type History } from '../helpers/history.ts';
import { readSegments } from '../helpers/reading.ts';
import { lastOf } from '../helpers/situation.ts';
import { anchorOf } from '../reference/projection.ts';
import { replay } from '../reference/replay.ts';

const anchored_hash = contentHash(digest, 'a section');

/** What each edge is narrowed to, by its name and artifact. */
function anchorsIn(lines: readonly string[]): Map<string, SectionAnchor | null> {
  const { graph, facts } = readSegments([Buffer.from(`${lines.join('\n')}\n`)]);
  const anchors = sectionAnchors(graph, facts);
  const found = new Map<string, SectionAnchor | null>();
  for (let edge = 0; edge < graph.edgeEntry.length; edge++) {
    const artifact = graph.revisionText(graph.edgeArtifact.at(edge));
    found.set(`${graph.entryText(graph.edgeEntry.at(edge))} ${graph.edgeInput.at(edge)} ${artifact}`, anchors.of(edge));
  }
  return found;
}

const plain = (anchor: SectionAnchor | null) =>
  anchor === null ? null : anchor.kind === 'own' ? ['own', ...anchor.anchor.headings] : ['carried', ...anchor.headings];

/** Versions of one artifact, each on top of some earlier ones, most made from one of two sources; and anchors of any edge, at any time. */
const forest = fc.record({
  versions: fc.array(
    fc.record({
      parents: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 3 }),
      reads: fc.constantFrom<readonly number[]>([0], [0], [1], [0, 1], [0, 0], []),
    }),
    { minLength: 2, maxLength: 10 },
  ),
  said: fc.array(fc.record({ edge: fc.nat(19), heading: fc.constantFrom('A', 'B', 'C', null), clock: fc.nat(59) }), {
    minLength: 1,
    maxLength: 8,
  }),
});

function historyOf({ versions, said }: typeof forest extends fc.Arbitrary<infer T> ? T : never): History {
  const history = createHistory();
  const sources = [history.document('s.md'), history.document('t.md')];
  for (const source of sources) history.write(source, 'source');
  const artifact = history.document('a.md');
  for (const [at, { parents, reads }] of versions.entries()) {
    const over = at === 0 ? [] : [...new Set(parents.map((parent) => artifact.revisions[parent % at] as RevisionId))];
    history.write(artifact, `version ${at}`, { parents: over, inputs: reads.map((source) => lastOf(sources[source]!)) });
  }
  for (const { edge, heading, clock } of history.edges.length === 0 ? [] : said) {
    const about = history.edges[edge % history.edges.length]!.edge;
    const time = `2026-07-18T11:00:${String(clock).padStart(2, '0')}.000Z`;
    const body = heading === null ? { headings: [], anchored_hash: null } : { headings: [heading], anchored_hash };
    history.append('edge-anchor', { edge: about, ...body }, { time });
  }
  return history;
}

describe('the section that an edge is narrowed to', () => {
  it('is what the plain replay says, over forks and joins, whatever the order of lines', () => {
    const met = new Set<unknown>();
    fc.assert(
      fc.property(forest, fc.nat(), (made, cut) => {
        const { lines } = historyOf(made);
        const turned = [...lines.slice(cut % lines.length), ...lines.slice(0, cut % lines.length)];
        const read = replay(lines, digest);
        const expected = [...read.edges.values()].map((edge) => {
          const anchor = anchorOf(read, edge);
          return [
            `${edge.txf} ${edge.input} ${edge.artifactRevision}`,
            anchor && [anchor.own ? 'own' : 'carried', ...anchor.headings],
          ] as const;
        });
        const found = [...anchorsIn(turned)].map(([key, anchor]) => [key, plain(anchor)] as const);
        expect(new Map(found)).toEqual(new Map(expected));
        for (const [, anchor] of found) met.add(anchor?.[0] ?? 'none');
      }),
      { numRuns: 400 },
    );
    expect([...met].sort()).toEqual(['carried', 'none', 'own']);
  });

  it('of a join is that of the newest word on its ways back, and a newer clearing wins', () => {
    const history = createHistory();
    const source = history.document('s.md');
    const artifact = history.document('a.md');
    history.write(source, 'source');
    const write = (text: string, parents: RevisionId[]) => history.write(artifact, text, { parents, inputs: [lastOf(source)] });
    const root = write('root', []);
    const [left, right] = [write('left', [root.revision]), write('right', [root.revision])];
    const join = write('join', [left.revision, right.revision]);
    const key = `${join.txf} 0 ${join.revision}`;
    const say = (txf: typeof left.txf, heading: string | null, second: number) =>
      history.append(
        'edge-anchor',
        { edge: { txf, input: 0 }, headings: heading === null ? [] : [heading], anchored_hash: heading === null ? null : anchored_hash },
        { time: `2026-07-18T11:00:0${second}.000Z` },
      );
    const joined = () => anchorsIn(history.lines).get(key);
    say(root.txf, 'Root', 9);
    say(right.txf, 'Right', 2);
    expect(joined()).toMatchObject({ kind: 'carried', headings: ['Root'] });
    say(left.txf, 'Left', 1);
    expect(joined()).toMatchObject({ kind: 'carried', headings: ['Right'], from: { txf: right.txf, input: 0 } });
    say(left.txf, null, 3);
    expect(joined()).toBeNull();
    say(join.txf, 'Own', 0);
    expect(joined()).toMatchObject({ kind: 'own', anchor: { headings: ['Own'] } });
  });
});
