import { documentRows, edgeRow, type Row } from '#core/workspace/breakdown-row';
import type { ScanReport } from '#core/workspace/scan';
import { type Turns, takeTurns } from '#core/workspace/turns';
import { type View, viewOf } from '#core/workspace/view';
import type { Workspace } from '#core/workspace/workspace';
import { none } from '#kernel/key-table';
import { listedEdges, projectEdge } from '#kernel/projection';
import type { Outputs } from '#protocol';

type Breakdown = Outputs['breakdown'];
type Artifact = Breakdown['artifacts'][number];

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

/** Every row that the world has moved past, in an order that depends on the workspace only (`spec/interfaces.md` §5). */
export function breakdown(workspace: Workspace, request: BreakdownRequest): Breakdown {
  const steps = breakdownSteps(workspace, request);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** How often it is begun again because the ledger grew meanwhile, before it is computed in one go. */
const mostBeginnings = 4;

/** The same in turns, so that others are heard meanwhile. All of it is of one moment: where the ledger grew in between, it begins again. */
export async function breakdownInTurns(workspace: Workspace, request: BreakdownRequest, turns: Turns = takeTurns()): Promise<Breakdown> {
  for (let beginning = 0; beginning < mostBeginnings; beginning++) {
    const { reading } = workspace.replica;
    const entries = reading.graph.entryTime.length;
    const steps = breakdownSteps(workspace, request);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      await turns.rest();
      if (workspace.replica.reading !== reading || reading.graph.entryTime.length !== entries) break;
    }
  }
  return breakdown(workspace, request);
}

/** How many edges, or objects, are looked at between two places where it may rest. */
const stepLength = 256;

function* breakdownSteps(workspace: Workspace, request: BreakdownRequest): Generator<void, Breakdown> {
  const view = viewOf(workspace, request);
  const { graph, absent } = view;
  const artifacts = new Map<number, Row[]>();
  const silenced: Breakdown['silenced'] = [];
  const sourceGone: Breakdown['sourceGone'] = [];
  const isAbsent = absence(view);
  let looked = 0;
  for (const edge of listedEdges(graph, view.select)) {
    if (++looked % stepLength === 0) yield;
    const object = graph.nodeObject(graph.edgeArtifact.at(edge));
    if (isAbsent(object)) continue;
    const projected = projectEdge(graph, edge, view.select, view.now);
    if (projected.state === 'fresh' && !request.all) continue;
    const row = edgeRow(view, projected);
    if (isAbsent(graph.edgeSource.at(edge))) sourceGone.push({ ...row, silenced: null, artifact: view.documentOf(object) });
    else if (row.silenced !== null) silenced.push({ ...row, silenced: row.silenced, artifact: view.documentOf(object) });
    else add(artifacts, object, row as Row);
  }
  for (let object = 0; object < graph.objects.size; object++) {
    if (object % stepLength === 0) yield;
    if (isAbsent(object)) continue;
    for (const row of documentRows(view, object)) add(artifacts, object, row);
  }
  const provenanceUnknown = yield* unknownProvenance(view, isAbsent);
  const asked = new Set([...artifacts.keys(), ...silenced.map(({ artifact }) => graph.findObject(artifact.object))]);
  const finished = finishedBeside(view, (object) => isAbsent(object) || asked.has(object));
  const codeAnchors = (request.codeAnchors ?? []).filter(({ document }) => !absent.has(document.object));
  const listed: Artifact[] = [];
  for (const [object, rows] of artifacts) {
    if (listed.length % stepLength === 0) yield;
    listed.push(artifactOf(view, object, rows));
  }
  listed.sort(byPath);
  yield;
  return {
    format: 1,
    context: view.context,
    scan: scannedOf(request.scanned),
    artifacts: listed,
    silenced: silenced.sort(byArtifact),
    sourceGone: sourceGone.sort(byArtifact),
    provenanceUnknown,
    finished,
    codeAnchors,
    pairs: [...(request.pairs ?? [])],
    counts: countsOf(listed, codeAnchors, request.pairs ?? [], silenced.length, request.all),
  };
}

/** Whether the file of an object is gone, by its number: ids are not written out to ask that. */
function absence({ graph, absent }: View): (object: number) => boolean {
  const gone = new Set<number>();
  for (const id of absent) gone.add(graph.findObject(id));
  return (object) => gone.has(object);
}

function add(artifacts: Map<number, Row[]>, object: number, row: Row): void {
  const rows = artifacts.get(object);
  if (rows === undefined) artifacts.set(object, [row]);
  else rows.push(row);
}

function artifactOf(view: View, object: number, rows: Row[]): Artifact {
  const { object: id, path } = view.documentOf(object);
  const isFinished = view.workspace.replica.reading.facts.lifecycles.get(id)?.value.state === 'frozen';
  return { object: id, path, lifecycle: isFinished ? 'finished' : 'live', rows: rows.sort(bySource) };
}

/**
 * Documents whose present version has no inputs although an earlier one had: an edit from outside took them away. Only where the
 * context shows that version; inputs are confirmed for no other.
 */
function* unknownProvenance(view: View, isAbsent: (object: number) => boolean): Generator<void, Breakdown['provenanceUnknown']> {
  const { graph } = view;
  const { lifecycles } = view.workspace.replica.reading.facts;
  const found: Breakdown['provenanceUnknown'] = [];
  for (let object = 0; object < graph.objects.size; object++) {
    if (object % stepLength === 0) yield;
    if (!graph.isArtifact(object) || graph.objectHeads.at(object) !== 1) continue;
    const head = graph.objectHeadMix.at(object);
    if (graph.nodeFirstEdge.at(head) !== none || isAbsent(object)) continue;
    const selection = view.select(object);
    if (selection.kind !== 'one' || selection.node !== head) continue;
    const document = view.documentOf(object);
    if (lifecycles.get(document.object)?.value.state !== 'frozen') found.push(document);
  }
  return found.sort(byPath);
}

/** Finished documents that no row names: all that they rest on is as it was, or their present version rests on nothing. */
function finishedBeside(view: View, isElsewhere: (object: number) => boolean): Breakdown['finished'] {
  const found: Breakdown['finished'] = [];
  for (const [id, { value }] of view.workspace.replica.reading.facts.lifecycles) {
    const object = view.graph.findObject(id);
    if (value.state === 'frozen' && object !== none && !isElsewhere(object)) found.push(view.documentOf(object));
  }
  return found.sort(byPath);
}

function scannedOf(report: ScanReport | null): Breakdown['scan'] {
  if (report === null) {
    return { complete: false, reason: 'not-scanned', documents: 0, external: 0, navigations: 0, absent: 0, diagnostics: [] };
  }
  const { complete, reason, documents, external, navigations, absent, findings } = report;
  const counts = { documents, external, navigations, absent: absent.size, diagnostics: [...findings] };
  return { complete, ...(reason === null ? {} : { reason }), ...counts };
}

type CodeAnchors = Breakdown['codeAnchors'];

function countsOf(
  artifacts: readonly Artifact[],
  anchors: CodeAnchors,
  pairs: Breakdown['pairs'],
  silenced: number,
  all: boolean,
): Breakdown['counts'] {
  const counts: Breakdown['counts'] = {
    ...(all ? { fresh: 0 } : {}),
    'version-stale': 0,
    diverged: 0,
    'diverged-multi-head': 0,
    waived: 0,
    unpinnable: 0,
    'anchor-lost': 0,
    'parallel-versions': 0,
    'finished-changed': 0,
    silenced,
    stale: 0,
    'moved-renamed': 0,
    lost: 0,
    'pair-ahead': pairs.filter(({ state }) => state === 'pair-ahead').length,
  };
  for (const { state } of anchors) if (state !== 'fresh') counts[state]++;
  for (const { rows } of artifacts) for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

const compare = (a: string | null, b: string | null) => ((a ?? '\uffff') < (b ?? '\uffff') ? -1 : a === b ? 0 : 1);

type Named = Breakdown['finished'][number];

function byPath(a: Named, b: Named): number {
  return compare(a.path, b.path) || compare(a.object, b.object);
}

/** What rows are ordered by. */
export type Sourced = Pick<Row, 'source' | 'edge'>;

/** The order of rows under one artifact: by source path, then by edge. */
export function bySource(a: Sourced, b: Sourced): number {
  const bySourcePath = compare(a.source?.path ?? '', b.source?.path ?? '');
  return bySourcePath || compare(a.edge?.txf ?? '', b.edge?.txf ?? '') || (a.edge?.input ?? 0) - (b.edge?.input ?? 0);
}

type WithArtifact = Sourced & { readonly artifact: Named };

function byArtifact(a: WithArtifact, b: WithArtifact): number {
  return byPath(a.artifact, b.artifact) || bySource(a, b);
}
