import { digest } from '#core/digest';
import { contextOutput, findContext, lensThrough, readContexts } from '#core/workspace/context';
import type { ScanReport } from '#core/workspace/scan';
import type { Workspace } from '#core/workspace/workspace';
import { claimsFingerprint, fedClaims } from '#kernel/claim';
import { selecting } from '#kernel/context';
import type { Graph } from '#kernel/graph';
import type { Select } from '#kernel/projection';
import { type SectionAnchors, sectionAnchors } from '#kernel/section-anchor';
import type { Uuid } from '#kernel/uuid';
import type { Outputs } from '#protocol';

/** A workspace as one answer sees it: through one context, at one moment. */
export interface View {
  readonly workspace: Workspace;
  readonly graph: Graph;
  readonly context: Outputs['breakdown']['context'];
  readonly select: Select;
  /** Equal: two views that take the same for current, and answer a check alike, in a ledger that says the same. */
  readonly lens: string;
  readonly anchors: SectionAnchors;
  /** What stands for the claims that a check would be given now. */
  readonly fingerprint: string;
  readonly now: number;
  /** Objects whose file is gone. */
  readonly absent: ReadonlySet<string>;
  /** Where a document is, or was last. */
  readonly pathOf: (object: string) => string | null;
  /** A document of the graph by its id and where it is; looked up once. */
  readonly documentOf: (object: number) => NamedDocument;
}

/** A document by its id and where it is; null: nowhere that is known. */
export interface NamedDocument {
  readonly object: string;
  readonly path: string | null;
}

/** How a workspace is looked at: through the context of this name or id, default without; with the places that a scan found. */
export interface Looking {
  readonly context?: string | undefined;
  readonly scanned?: ScanReport | null;
}

/** Looks at what the replica has read. A context that is not there is a Fault. */
export function viewOf(workspace: Workspace, { context, scanned = null }: Looking = {}): View {
  const { graph, facts } = workspace.replica.reading;
  const contexts = readContexts(workspace.disk, workspace.vmark);
  const chosen = findContext(contexts, context);
  const lens = lensThrough(contexts, chosen);
  const shown = contextOutput(lens, chosen.file ?? (lens.problems.length > 0 ? 'default.json' : null));
  const fingerprint = claimsFingerprint(digest, fedClaims(facts, lens.visibleClaims));
  const pathOf = (id: string) => scanned?.seen.get(id as Uuid)?.path ?? facts.pathOf(id);
  return {
    workspace,
    graph,
    context: shown,
    lens: JSON.stringify([shown.id, [...lens.selections], fingerprint]),
    select: selecting(graph, lens.selections),
    anchors: sectionAnchors(graph, facts),
    fingerprint,
    now: workspace.chance.now(),
    absent: scanned?.absent ?? new Set<Uuid>(),
    pathOf,
    documentOf: documentsOf(graph, pathOf),
  };
}

/** The ids of objects as they were put into words: of one graph a number stays that of its object. */
const spelled = new WeakMap<Graph, Uuid[]>();

function documentsOf(graph: Graph, pathOf: View['pathOf']): View['documentOf'] {
  const known = new Map<number, NamedDocument>();
  const ids = spelled.get(graph) ?? [];
  spelled.set(graph, ids);
  return (object) => {
    const before = known.get(object);
    if (before !== undefined) return before;
    ids[object] ??= graph.objectText(object);
    const document = { object: ids[object], path: pathOf(ids[object]) };
    known.set(object, document);
    return document;
  };
}
