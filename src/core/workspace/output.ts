import { knownAnchors } from '#core/anchors/ledger';
import { lastSeen } from '#core/anchors/report';
import { pairsSeen } from '#core/pairs/pair-desk';
import { ledgerFolder, listSegments } from '#core/storage/segments';
import { breakdown } from '#core/workspace/breakdown';
import { hasLedger } from '#core/workspace/place';
import type { ScanReport } from '#core/workspace/scan';
import { walkDocuments } from '#core/workspace/walk';
import type { Workspace } from '#core/workspace/workspace';
import type { CheckState, Outputs } from '#protocol';

/** A scan as the command line prints it. */
export function scanOutput(report: ScanReport): Outputs['scan'] {
  const { complete, reason, documents, unchanged, external, git, navigations, adopted, moved, absent, held, findings } = report;
  const counts = { documents, unchanged, external, git, navigations, adopted, absent: absent.size, moved };
  const heldPaths = [...held.values()].flat().sort();
  return { complete, ...(reason === null ? {} : { reason }), ...counts, held: heldPaths, diagnostics: [...findings] };
}

/** The answer for CI: which of the listed states are present, and whether anything could not be looked at. */
export function checkOutput(answer: Outputs['breakdown'], code: Outputs['anchors-check'], failOn: readonly CheckState[]): Outputs['check'] {
  const counts = answer.counts as Readonly<Partial<Record<CheckState, number>>>;
  const present = failOn.filter((state) => (counts[state] ?? 0) > 0);
  const failing = Object.fromEntries(present.map((state) => [state, counts[state]])) as Outputs['check']['failing'];
  const { anchors: _, ...anchors } = code;
  const complete = answer.scan.complete && code.complete;
  const reason = answer.scan.reason ?? (code.complete ? undefined : ('code-unchecked' as const));
  const ok = present.length === 0 && complete;
  return { ok, complete, ...(reason === undefined ? {} : { reason }), fail_on: [...failOn], failing, breakdown: answer, anchors };
}

/** What the ledger says, without looking at the documents (`stemma status`): a pure read. */
export async function status(workspace: Workspace): Promise<Outputs['status']> {
  const { disk, root, home, git, replica, vmark } = workspace;
  await replica.refresh();
  const { graph, facts, malformed } = replica.reading;
  const segments = [...listSegments(disk, ledgerFolder(vmark)).values()];
  const position = await git?.position();
  return {
    initialized: hasLedger(disk, root),
    setting: home.isOn(root) ? 'on' : 'off',
    documents: walkDocuments(disk, root).paths.length,
    tracked: facts.registrations.size,
    counts: breakdown(workspace, {
      all: false,
      scanned: null,
      codeAnchors: lastSeen(knownAnchors(facts), (object) => facts.pathOf(object)),
      pairs: pairsSeen(workspace, (object) => facts.pathOf(object)),
    }).counts,
    ledger: {
      segments: segments.length,
      entries: graph.entryTime.length,
      bytes: segments.reduce((sum, segment) => sum + segment.size, 0),
    },
    quarantined: malformed.length,
    diagnostics: [...facts.diagnostics.values()].map(({ value }) => value),
    writer: home.knownWriter(),
    git: position == null ? null : { branch: position.ref?.replace(/^refs\/heads\//u, '') ?? null },
  };
}
