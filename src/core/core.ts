import { randomFillSync, randomInt } from 'node:crypto';
import { join as joinPath } from 'node:path';
import { v7 } from 'uuid';
import { type ActDesk, actDesk } from '#core/acts/act-desk';
import type { Trash } from '#core/acts/trash';
import { openAgents } from '#core/agents';
import { type AiDesk, aiDesk } from '#core/ai/ai-desk';
import type { SecretStore } from '#core/ai/key-ring';
import { type AgentAnchors, agentAnchors } from '#core/anchors/agent-anchor';
import { type AnchorDesk, anchorDesk } from '#core/anchors/desk';
import { knownAnchors } from '#core/anchors/ledger';
import { lastSeen, type PathOf } from '#core/anchors/report';
import { type AppData, openAppData } from '#core/app-data';
import { findGit } from '#core/git/here';
import { type HistoryDesk, historyDesk } from '#core/history/history-desk';
import { type Environment, homeFolder, openHome, workspaceKey } from '#core/home';
import { createJournalDesk, type JournalDesk } from '#core/journal/journal-desk';
import { type PairDesk, pairDesk, pairsSeen } from '#core/pairs/pair-desk';
import { openRecentFolders, type RecentFolders } from '#core/recent-folders';
import { createSearchDesk, type SearchDesk } from '#core/search/search-desk';
import { type Disk, realDisk } from '#core/storage/disk';
import { createLock, type Lock } from '#core/storage/lock';
import { follow } from '#core/watch/follow';
import type { Watcher } from '#core/watch/watcher';
import { type AgentDesk, agentDesk } from '#core/workspace/agent-desk';
import type { Answered } from '#core/workspace/agent-read';
import { breakdown, keepBreakdowns } from '#core/workspace/breakdown';
import { type Decisions, decisions } from '#core/workspace/decisions';
import { type Desk, desk } from '#core/workspace/desk';
import { diff, log, logFile, show } from '#core/workspace/history';
import { type Joined, type JoinProposal, type JoinQuestion, type JoinRequest, join, proposeJoin } from '#core/workspace/joining';
import { createMemory } from '#core/workspace/memory';
import { makeNewDocument, type NewDocument } from '#core/workspace/new-document';
import { checkOutput, scanOutput, status } from '#core/workspace/output';
import { confine, findRoot, hasLedger, refuseUnseen } from '#core/workspace/place';
import { pin, record } from '#core/workspace/record';
import type { Chance } from '#core/workspace/recorder';
import { type RestoreRequest, restore } from '#core/workspace/restoring';
import { type SaveOutcome, type SaveRequest, save } from '#core/workspace/save';
import { emptyReport, lookForHeld, type ScanReport, scan } from '#core/workspace/scan';
import { type SettledDue, settleDues } from '#core/workspace/settling';
import { canTryLock, createSharing } from '#core/workspace/sharing';
import { sweepHome } from '#core/workspace/temporary';
import { track } from '#core/workspace/track';
import { stampedDocuments, takeOutIds } from '#core/workspace/untrack';
import { restoreLines, verify } from '#core/workspace/verify';
import { assembleWorkspace, policyOf, type Workspace } from '#core/workspace/workspace';
import type { Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';
import type { StampedDocument } from '#protocol/app-data-calls';
import type { CallInput } from '#protocol/calls';
import type { DocumentCopies, PinnedDocuments } from '#protocol/document-calls';
import type { FileOutcome } from '#protocol/search-calls';

/** Where a workspace is and what surrounds the program. */
export interface CoreOptions {
  /** The workspace is the nearest parent of this folder that has a `.vmark/`, else this folder. */
  readonly folder: string;
  /** Relative names given to calls start here; default: `folder`. */
  readonly from?: string;
  readonly env?: Environment;
  readonly disk?: Disk;
  readonly chance?: Chance;
  /** Where what is thrown away goes; default: the system's trash. */
  readonly trash?: Trash;
  /** Where keys of models are kept; default: a file of the app data. */
  readonly secrets?: SecretStore;
  /** False for a program that answers once and ends: it does without what following a ledger takes. */
  readonly follows?: boolean;
}

/** Who hears what `follow` sees. */
export interface FollowListener {
  changed?(paths: ReadonlySet<string>): void;
  reconciled(report: Outputs['scan']): void;
  troubled(reason: string): void;
}

/** A workspace and all that can be asked of it. Calls that change something run one after another, under its lock. */
export interface Core extends Desk, Decisions {
  readonly root: string;
  /** What is done with files as such. */
  readonly acts: ActDesk;
  readonly search: SearchDesk;
  readonly recentFolders: RecentFolders;
  /** What the app data keeps of the workspace. */
  readonly appData: AppData;
  /** The documents that carry an id. */
  stampedDocuments(): Promise<readonly StampedDocument[]>;
  /** Turns provenance off here and takes the ids out of documents. */
  takeOutIds(documents: readonly { path: string; base: string }[]): Promise<readonly FileOutcome[]>;
  /** The saved versions of documents. */
  readonly history: HistoryDesk;
  /** The recovery journals of windows, in the app data. */
  readonly journal: JournalDesk;
  /** What servers for agents ask. */
  readonly agents: AgentDesk;
  readonly anchors: AnchorDesk;
  /** What is done with paired documents. */
  readonly pairs: PairDesk;
  /** What those servers ask about code anchors. */
  readonly agentAnchors: AgentAnchors;
  /** What a window does with models. */
  readonly ai: AiDesk;
  status(): Promise<Outputs['status']>;
  /** Turns provenance on for this workspace; writes only to the app data. */
  init(): Promise<Outputs['init']>;
  scan(): Promise<Outputs['scan']>;
  /** `observe`: states of code anchors that are others than before are written down (the app's breakdown, not a script's). */
  breakdown(request: {
    context?: string;
    all: boolean;
    scan: boolean;
    observe?: boolean;
    /** Hears all that was seen of the code, where it was looked at. */
    surveyed?: (check: Outputs['anchors-check']) => void;
  }): Promise<Outputs['breakdown']>;
  /** The breakdown for CI: counts what a scan would find and writes nothing. */
  check(request: { failOn: readonly Outputs['check']['fail_on'][number][]; context?: string }): Promise<Outputs['check']>;
  record(request: {
    path: string;
    from: readonly string[];
    contextFrom: readonly string[];
    agent: { type: 'model' | 'external'; id: string | null };
    summary: string | null;
  }): Promise<Outputs['record']>;
  /** `paths` null: every document of the workspace. */
  track(request: { paths: readonly string[] | null; dryRun: boolean }): Promise<Outputs['track']>;
  log(): Promise<Outputs['log']>;
  logFile(path: string): Promise<Outputs['log-file']>;
  show(path: string, revision: string): Promise<Outputs['show']>;
  /** `to` null: the file as it is on disk. */
  diff(path: string, from: string, to: string | null): Promise<Outputs['diff']>;
  verify(request: { restoreLines: boolean }): Promise<Outputs['verify']>;
  rebuild(): Promise<Outputs['rebuild']>;
  save(request: SaveRequest): Promise<SaveOutcome>;
  /** Puts an earlier version of a document back into its file. */
  restore(request: RestoreRequest): Promise<SaveOutcome>;
  /** Files that share an id, after a scan. */
  copies(): Promise<DocumentCopies>;
  /** Gives a copy an id of its own. */
  makeNewDocument(request: { path: string; base: string }): Promise<NewDocument>;
  /** How the current versions of a document become one, and makes them so; both scan first. */
  proposeJoin(question: JoinQuestion): Promise<JoinProposal>;
  join(request: JoinRequest): Promise<Joined>;
  /** Pins documents that are read for a write of `path` (null: none yet), as they are now. */
  pin(request: CallInput<'document/pin'>): Promise<PinnedDocuments>;
  /** Records what autosave left due, in one document or (null) in all; what cannot be recorded stays due and is said. */
  settle(path: string | null): Promise<readonly SettledDue[]>;
  /** Told of each due that this core records, whatever made it; the answer stops it. */
  followSettled(listener: (due: SettledDue) => void): () => void;
  /** Told when the ledger cannot be locked, or can again; the answer stops it. */
  followSharing(listener: (isShared: boolean) => void): () => void;
  /**
   * Watches the files and reconciles after every burst of changes; says what was found, and when changes may go unseen.
   * `changed` hears of each burst before that; an empty set means that anything may have changed.
   */
  follow(listener: FollowListener): Promise<Watcher>;
  /** Gives the lock, the index and the watcher back. */
  close(): Promise<void>;
}

/** Opens a workspace. Nothing is created by opening it. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { folder, from = folder, env = process.env, disk = realDisk, chance = realChance, follows = true } = options;
  const root = findRoot(disk, folder);
  const home = openHome(disk, homeFolder(env), () => chance.newId(chance.now()));
  if (follows) sweepHome(disk, home.folder, chance.now());
  const git = await findGit(root, env, disk);
  const workspace = assembleWorkspace({ root, disk, home, git: git.now, chance, follows });
  const memory = createMemory(workspace);
  const lock = createWorkspaceLock(workspace);
  const sharing = createSharing(workspace, lock);
  const watchers: Watcher[] = [];
  const change = <T>(work: () => Promise<T>) =>
    lock.hold(async (isAlone) => {
      const { last } = workspace;
      last.isAlone = isAlone;
      sharing.looked();
      await git.look();
      await memory.recall(false);
      last.positions = isAlone ? new Map() : null;
      try {
        const done = await work();
        if (hasLedger(disk, root)) await memory.keep();
        return done;
      } finally {
        last.positions = null;
      }
    });
  const inside = (named: string) => confine(disk, root, named, from);
  /** A bad input is dropped, and said by the name it was given. */
  const inputAt = (named: string) => {
    try {
      return { path: inside(named) };
    } catch {
      return { path: named, isOutside: true };
    }
  };
  const scanned = () => change(() => scan(workspace, { mode: 'append' }));
  /** What autosave left due may make the ledger. */
  const looked = async () => {
    if (!hasLedger(disk, root)) await settle(null);
    if (hasLedger(disk, root)) return scanned();
    await refresh();
    return emptyReport;
  };
  const refresh = async () => {
    await git.look();
    if (hasLedger(disk, root)) await memory.recall(true);
    // A ledger that is gone, with what was untracked for one, is not remembered either.
    await workspace.replica.refresh();
  };
  const readable = async () => {
    refuseNothing(workspace);
    await refresh();
  };
  let answered: Answered | null = null;
  const breakdowns = keepBreakdowns(workspace, follows);
  const writing = <T>(work: () => Promise<T>) => (hasNothingToRecord(workspace) ? work() : change(work));
  const search = createSearchDesk({ disk, root, file: joinPath(home.folder, 'search', `${workspaceKey(root)}.db`) });
  const journalFolder = joinPath(home.folder, 'recovery', workspaceKey(root));
  const journal = createJournalDesk({ disk, folder: journalFolder, owner: chance.newId(chance.now()) });
  const saveRecorded = async (request: SaveRequest) => {
    const before = history.before(request);
    const outcome = await writing(() => save(workspace, request));
    history.saved(request, outcome, before);
    search.changed([request.path]);
    return outcome;
  };
  const restoreVersion = async (request: RestoreRequest) => {
    refuseNothing(workspace);
    return change(() => restore(workspace, request));
  };
  const history = historyDesk(workspace, { refresh, save: saveRecorded, restore: restoreVersion });
  const settle = async (named: string | null) => {
    const path = named === null ? null : inside(named);
    const isDue = path === null ? workspace.dues.all().length > 0 : workspace.dues.at(path) !== null;
    if (!isDue) return [];
    return change(async () => {
      await lookForHeld(workspace);
      return settleDues(workspace, path === null ? 'all' : { path });
    });
  };
  const preview = async <T>(work: (other: Workspace) => Promise<T>): Promise<T> => {
    const other = assembleWorkspace({ root, disk, home, git: git.now, chance, follows: false });
    await createMemory(other).recall(false);
    return work(other);
  };

  const keys = options.secrets === undefined ? {} : { secrets: options.secrets };
  const anchors = anchorDesk(workspace, { env, from, change, refresh, ...keys });
  const pairs = pairDesk(workspace, { env, from, change, refresh });
  const papers = desk(workspace, { refresh, scanned, save: saveRecorded, isShared: sharing.isShared });
  const agents = agentDesk(workspace, { refresh, writing, find: search.findNow, answered: () => answered });
  const pinNamed = ({ path, inputs }: CallInput<'document/pin'>) => {
    const named = inputs.map((input) => ({ ...inputAt(input.path), role: input.role }));
    const pinned = () => pin(workspace, { path: path === null ? null : inside(path), inputs: named });
    return hasNothingToRecord(workspace) ? pinned() : change(pinned);
  };
  const ai = aiDesk({
    disk,
    home,
    root,
    env,
    ...keys,
    tree: papers.tree,
    read: agents.read,
    search: (text) => agents.search(text, null),
    pin: pinNamed,
  });

  return {
    root,
    ai,
    search,
    recentFolders: openRecentFolders(disk, home.folder, () => chance.newId(chance.now())),
    journal,
    history,
    appData: openAppData(disk, home, root, async (part) => (part === 'search' ? search.close() : undefined)),
    async stampedDocuments() {
      await refresh();
      return stampedDocuments(workspace);
    },
    takeOutIds: (documents) => takeOutIds(workspace, { save: saveRecorded }, documents),
    acts: actDesk(workspace, {
      writing,
      save: saveRecorded,
      moved: history.moved,
      ...(options.trash === undefined ? {} : { trash: options.trash }),
    }),
    async status() {
      await memory.recall(true);
      return status(workspace);
    },
    async init() {
      const changed = !home.isOn(root);
      if (changed) home.setOn(root, true);
      return { setting: 'on', changed, initialized: hasLedger(disk, root) };
    },
    async scan() {
      refuseNothing(workspace);
      return scanOutput(await looked());
    },
    anchors,
    pairs,
    agentAnchors: agentAnchors(
      workspace,
      anchors,
      openAgents(disk, home.folder, () => chance.now()),
    ),
    async breakdown({ context, all, scan: withScan, observe = false, surveyed }) {
      if (withScan) refuseNothing(workspace);
      if (!withScan) {
        await memory.recall(true);
        await workspace.replica.refresh();
      }
      const report = withScan ? await looked() : null;
      const pathOf = pathIn(workspace, report);
      const survey = withScan ? await anchors.survey({ pathOf, observe }) : null;
      const codeAnchors = survey?.anchors ?? seenAnchors(workspace, pathOf);
      const paired = withScan ? pairs.survey(withoutAbsent(pathOf, report)) : pairsSeen(workspace, pathOf);
      const answer = await breakdowns.answer({ all, scanned: report, context, codeAnchors, pairs: paired });
      answered = { asOf: chance.now(), breakdown: answer };
      if (survey !== null) surveyed?.(withoutGone(survey, report));
      return answer;
    },
    async check({ failOn, context }) {
      refuseNothing(workspace);
      return preview(async (other) => {
        const report = hasLedger(disk, root) ? await scan(other, { mode: 'foresee' }) : emptyReport;
        await refresh();
        const code = await anchors.survey({ pathOf: pathIn(other, report), observe: false });
        const paired = pairs.survey(withoutAbsent(pathIn(other, report), report));
        const answer = breakdown(other, { all: false, scanned: report, context, codeAnchors: code.anchors, pairs: paired });
        return checkOutput(answer, code, failOn);
      });
    },
    async record({ path, from: direct, contextFrom, agent, summary }) {
      const named = (role: 'direct' | 'contextual') => (name: string) => ({ ...inputAt(name), role });
      const inputs = [...direct.map(named('direct')), ...contextFrom.map(named('contextual'))];
      const intent = { kind: 'record', summary: summary ?? 'recorded from the command line', prompt_hash: null };
      const request = {
        path: inside(path),
        inputs,
        agent: { ...agent, id: agent.id ?? 'stemma-record' },
        intent,
        confidence: 'inferred' as const,
      };
      const { object, revision, entry, confidence, dropped, ...rest } = await change(() => record(workspace, request));
      return { object, path: rest.path, revision, entry, confidence, inputs: [...rest.inputs], dropped: [...dropped] };
    },
    async track({ paths, dryRun }) {
      const named = paths === null ? null : paths.map(inside);
      const documents = await (dryRun ? preview((other) => track(other, named, true)) : change(() => track(workspace, named, false)));
      const count = (outcome: string) => documents.filter((document) => document.outcome === outcome).length;
      const counts = { tracked: count('tracked'), 'already-tracked': count('already-tracked'), refused: 0 };
      return { dry_run: dryRun, documents, counts };
    },
    async log() {
      refuseNothing(workspace);
      return log(workspace);
    },
    async logFile(path) {
      await readable();
      return logFile(workspace, inside(path));
    },
    async show(path, revision) {
      await readable();
      return show(workspace, inside(path), revision);
    },
    async diff(path, before, to) {
      await readable();
      return diff(workspace, inside(path), before, to);
    },
    async verify({ restoreLines: isRestoring }) {
      const restored = isRestoring ? await change(() => restoreLines(workspace)) : null;
      return { ...(await verify(workspace)), ...(restored === null ? {} : { restored }) };
    },
    async rebuild() {
      refuseNothing(workspace);
      return rebuilt(workspace, hasLedger(disk, root) ? await lock.hold(() => memory.rebuild()) : null);
    },
    save: saveRecorded,
    restore: restoreVersion,
    async copies() {
      const { held, copies } = await looked();
      return {
        held: [...held].map(([object, paths]) => ({ object, paths })),
        copies: [...copies].map(([path, { object, of }]) => ({ object, path, of })),
      };
    },
    async makeNewDocument(request) {
      refuseNothing(workspace);
      return change(() => makeNewDocument(workspace, request));
    },
    async proposeJoin(question) {
      refuseNothing(workspace);
      return change(() => proposeJoin(workspace, question));
    },
    async join(request) {
      refuseNothing(workspace);
      return change(() => join(workspace, request));
    },
    pin: pinNamed,
    settle,
    followSettled(listener) {
      workspace.settled.add(listener);
      return () => void workspace.settled.delete(listener);
    },
    ...decisions(workspace, { change, refresh }),
    ...papers,
    followSharing(listener) {
      // Known before the first save where it can be: who opens a folder on a drive wants to know it then.
      if (canTryLock(workspace)) lock.hold(async () => sharing.looked()).catch(() => undefined);
      return sharing.follow(listener);
    },
    agents,
    async follow({ changed, reconciled, troubled }) {
      const reconcile = async () => {
        if (!hasLedger(disk, root)) return true;
        const report = await change(() => scan(workspace, { mode: 'notice' }));
        if (report.reason !== 'git-busy') reconciled(scanOutput(report));
        return report.reason !== 'git-busy';
      };
      let isTroubled = false;
      const watcher = await follow(root, {
        reconcile,
        troubled(reason) {
          isTroubled = true;
          search.watched(false);
          troubled(reason);
        },
        changed(paths) {
          search.changed(paths.size === 0 ? null : [...paths]);
          changed?.(paths);
        },
      });
      search.watched(!isTroubled);
      watchers.push(watcher);
      return watcher;
    },
    async close() {
      ai.close();
      for (const watcher of watchers) await watcher.close();
      anchors.close();
      await search.close();
      await journal.close();
      await workspace.sweep.close();
      lock.close();
    },
  };
}

/** Counts the ids of this process, so that of one millisecond they are in the order in which they were made. */
let sequence = randomInt(2 ** 31);
const randomPool = Buffer.alloc(4096);
let randomFrom = 0;

/** The clock of this machine, and UUIDs in the order of time. */
export const realChance: Chance = {
  now: Date.now,
  newId: (instant) => v7({ msecs: instant, seq: sequence++, random: randomPart() }) as Uuid,
};

/** Sixteen random bytes of many that are had at once: asking the system for each id takes longer than anything else about it. */
function randomPart(): Uint8Array {
  if (randomFrom === randomPool.length) randomFrom = 0;
  if (randomFrom === 0) randomFillSync(randomPool);
  randomFrom += 16;
  return randomPool.subarray(randomFrom - 16, randomFrom);
}

/** Where a document is by what a scan saw, else by what the ledger says. */
function pathIn({ replica }: Workspace, report: ScanReport | null): PathOf {
  return (object) => report?.seen.get(object as Uuid)?.path ?? replica.reading.facts.pathOf(object);
}

/** A document that is gone is nowhere. */
const withoutAbsent =
  (pathOf: PathOf, report: ScanReport | null): PathOf =>
  (object) =>
    report?.absent.has(object as Uuid) === true ? null : pathOf(object);

/** Anchors of documents that are gone ask nothing. */
function withoutGone(survey: Outputs['anchors-check'], report: ScanReport | null): Outputs['anchors-check'] {
  const isHere = ({ document }: { document: { object: string } }) => report?.absent.has(document.object as Uuid) !== true;
  const anchors = survey.anchors.filter(isHere);
  const ids = new Set(anchors.map(({ id }) => id));
  const unchecked = survey.unchecked_anchor_ids.filter((id) => ids.has(id));
  return { ...survey, anchors, unchecked_anchor_ids: unchecked, retired: survey.retired.filter(isHere) };
}

const seenAnchors = ({ replica }: Workspace, pathOf: PathOf) => lastSeen(knownAnchors(replica.reading.facts), pathOf);

/** Settings that cannot be read are the save's to report: it writes the file first. */
function hasNothingToRecord(workspace: Workspace): boolean {
  try {
    return policyOf(workspace) === 'nothing';
  } catch {
    return false;
  }
}

/** Where provenance is off and there is no ledger there is nothing to ask; one that cannot be looked at is not none. */
function refuseNothing(workspace: Workspace): void {
  refuseUnseen(workspace.disk, workspace.root);
  if (policyOf(workspace) === 'nothing') throw new Fault('no-workspace-record', {});
}

/**
 * The lock in `.vmark/` and, before it, one in the app data: no lock makes a ledger, and who makes the first one keeps
 * the other programs of this installation out until it is whole.
 */
function createWorkspaceLock({ disk, root, vmark, home }: Workspace): Lock {
  const outside = joinPath(home.folder, 'locks', workspaceKey(root));
  return createLock(disk, () => (hasLedger(disk, root) ? [outside, vmark] : [outside]));
}

function rebuilt({ replica }: Workspace, index: Outputs['rebuild']['index']): Outputs['rebuild'] {
  const { graph, facts } = replica.reading;
  const revisions = graph.nodeRecorded.view().reduce((sum, recorded) => sum + recorded, 0);
  return { index, entries: graph.entryTime.length, documents: facts.registrations.size, revisions, edges: graph.edgeEntry.length };
}
