import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { digest } from '#core/digest';
import { type HeldBreakdown, pageOf, summaryOf } from '#core/handlers/held-breakdown';
import { byHand } from '#core/workspace/authorship';
import { breakdown } from '#core/workspace/breakdown';
import type { NewEntry } from '#core/workspace/recorder';
import { createStanding } from '#core/workspace/standing-breakdown';
import type { Workspace } from '#core/workspace/workspace';
import { live, projectEdge } from '#kernel/projection';
import { contentHash, revisionId } from '#kernel/revision';
import { scratch } from './data.ts';
import { compare } from './measure.ts';
import { firstPage } from './page.ts';
import type { Row } from './report.ts';

const pageSize = 200;

/** Row 4: counts and a page of the breakdown that is held, beside counting all edges by state in SQLite; and what it takes to compute it. */
export async function breakdownRows(workspace: Workspace, rounds: number): Promise<Row[]> {
  const database = edgeDatabase(workspace);
  const grouped = database.prepare('SELECT state, count(*) FROM edge JOIN revision ON revision.id = edge.pinned GROUP BY state');
  const anew = () => breakdown(workspace, { all: false, scanned: null });
  const held: HeldBreakdown = { asOf: 0, breakdown: anew(), initialized: true, setting: 'on', tracked: 0, commit: null, merge: null };
  const methods = [
    { name: 'GROUP BY over all edges', run: () => grouped.all() },
    {
      name: 'counts and 200 rows of the held breakdown',
      run: () => [summaryOf(held), pageOf(held, { offset: 0, limit: pageSize, state: 'all', search: '' })],
    },
    { name: 'counts and 200 rows, computed anew', run: () => firstPage(workspace, pageSize) },
    { name: 'every row, computed anew as core does', run: anew },
  ];
  const [yardstick, ...rows] = await compare(methods, rounds);
  database.close();
  const cause = 'a page is cut from what the filter let through, which is looked at once.';
  return rows.map((ours, at) => ({
    number: '4',
    beside: yardstick!.name,
    yardstick: yardstick!,
    ours,
    goal: at === 0 ? 0.02 : null,
    cause,
  }));
}

/** All edges by the revision they are pinned at, and a state for each revision, as a database would be laid out. */
function edgeDatabase({ replica }: Workspace): Sqlite.Database {
  const { graph } = replica.reading;
  const select = live(graph);
  const database = new Sqlite(join(scratch('edges'), 'edges.db'));
  database.pragma('journal_mode = OFF');
  database.exec(
    'CREATE TABLE revision(id INTEGER PRIMARY KEY, state TEXT) STRICT; CREATE TABLE edge(pinned INTEGER, id INTEGER, PRIMARY KEY(pinned, id)) STRICT, WITHOUT ROWID',
  );
  const revision = database.prepare('INSERT OR IGNORE INTO revision VALUES(?, ?)');
  const insert = database.prepare('INSERT INTO edge VALUES(?, ?)');
  database.transaction(() => {
    for (let edge = 0; edge < graph.edgeEntry.length; edge++) {
      revision.run(graph.edgePinned.at(edge), projectEdge(graph, edge, select, 0).state);
      insert.run(graph.edgePinned.at(edge), edge);
    }
  })();
  return database;
}

/** Row 5: one durable line and the breakdown after it, beside writing and flushing the same bytes. */
export async function appendRows(workspace: Workspace, rounds: number): Promise<Row[]> {
  const times = 20;
  const next = entryMaker(workspace);
  const bytes = Buffer.from(workspace.recorder.ready([next()])[0]!.line);
  const bare = openSync(join(scratch('bare'), 'bare.jsonl'), 'a');
  const append = () => workspace.recorder.append(workspace.recorder.ready([next()]));
  const standing = createStanding(workspace, { all: false, context: undefined });
  const upToDate = () => {
    const steps = standing.steps({ scanned: null });
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
  };
  upToDate();
  const methods = [
    {
      name: 'bare write + fdatasync',
      times,
      run() {
        writeSync(bare, bytes);
        fdatasyncSync(bare);
      },
    },
    {
      name: 'durable append → counts and 200 rows',
      times,
      async run() {
        await append();
        rowsOf(upToDate(), pageSize);
      },
    },
    { name: 'durable append alone', times, run: append },
    {
      name: 'durable append → every row computed anew',
      async run() {
        await append();
        breakdown(workspace, { all: false, scanned: null });
      },
    },
  ];
  const [yardstick, ...rows] = await compare(methods, rounds);
  const cause =
    'the append looks at its segment before and after and keeps a copy of the line; then contexts and claims are read anew, and the document and what rests on it computed.';
  return rows.map((ours, at) => ({
    number: '5',
    beside: yardstick!.name,
    yardstick: yardstick!,
    ours,
    goal: at === 0 ? 1.5 : null,
    cause,
  }));
}

/** The counts and the first rows of a breakdown. */
function rowsOf({ counts, artifacts }: ReturnType<typeof breakdown>, size: number) {
  const rows = [];
  for (const artifact of artifacts) {
    if (rows.length >= size) break;
    rows.push(...artifact.rows);
  }
  return { counts, rows: rows.slice(0, size) };
}

/** Makes the next version of one document after another, each from the heads of three others. */
function entryMaker({ replica }: Workspace): () => NewEntry {
  const { graph } = replica.reading;
  const objects = Array.from({ length: graph.objects.size }, (_, object) => object).filter((object) => graph.objectHeads.at(object) === 1);
  const headOf = (object: number) => graph.revisionText(graph.heads(object)[0]!);
  let turn = 0;
  return () => {
    turn++;
    const [own, ...sources] = [0, 1, 2, 3].map((step) => objects[(turn * 7 + step) % objects.length]!);
    const object = graph.objectText(own!);
    const parents = [headOf(own!)];
    const content = contentHash(digest, `text ${turn}`);
    const output = { object, revision: revisionId(digest, content, parents), content_hash: content, parents };
    const inputs = sources.map((source) => {
      return { object: graph.objectText(source), revision: headOf(source), role: 'direct' as const, kind: 'dependency' as const };
    });
    return { kind: 'transformation', body: { ...byHand, inputs, outputs: [output] }, subjects: [object] };
  };
}
