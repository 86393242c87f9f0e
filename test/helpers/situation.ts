import { digest } from '#core/digest';
import { contentHash, type RevisionId } from '#kernel/revision';
import { resolveSection } from '#kernel/section';
import { defaultContext, noClaims, type View } from '../reference/projection.ts';
import { createHistory, type History, namedUuid, type Reading, type Written } from './history.ts';

/** Some ledger, and through what it is seen; `now` is 2026-07-18T12:00:00Z. */
export interface Situation {
  readonly history: History;
  readonly view?: Pick<View, 'absent' | 'selections'>;
}

/** The newest revision of a document. */
export const lastOf = ({ object, revisions }: Written): Reading => ({ object, revision: revisions.at(-1)! });

/** The hash of a section of a revision, from the texts of a history: what a ledger with all its snapshots would find. */
export function sectionHashIn(history: History): NonNullable<View['sectionHash']> {
  const contents = new Map(history.contents.map(({ object, revision, content }) => [`${object} ${revision}`, content]));
  return (source, revision, headings) => {
    const text = history.texts.get(contents.get(`${source} ${revision}`) ?? contentHash(digest, ''));
    if (text === undefined) return 'unavailable';
    const section = resolveSection(text, headings, digest.utf8Length);
    return section.kind === 'found' ? contentHash(digest, text.slice(section.start, section.end)) : 'lost';
  };
}

/** The first text of a source, and its second; the section B is the same in both. */
export const first = '# A\n\nas it was\n\n# B\n\nthe same\n';
/** See `first`. */
export const second = '# A\n\nas it is\n\n# B\n\nthe same\n';

/** A source of one revision and an artifact that was made from it. */
export function derived(reading: Partial<Reading> = {}) {
  const history = createHistory();
  const source = history.document('source.md');
  const artifact = history.document('artifact.md');
  history.write(source, first);
  const { txf } = history.write(artifact, 'made', { inputs: [{ ...lastOf(source), ...reading }] });
  return { history, source, artifact, txf };
}

/** The same after the source has moved on. */
export function stale(reading: Partial<Reading> = {}) {
  const made = derived(reading);
  const { revision } = made.history.write(made.source, second);
  return { ...made, newest: revision };
}

/** The same after the source has moved on twice, beside itself. */
function forked() {
  const made = stale();
  const { revision } = made.history.write(made.source, 'beside', { parents: made.source.revisions.slice(0, 1) });
  return { ...made, beside: revision };
}

/** A stale edge that was checked, in some context and with some claims. */
export function checked(
  about: { context: string | null; claims_fingerprint: string | null },
  verdict: 'no-contradiction' | 'contradiction' | 'unknown' = 'contradiction',
) {
  const made = stale();
  const { edge, pinned } = made.history.edges[0]!;
  const said = { verdict, model: 'm', prompt_version: 'check-v1', evidence: [{ quote: 'q', loc: '' }], confidence: 1, downgraded: null };
  made.history.append('check-result', { edge, pinned, checked_against: made.newest, ...said, ...about });
  return made;
}

/** Narrows the first edge to the section B of its source as pinned, which is the same in both texts, or to A, which is not. */
export function anchored(heading: 'A' | 'B', { history } = stale()): History {
  const headings = [heading];
  const { edge, source, pinned } = history.edges[0]!;
  const anchored_hash = sectionHashIn(history)(source, pinned, headings);
  if (anchored_hash === 'lost' || anchored_hash === 'unavailable') throw new Error('The section is not there.');
  history.append('edge-anchor', { edge, headings, anchored_hash });
  return history;
}

/** Every situation of the projection vectors, by name; those of one name that must come out alike. */
export const situations: Record<string, () => Situation[]> = {
  'superseded downstream': () => {
    const { history, artifact } = stale();
    history.write(artifact, 'by hand');
    return [{ history }];
  },
  'contextual role': () => [stale({ role: 'contextual' })],
  'pin equals selection': () => [derived()],
  advanced: () => [stale()],
  ratified: () => {
    const { history, newest } = stale();
    history.resolve('ratification', 0, newest);
    return [{ history }];
  },
  'waiver with unparseable expiry': () => {
    const { history, newest } = stale();
    history.resolve('waiver', 0, newest, 'next week');
    return [{ history }];
  },
  'expiry exactly now': () => {
    const { history, newest } = stale();
    history.resolve('waiver', 0, newest, '2026-07-18T14:00:00.000+02:00');
    return [{ history }];
  },
  'expired waiver newer than a ratification': () => {
    const { history, newest } = stale();
    history.resolve('ratification', 0, newest, null, { time: '2026-07-18T10:30:00Z' });
    history.resolve('waiver', 0, newest, '2026-07-18T11:30:00Z', { time: '2026-07-18T11:00:00Z' });
    return [{ history }];
  },
  'upstream moves past a resolution': () => {
    const { history, source, newest } = stale();
    history.resolve('ratification', 0, newest);
    history.write(source, 'three');
    return [{ history }];
  },
  'incomparable pin': () => {
    const history = createHistory();
    const [source, artifact] = [history.document('source.md'), history.document('artifact.md')];
    const { revision: root } = history.write(source, 'one');
    const { revision: chosen } = history.write(source, 'two');
    const { revision: fork } = history.write(source, 'beside', { parents: [root] });
    history.write(artifact, 'made', { inputs: [{ object: source.object, revision: fork }] });
    return [{ history, view: { selections: new Map([[source.object, chosen]]) } }];
  },
  'multi-head live upstream': () => [forked()],
  'multi-head wins over any resolution': () => {
    const { history, newest, beside } = forked();
    history.resolve('ratification', 0, newest);
    history.resolve('ratification', 0, beside);
    return [{ history }];
  },
  'check under another context or fingerprint': () => [
    checked({ context: namedUuid('other'), claims_fingerprint: noClaims }),
    checked({ context: defaultContext, claims_fingerprint: contentHash(digest, 'claims') }),
  ],
  'check without context/fingerprint fields': () => [checked({ context: null, claims_fingerprint: null })],
  'context pins a revision the object never had': () => {
    const { history, source, artifact } = stale();
    return [{ history, view: { selections: new Map([[source.object, artifact.revisions[0] as RevisionId]]) } }];
  },
  'upstream has no revisions': () => [derived({ object: namedUuid('nowhere') })],
  'deleted upstream or downstream file': () => {
    const { history, source } = stale();
    return [{ history, view: { absent: new Set([source.object]) } }];
  },
  'anchor unchanged': () => [{ history: anchored('B') }],
};
