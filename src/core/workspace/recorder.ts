import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '#core/digest';
import { type Git, noIndex } from '#core/git/git';
import type { Home } from '#core/home';
import { workspaceKey } from '#core/home';
import { type Appender, createAppender, type SegmentNames, type Tracked, type Written } from '#core/storage/appender';
import { type Disk, isMissing } from '#core/storage/disk';
import type { Replica } from '#core/storage/replica';
import { vmarkName } from '#core/workspace/place';
import type { Bodies, KnownKind } from '#kernel/body';
import { type Draft, entryLine } from '#kernel/entry';
import { edgeKey, newestAboutAnchor, newestAboutPair } from '#kernel/facts';
import { formatInstant, laterInstant } from '#kernel/instant';
import { none } from '#kernel/key-table';
import type { Uuid } from '#kernel/uuid';
import { checkBody } from '#kernel/writing';
import { Fault, faultFromSystem } from '#protocol';

/** An entry to be written: what it says, what it is about, and the idem that makes it one where that is derived. */
export type NewEntry = {
  [K in KnownKind]: { readonly kind: K; readonly body: Bodies[K]; readonly subjects: readonly Uuid[]; readonly idem?: Uuid };
}[KnownKind];

/** A line that is ready to be appended. */
export interface ReadyEntry {
  readonly id: Uuid;
  readonly idem: Uuid;
  readonly line: string;
}

/** Time and chance, as parameters: ms since 1970, and a UUIDv7 for an instant. */
export interface Chance {
  now(): number;
  newId(instant: number): Uuid;
}

/** Makes entries and appends them to the ledger of a workspace. The caller holds the lock. */
export interface Recorder {
  /** Gives entries their id, time and line. Nothing is written. Of one call, a later entry about the same is later in time, and so is a later move of HEAD. */
  ready(entries: readonly NewEntry[]): ReadyEntry[];
  /**
   * Takes in what the ledger has, and first of all appends again what git ate of the last moments: the parents of a
   * write are computed from what was acknowledged. `glance`: at a cost that does not grow with the ledger.
   */
  catchUp(how: 'refresh' | 'glance'): Promise<void>;
  /** Appends; returns once the lines would survive a power cut and the graph knows them. */
  append(entries: readonly ReadyEntry[]): Promise<void>;
  /** Appends whole lines of ours to a new segment, as they are; returns as `append` does. */
  restore(lines: readonly string[]): Promise<void>;
  /** Shows the graph what `append` would, and writes nothing; the replica must be dropped afterwards. */
  foresee(entries: readonly NewEntry[]): void;
}

/** Names for fresh segments. */
export const segmentNames = (chance: Chance): SegmentNames => ({ now: () => chance.now(), hex: () => chance.newId(chance.now()) });

/** Kept lines stand in files named by day and segment. */
export const keptName = /^\d{4}-\d\d-\d\d (.+\.jsonl)$/u;

/** How long our own lines are kept in the app data, in case git eats them: 90 days (`spec/format.md` §9). */
export const keptLinesFolder = (home: Home, root: string) => join(home.folder, 'lines', workspaceKey(root));

/** Makes the recorder of one workspace. */
export function createRecorder(parts: {
  disk: Disk;
  root: string;
  home: Home;
  git: () => Git | null;
  replica: Replica;
  chance: Chance;
  /** Told of lines that were gone and are appended again, once the graph knows them. */
  restored?: (lines: readonly string[]) => void;
}): Recorder {
  const { disk, root, home, git, replica, chance, restored = () => {} } = parts;
  const linesOf = (written: readonly Written[]) => written.flatMap(({ lines }) => lines.split('\n').filter(Boolean));
  let appender: Appender | null = null;
  let known: Uuid | null = null;
  // Segments are named by the writer: of one program it stays the same.
  const writer = () => {
    known ??= home.writer();
    return known;
  };
  const tracked = trackedSegments(git);
  const keep = lineKeeper(keptLinesFolder(home, root));
  const add = async (own: string, again: readonly Written[], segment: 'any' | 'new' = 'any') => {
    const names = segment === 'new' ? 'unknown' : await tracked();
    appender ??= createAppender(disk, join(root, vmarkName), writer(), segmentNames(chance));
    try {
      const appended = appender.append(own, names, again);
      keep(appended.name, appended.bytes, chance.now());
      return appended;
    } catch (error) {
      throw faultFromSystem(error, `${vmarkName}/ledger`);
    }
  };
  return {
    ready(entries) {
      refuseTheFuture(replica);
      const newest = new Map<string, number>();
      return entries.map((entry) => makeReady(entry, newest, { replica, chance, writer: writer() }));
    },
    async append(entries) {
      if (entries.length === 0) return;
      refuseTheFuture(replica);
      // Repeated lines are harmless: one idem.
      const eaten = await eatenLines(git(), appender);
      if (!replica.appended(await add(entries.map((entry) => entry.line).join(''), eaten))) await replica.glance();
      restored(linesOf(eaten));
    },
    async catchUp(how) {
      await replica[how]();
      if (replica.reading.future > 0) return;
      const eaten = await eatenLines(git(), appender);
      if (eaten.length === 0) return;
      if (!replica.appended(await add('', eaten))) await replica.glance();
      restored(linesOf(eaten));
    },
    async restore(lines) {
      await replica.refresh();
      refuseTheFuture(replica);
      if (!replica.appended(await add(lines.join(''), [], 'new'))) await replica.refresh();
      restored(lines);
    },
    foresee(entries) {
      const imagined = entries.map((entry) => makeReady(entry, new Map(), { replica, chance, writer: nobody }));
      replica.reading.read(Buffer.from(imagined.map((entry) => entry.line).join('')), 0, 0);
    },
  };
}

/** The writer of entries that are never written. */
const nobody = '00000000-0000-7000-8000-000000000000' as Uuid;

/** Refuses to write beside entries of a newer format; to be asked before anything is stored for an entry. */
export function refuseTheFuture(replica: Replica): void {
  if (replica.reading.future > 0) throw new Fault('ledger-from-the-future', {});
}

function makeReady(
  entry: NewEntry,
  newest: Map<string, number>,
  { replica, chance, writer }: { replica: Replica; chance: Chance; writer: Uuid },
): ReadyEntry {
  const problem = checkBody(entry.kind, entry.body as never, digest);
  if (problem !== null) throw new RangeError(`BUG: ${entry.kind}: ${problem}`);
  const instant = [
    ...entry.subjects.map((subject) => newestAbout(replica, subject)),
    ...aboutOf(entry).map((subject) => newest.get(subject) ?? 0),
    newestOf(replica, entry),
  ]
    .filter((time) => time > 0)
    .reduce((time, before) => laterInstant(time, before), chance.now());
  for (const subject of aboutOf(entry)) newest.set(subject, instant);
  const id = chance.newId(instant);
  const idem = entry.idem ?? chance.newId(instant);
  const draft = { id, kind: entry.kind, time: formatInstant(instant), writer, idem, body: entry.body } as Draft;
  const line = entryLine(draft);
  if (line.length > lineLimit / 3 && Buffer.byteLength(line) > lineLimit)
    throw new Fault('entry-too-large', { bytes: Buffer.byteLength(line), limit: lineLimit });
  return { id, idem, line };
}

/** What the entries of one call are put in order by. */
const aboutOf = ({ kind, subjects }: NewEntry): readonly string[] => (kind === 'navigation' ? ['HEAD'] : subjects);

/** VMark's reader takes no longer line. */
const lineLimit = 16 * 1024 * 1024;

function newestAbout(replica: Replica, subject: Uuid): number {
  const { graph } = replica.reading;
  const object = graph.findObject(subject);
  return object === none ? 0 : graph.objectNewest.at(object);
}

/** The newest entry that this one must come after to count, where that is not one about its subjects: the latest wins. */
function newestOf({ reading: { facts } }: Replica, { kind, body }: NewEntry): number {
  if (kind === 'object-registered') return facts.owners.get(body.path)?.time ?? 0;
  if (kind.startsWith('code-anchor')) return newestAboutAnchor(facts, (body as { anchor: Uuid }).anchor);
  if (kind.startsWith('document-pair')) return newestAboutPair(facts, (body as { pair: Uuid }).pair);
  if (kind === 'edge-anchor') return facts.anchors.get(edgeKey(body.edge))?.time ?? 0;
  return kind === 'flag-judgment' ? (facts.judgments.get(edgeKey(body.edge))?.time ?? 0) : 0;
}

/** Which segments git's index holds, asked of git only when the index has moved. */
function trackedSegments(gitNow: () => Git | null): () => Promise<Tracked> {
  let stamp: string | null = null;
  let names: ReadonlySet<string> = new Set();
  return async () => {
    const git = gitNow();
    if (git === null) return new Set();
    const before = git.indexStamp();
    if (before === null) return 'unknown';
    if (before === stamp) return names;
    const found = before === noIndex ? new Set<string>() : await git.trackedUnder(`${vmarkName}/ledger`);
    if (found === null || git.indexStamp() !== before) return 'unknown';
    names = new Set([...found].map((path) => path.slice(vmarkName.length + '/ledger/'.length)));
    stamp = before;
    return names;
  };
}

/** Lines of moments ago that a `clean` or `stash -u` deleted: in no file, no commit and no stash. */
async function eatenLines(git: Git | null, appender: Appender | null): Promise<readonly Written[]> {
  if (git === null || appender === null) return [];
  const eaten: Written[] = [];
  for (const written of appender.missing()) {
    if ((await git.isCommitted(`${vmarkName}/ledger/${written.name}`)) === false) eaten.push(written);
  }
  return eaten;
}

/** Keeps a copy of each line in the app data; once a day those go that are too old. */
function lineKeeper(folder: string): (segment: string, lines: Uint8Array, now: number) => void {
  let cleaned = '';
  return (segment, lines, now) => {
    const day = new Date(now).toISOString().slice(0, 10);
    const keep = () => appendFileSync(join(folder, `${day} ${segment}`), lines);
    try {
      if (cleaned !== day || !isKept(keep)) {
        mkdirSync(folder, { recursive: true });
        dropOldLines(folder, now);
        keep();
      }
      cleaned = day;
    } catch {
      // The ledger has the lines; the copy only helps where git eats them later.
    }
  };
}

/** False where the folder is gone. */
function isKept(keep: () => void): boolean {
  try {
    keep();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const keptDays = 90;

function dropOldLines(folder: string, now: number): void {
  const oldest = new Date(now - keptDays * 24 * 3600 * 1000).toISOString().slice(0, 10);
  for (const name of readdirSync(folder)) if (keptName.test(name) && name < oldest) rmSync(join(folder, name));
}
