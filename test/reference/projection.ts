import type { CheckResult, Verdict } from '#kernel/body-check';
import type { EdgeAnchor } from '#kernel/body-edge';
import { compareEntries } from '#kernel/entry';
import { parseInstant } from '#kernel/instant';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import {
  currentOf,
  type Edge,
  type EdgeLog,
  edgeKey,
  headsOf,
  isStrictAncestor,
  type Replay,
  type ReplayObject,
  type ResolutionEntry,
} from './replay.ts';

/** The default context. */
export const defaultContext = '00000000-0000-0000-0000-000000000000';
/** What is fed to a check when there are no claims. */
export const noClaims = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Through what a ledger is seen; without the optional parts, the default context without claims, all files there, no texts. */
export interface View {
  now: string;
  claimsFingerprint?: string;
  absent?: ReadonlySet<Uuid>;
  context?: string;
  /** What the context takes for current, instead of the single head. */
  selections?: ReadonlyMap<Uuid, RevisionId>;
  /** The hash of a section of a revision, or why there is none. */
  sectionHash?: (source: Uuid, revision: RevisionId, headings: readonly string[]) => ContentHash | 'lost' | 'unavailable';
}

/** Why nobody is asked about a row. */
export type Silence = 'document-finished' | 'same-text' | 'section-unchanged' | null;

/** One listed edge. */
export interface EdgeRow extends Edge {
  path: string | null;
  /** The source's current revision; null when there is none or several. */
  current: RevisionId | null;
  state: 'fresh' | 'version-stale' | 'diverged' | 'diverged-multi-head' | 'waived' | 'unpinnable';
  /** Why a fresh edge is fresh. */
  fresh: 'kind' | 'ratified' | 'same' | 'ahead' | null;
  waiver: { reason: string | null; by: string; at: string; expires: string | null } | null;
  check: 'verified-valid' | 'contradicted' | 'unchecked' | null;
  section: 'unchanged' | 'changed' | 'lost' | 'unavailable' | null;
  /** Whether nobody anchored this edge itself: the section comes from an earlier version. */
  carried: boolean;
  /** Whether an earlier version had a section that is not in the source as this one read it. */
  notCarried: boolean;
  silenced: Silence;
  /** It stands under "Source no longer here". */
  sourceGone: boolean;
  resolutions: number;
  judgment: 'relevant' | 'noise' | 'unsure' | null;
}

/** A document that is listed itself. */
export interface ObjectRow {
  artifact: Uuid;
  path: string | null;
  state: 'parallel-versions' | 'finished-changed';
  heads: RevisionId[];
  silenced: Silence;
}

/** One row; a document's row has no `txf`. */
export type Row = EdgeRow | ObjectRow;
type Judged = Pick<EdgeRow, 'state'> & Partial<Pick<EdgeRow, 'fresh' | 'waiver' | 'check'>>;

/** Every listed edge and document by artifact path, then txf (documents first), then input (format.md §7). */
export function project(read: Replay, view: View): Row[] {
  const rows: Row[] = [];
  for (const edge of read.edges.values()) {
    if (resolve(read, view, edge.artifact) === edge.artifactRevision) rows.push(edgeRow(read, view, edge));
  }
  const artifacts = new Set([...read.edges.values()].map(({ artifact }) => artifact));
  for (const object of read.objects.values()) {
    if (artifacts.has(object.id) && resolve(read, view, object.id) === 'several') rows.push(parallelRow(read, object));
    if (isFinishedChanged(read, view, object)) rows.push({ ...aboutObject(object), state: 'finished-changed', silenced: null });
  }
  return rows.filter(({ artifact }) => !view.absent?.has(artifact)).sort(compareRows);
}

/** The current revision of an object, or that it has several heads, or none that is known. */
function resolve(read: Replay, view: View, id: Uuid): RevisionId | 'several' | 'none' {
  const object = read.objects.get(id);
  const selected = view.selections?.get(id);
  if (selected !== undefined) return object?.revisions.has(selected) ? selected : 'none';
  const [head, ...others] = headsOf(object);
  if (head === undefined) return 'none';
  return others.length === 0 ? head : 'several';
}

function edgeRow(read: Replay, view: View, edge: Edge): EdgeRow {
  const log = read.logs.get(edgeKey(edge));
  const current = resolve(read, view, edge.source);
  const known = current === 'several' || current === 'none' ? null : current;
  const row: EdgeRow = {
    ...edge,
    path: pathOf(read, edge.artifact),
    current: known,
    fresh: null,
    waiver: null,
    check: null,
    ...judge(read, view, edge, current),
    section: null,
    carried: false,
    notCarried: false,
    silenced: null,
    sourceGone: view.absent?.has(edge.source) ?? false,
    resolutions: log?.resolutions.length ?? 0,
    judgment: currentOf(log).judgment,
  };
  if (row.state === 'fresh') return row;
  const narrowed = { ...row, ...(known === null ? {} : sectionOf(read, view, edge, known)) };
  return { ...narrowed, silenced: silenceOf(read, narrowed) };
}

/** The first line of format.md §7 that holds. */
function judge(read: Replay, view: View, edge: Edge, current: RevisionId | 'several' | 'none'): Judged {
  if (edge.kind === 'part-of' || edge.kind === 'mention') return { state: 'fresh', fresh: 'kind' };
  if (current === 'several') return { state: 'diverged-multi-head' };
  if (current === 'none') return { state: 'unpinnable' };
  const log = read.logs.get(edgeKey(edge));
  const newest = log?.resolutions.filter(({ body }) => body.resolved_against === current).at(-1);
  if (newest?.kind === 'ratification') return { state: 'fresh', fresh: 'ratified' };
  if (newest?.kind === 'waiver' && isActive(newest, view.now)) {
    const { reason, actor, expires } = newest.body;
    return { state: 'waived', waiver: { reason, by: actor.id, at: newest.time, expires } };
  }
  const source = read.objects.get(edge.source);
  if (edge.pinned === current) return { state: 'fresh', fresh: 'same' };
  if (isStrictAncestor(source, edge.pinned, current)) return { state: 'version-stale', check: checkOf(view, edge, current, log) };
  if (isStrictAncestor(source, current, edge.pinned)) return { state: 'fresh', fresh: 'ahead' };
  return { state: 'diverged' };
}

/** A waiver holds for ever or until strictly later than now; a time that cannot be read is over. */
function isActive({ body }: ResolutionEntry, now: string): boolean {
  if (body.expires === null) return true;
  const [until, at] = [parseInstant(body.expires), parseInstant(now)];
  return until !== null && at !== null && until > at;
}

const verdicts: Record<Verdict, NonNullable<EdgeRow['check']>> = {
  'no-contradiction': 'verified-valid',
  contradiction: 'contradicted',
  unknown: 'unchecked',
};

/** The newest check that asked just this: the same two revisions, context and claims. */
function checkOf(view: View, edge: Edge, current: RevisionId, log: EdgeLog | undefined): EdgeRow['check'] {
  const isLive = ({ pinned, checked_against, context, claims_fingerprint }: CheckResult): boolean =>
    pinned === edge.pinned &&
    checked_against === current &&
    context === (view.context ?? defaultContext) &&
    claims_fingerprint === (view.claimsFingerprint ?? noClaims);
  const live = log?.checks.filter(({ body }) => isLive(body)).at(-1);
  return live === undefined ? null : verdicts[live.body.verdict];
}

function sectionOf(read: Replay, view: View, edge: Edge, current: RevisionId): Partial<EdgeRow> {
  const { sectionHash } = view;
  if (sectionHash === undefined) return {};
  const anchor = anchorOf(read, edge);
  if (anchor === null) return {};
  const { own, headings } = anchor;
  const carried = own === null || own.carried_from !== undefined;
  const hashAt = (revision: RevisionId) => sectionHash(edge.source, revision, headings);
  const before = own === null ? hashAt(edge.pinned) : own.anchored_hash!;
  if (before === 'lost') return { notCarried: true };
  if (before === 'unavailable') return { carried, section: 'unavailable' };
  const now = hashAt(current);
  if (now === 'lost') return { carried, section: 'lost' };
  if (now === 'unavailable') return { carried, section: 'unavailable' };
  return { carried, section: now === before ? 'unchanged' : 'changed' };
}

/** The section that an edge is narrowed to: what was said of it last, else what its earlier versions say. */
export function anchorOf(read: Replay, edge: Edge): { headings: readonly string[]; own: EdgeAnchor | null } | null {
  const own = read.logs.get(edgeKey(edge))?.anchors.at(-1)?.body;
  const headings = own?.headings ?? earlierAnchor(read, edge, edge.artifactRevision)?.body.headings ?? [];
  return headings.length === 0 ? null : { headings, own: own ?? null };
}

/** What the versions before `revision` say of the same source: on each way back the first that says anything, of those the newest. */
function earlierAnchor(read: Replay, edge: Edge, revision: RevisionId): EdgeLog['anchors'][number] | undefined {
  const parents = read.objects.get(edge.artifact)?.revisions.get(revision)?.parents ?? [];
  const found = parents.map((parent) => {
    const alike = [...read.edges.values()].filter(
      ({ artifact, artifactRevision, source }) => artifact === edge.artifact && artifactRevision === parent && source === edge.source,
    );
    const said = alike.flatMap((other) => read.logs.get(edgeKey(other))?.anchors ?? []);
    return said.sort(compareEntries).at(-1) ?? earlierAnchor(read, edge, parent);
  });
  return found
    .filter((anchor) => anchor !== undefined)
    .sort(compareEntries)
    .at(-1);
}

/** Why nobody is asked about a row that is not fresh; the document comes first, then the whole text, then the section. */
function silenceOf(read: Replay, { artifact, source, pinned, current, section }: EdgeRow): Silence {
  if (isFinished(read, artifact)) return 'document-finished';
  const revisions = read.objects.get(source)?.revisions;
  const before = revisions?.get(pinned)?.content;
  const after = current === null ? undefined : revisions?.get(current)?.content;
  if (before !== undefined && before === after) return 'same-text';
  return section === 'unchanged' ? 'section-unchanged' : null;
}

function parallelRow(read: Replay, object: ReplayObject): ObjectRow {
  return { ...aboutObject(object), state: 'parallel-versions', silenced: isFinished(read, object.id) ? 'document-finished' : null };
}

function aboutObject(object: ReplayObject): Pick<ObjectRow, 'artifact' | 'path' | 'heads'> {
  return { artifact: object.id, path: object.path, heads: headsOf(object) };
}

function isFinished(read: Replay, id: Uuid): boolean {
  return read.objects.get(id)?.lifecycle?.body.state === 'frozen';
}

/** Whether a revision that is current was first recorded after the document was finished. */
function isFinishedChanged(read: Replay, view: View, { id, lifecycle, revisions }: ReplayObject): boolean {
  if (lifecycle?.body.state !== 'frozen') return false;
  const selected = resolve(read, view, id);
  const current = selected === 'several' ? headsOf(read.objects.get(id)) : [selected];
  return current.some((revision) => {
    const first = revisions.get(revision as RevisionId)?.first;
    return first !== undefined && compareEntries(first, lifecycle) > 0;
  });
}

function pathOf(read: Replay, id: Uuid): string | null {
  return read.objects.get(id)?.path ?? null;
}

function compareRows(a: Row, b: Row): number {
  const keys = (row: Row) => {
    const [txf, input] = 'txf' in row ? [row.txf, String(row.input).padStart(10, '0')] : ['', row.state];
    return [row.path ?? '', txf, input, row.artifact];
  };
  const [left, right] = [keys(a), keys(b)];
  const at = left.findIndex((key, index) => key !== right[index]);
  return at < 0 ? 0 : left[at]! < right[at]! ? -1 : 1;
}
