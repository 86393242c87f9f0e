import { isDocumentPath } from '#core/document';
import { type Identified, identify } from '#core/workspace/capture';
import { readFile, refuseHeld, refuseLink, refuseUnscanned, register } from '#core/workspace/record';
import { scan } from '#core/workspace/scan';
import { headsOf } from '#core/workspace/versions';
import { walkDocuments } from '#core/workspace/walk';
import type { Workspace } from '#core/workspace/workspace';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault } from '#protocol';

/** What tracking did, or would do, to one document. */
export interface Tracked {
  readonly path: string;
  readonly outcome: 'tracked' | 'already-tracked';
  readonly object: Uuid | null;
  readonly revision: RevisionId | null;
  readonly tracked_by: 'id' | 'path';
  /** Why it is tracked by its path, where it is. */
  readonly reason: NonNullable<Identified['byPath']> | null;
}

/**
 * Stamps and registers documents as they are (`stemma track`); `null` means all of them. A preview changes nothing.
 * The caller holds the lock, unless it is a preview.
 */
export async function track(workspace: Workspace, paths: readonly string[] | null, isPreview: boolean): Promise<Tracked[]> {
  if (!workspace.home.isOn(workspace.root)) throw new Fault('no-workspace-record', {});
  const report = await scan(workspace, { mode: isPreview ? 'foresee' : 'append' });
  refuseUnscanned(report);
  const named = paths ?? walkDocuments(workspace.disk, workspace.root).paths;
  const tracked: Tracked[] = [];
  for (const path of named) {
    refuseLink(workspace, path);
    const identified = await identify(workspace, path, readFile(workspace, path), 'adopt');
    if (identified === null || (paths === null && identified.byPath === 'not-utf8' && isDocumentPath(path))) continue;
    refuseHeld(report, identified.object);
    tracked.push(await trackOne(workspace, path, identified, isPreview));
  }
  return tracked;
}

async function trackOne(workspace: Workspace, path: string, identified: Identified, isPreview: boolean): Promise<Tracked> {
  const { object, byPath } = identified;
  const { graph, facts } = workspace.replica.reading;
  const how = { path, tracked_by: byPath === null ? ('id' as const) : ('path' as const), reason: byPath };
  if (facts.registrations.has(object) && !identified.isStamped) {
    const heads = headsOf(graph, object);
    const revision = heads.length === 1 ? graph.revisionText(heads[0]!) : null;
    return { ...how, outcome: 'already-tracked', object, revision };
  }
  if (isPreview) return { ...how, outcome: 'tracked', object: null, revision: null };
  const recorded = await register(workspace, path, identified);
  return { ...how, outcome: 'tracked', object, revision: recorded.revision };
}
