import { byPath, type Part, partOf } from '#core/workspace/breakdown-part';
import type { ScanReport } from '#core/workspace/scan';
import { type NamedDocument, type View, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import type { Column } from '#kernel/column';
import type { Reading } from '#kernel/reading';
import type { Outputs } from '#protocol';

type Breakdown = Outputs['breakdown'];
type Counts = Breakdown['counts'];

/** What a breakdown is asked for; `scanned` null projects the ledger without looking at the files. */
export interface BreakdownRequest {
  readonly all: boolean;
  readonly scanned: ScanReport | null;
  /** The context that it is seen through, by name or id; the default one without. */
  readonly context?: string | undefined;
  /** The code anchors as they were checked, or last seen. */
  readonly codeAnchors?: Breakdown['codeAnchors'];
  /** The pairs as they are, or were last seen. */
  readonly pairs?: Breakdown['pairs'];
}

/** What of a breakdown does not come from the parts. */
export type Beside = Pick<BreakdownRequest, 'scanned' | 'codeAnchors' | 'pairs'>;

/** A breakdown that is kept: what the ledger was told since is all that is computed anew. */
export interface Standing {
  /**
   * The breakdown as it is now, in steps between which others may have their turn. All of it is of one moment: what is read
   * meanwhile is looked at before it ends. One call at a time.
   */
  steps(beside: Beside): Generator<void, Breakdown>;
  /** How many documents were computed since it was made: what an update costs. */
  computed(): number;
}

/** How often it rests while the ledger goes on growing, before the remainder is computed in one go. */
const mostPasses = 4;
/** How many documents are computed between two places where it may rest. */
const stepLength = 64;
/** With more new parts than this all are put in order anew. */
const fewParts = 64;

/** What a ledger and a context were when the parts were computed. */
interface Basis {
  readonly reading: Reading;
  readonly lens: string;
  readonly changes: Column;
  /** How many of the changes have been looked at. */
  seen: number;
  scanned: ScanReport | null;
  readonly pending: Set<number>;
  readonly places: Place[];
}

/** Where a document is, and whether its file is gone. */
interface Place {
  readonly id: string;
  readonly path: string | null;
  readonly isGone: boolean;
}

/** Makes a breakdown that is kept, of nothing yet. */
export function createStanding(workspace: Workspace, { all, context }: Pick<BreakdownRequest, 'all' | 'context'>): Standing {
  let basis: Basis | null = null;
  let shelf = createShelf(all);
  let computed = 0;

  const basisFor = (view: View, scanned: ScanReport | null): Basis => {
    const { reading } = workspace.replica;
    if (basis?.reading === reading && basis.lens === view.lens) return basis;
    const changes = reading.follow();
    shelf = createShelf(all);
    basis = { reading, lens: view.lens, changes, seen: changes.length, scanned, pending: new Set(), places: [] };
    lookForMoves(basis, shelf, view);
    return basis;
  };

  return {
    computed: () => computed,
    *steps(beside) {
      for (let pass = 0; ; pass++) {
        const view = viewOf(workspace, { context, scanned: beside.scanned });
        const now = basisFor(view, beside.scanned);
        const sight = { view, all, isAbsent: (object: number) => now.places[object]?.isGone === true };
        takeChanges(now, shelf, view, beside.scanned);
        if (now.pending.size > fewParts) shelf.disorder();
        for (const object of now.pending) {
          shelf.put(object, partOf(sight, object));
          now.pending.delete(object);
          if (computed++ % stepLength !== 0 || pass >= mostPasses) continue;
          yield;
          if (workspace.replica.reading !== now.reading) break;
        }
        if (workspace.replica.reading === now.reading && now.seen === now.changes.length) return answer(view, shelf, beside);
      }
    },
  };
}

/** Marks what the ledger was told of since, and what is not where it was; and what may have changed without either. */
function takeChanges(basis: Basis, shelf: Shelf, view: View, scanned: ScanReport | null): void {
  const { changes, pending } = basis;
  if (scanned !== basis.scanned) lookForMoves(basis, shelf, view);
  basis.scanned = scanned;
  for (; basis.seen < changes.length; basis.seen++) {
    const object = changes.at(basis.seen);
    basis.places[object] = placeOf(view, object, basis.places[object]?.id);
    mark(basis, shelf, object);
  }
  for (const object of shelf.passing) pending.add(object);
}

function lookForMoves(basis: Basis, shelf: Shelf, view: View): void {
  for (let object = 0; object < view.graph.objects.size; object++) {
    const before = basis.places[object];
    const now = placeOf(view, object, before?.id);
    if (before !== undefined && before.path === now.path && before.isGone === now.isGone) continue;
    basis.places[object] = now;
    mark(basis, shelf, object);
  }
}

function placeOf(view: View, object: number, id: string = view.graph.objectText(object)): Place {
  return { id, path: view.pathOf(id), isGone: view.absent.has(id) };
}

/** A document is computed anew with all that rest on it. */
function mark({ pending }: Basis, shelf: Shelf, object: number): void {
  pending.add(object);
  for (const artifact of shelf.restingOn(object)) pending.add(artifact);
}

/** The parts by their objects, what rests on what, and the lists that are made of them. */
interface Shelf {
  put(object: number, part: Part | null): void;
  restingOn(source: number): Iterable<number>;
  readonly passing: ReadonlySet<number>;
  /** Says that so many parts are to come that they are put in order at the end. */
  disorder(): void;
  lists(): Lists;
}

type ListName = 'artifacts' | 'silenced' | 'sourceGone' | 'provenanceUnknown' | 'finished';
type Lists = { readonly [Name in ListName]: Breakdown[Name] } & { readonly counts: Counts };

/** What each list has of a part. */
const itemsOf: { readonly [Name in ListName]: (part: Part) => Breakdown[Name] } = {
  artifacts: ({ artifact }) => (artifact.rows.length > 0 ? [artifact] : []),
  silenced: ({ silenced }) => silenced,
  sourceGone: ({ sourceGone }) => sourceGone,
  provenanceUnknown: (part) => (part.isUnknown ? [documentOf(part)] : []),
  finished: (part) => (part.isFinishedBeside ? [documentOf(part)] : []),
};
const listNames = Object.keys(itemsOf) as ListName[];

function documentOf({ artifact: { object, path } }: Part): NamedDocument {
  return { object, path };
}

function createShelf(all: boolean): Shelf {
  const parts = new Map<number, Part>();
  const resting = new Map<number, Set<number>>();
  const passing = new Set<number>();
  const counts: Counts = { ...(all ? { fresh: 0 } : {}), ...noCounts };
  let ready: { [Name in ListName]?: Ready } = {};

  const take = (object: number, part: Part, next: Part | null) => {
    for (const source of part.sources) if (next?.sources.includes(source) !== true) resting.get(source)?.delete(object);
    for (const { state } of part.artifact.rows) counts[state]!--;
  };
  const add = (object: number, part: Part) => {
    for (const source of part.sources) {
      const artifacts = resting.get(source);
      if (artifacts === undefined) resting.set(source, new Set([object]));
      else artifacts.add(object);
    }
    for (const { state } of part.artifact.rows) counts[state] = (counts[state] ?? 0) + 1;
  };
  return {
    passing,
    restingOn: (source) => resting.get(source) ?? [],
    disorder() {
      ready = {};
    },
    put(object, part) {
      const before = parts.get(object) ?? null;
      if (before !== null) take(object, before, part);
      if (part === null) parts.delete(object);
      else parts.set(object, part);
      if (part?.isPassing === true) passing.add(object);
      else passing.delete(object);
      if (part !== null) add(object, part);
      for (const name of listNames) {
        const list = ready[name];
        if (list !== undefined) replace(list, itemsOf[name], before, part);
      }
    },
    lists() {
      const isReady = listNames.every((name) => ready[name] !== undefined);
      const ordered = isReady ? [] : [...parts.values()].sort((a, b) => byPath(a.artifact, b.artifact));
      const list = <Name extends ListName>(name: Name) => {
        const kept: Ready = ready[name] ?? { items: ordered.flatMap((part) => itemsOf[name](part) as Item[]), isGiven: true };
        kept.isGiven = true;
        ready[name] = kept;
        return kept.items as Breakdown[Name];
      };
      return {
        artifacts: list('artifacts'),
        silenced: list('silenced'),
        sourceGone: list('sourceGone'),
        provenanceUnknown: list('provenanceUnknown'),
        finished: list('finished'),
        counts,
      };
    },
  };
}

type Item = Breakdown[ListName][number];

/** A list that is in order; one that was given out is never changed. */
interface Ready {
  items: Item[];
  isGiven: boolean;
}

/** Replaces what a list has of one part. */
function replace(list: Ready, itemsOf: (part: Part) => readonly Item[], before: Part | null, now: Part | null): void {
  const old = before === null ? [] : itemsOf(before);
  const fresh = now === null ? [] : itemsOf(now);
  if (old.length === 0 && fresh.length === 0) return;
  if (list.isGiven) Object.assign(list, { items: list.items.slice(), isGiven: false });
  const { items } = list;
  if (before !== null && now !== null && old.length === fresh.length && byPath(before.artifact, now.artifact) === 0) {
    const place = placeIn(items, now.artifact);
    for (const [at, item] of fresh.entries()) items[place + at] = item;
    return;
  }
  if (before !== null) items.splice(placeIn(items, before.artifact), old.length);
  if (now !== null) items.splice(placeIn(items, now.artifact), 0, ...fresh);
}

/** The index of the first item about a document, or where it belongs. */
function placeIn(list: readonly Item[], document: NamedDocument): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle]!;
    if (byPath('artifact' in item ? item.artifact : item, document) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const noCounts = {
  'version-stale': 0,
  diverged: 0,
  'diverged-multi-head': 0,
  waived: 0,
  unpinnable: 0,
  'anchor-lost': 0,
  'parallel-versions': 0,
  'finished-changed': 0,
  silenced: 0,
  stale: 0,
  'moved-renamed': 0,
  lost: 0,
  'pair-ahead': 0,
} satisfies Counts;

function answer(view: View, shelf: Shelf, { scanned, codeAnchors = [], pairs = [] }: Beside): Breakdown {
  const { counts: ofRows, ...lists } = shelf.lists();
  const anchors = codeAnchors.filter(({ document }) => !view.absent.has(document.object));
  const ahead = pairs.filter(({ state }) => state === 'pair-ahead').length;
  const counts: Counts = { ...ofRows, silenced: lists.silenced.length, 'pair-ahead': ahead };
  for (const { state } of anchors) if (state !== 'fresh') counts[state]!++;
  return { format: 1, context: view.context, scan: scannedOf(scanned), ...lists, codeAnchors: anchors, pairs: [...pairs], counts };
}

function scannedOf(report: ScanReport | null): Breakdown['scan'] {
  if (report === null) {
    return { complete: false, reason: 'not-scanned', documents: 0, external: 0, navigations: 0, absent: 0, diagnostics: [] };
  }
  const { complete, reason, documents, external, navigations, absent, findings } = report;
  const counts = { documents, external, navigations, absent: absent.size, diagnostics: [...findings] };
  return { complete, ...(reason === null ? {} : { reason }), ...counts };
}
