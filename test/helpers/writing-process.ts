// A program of its own that writes through core: node writing-process.ts '{"folder":…,"name":…,"act":…,"count":…}'. It says each thing on a line
// of its own once core has acknowledged it. Started with STEMMA_HOME set.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Core, openCore } from '#core';
import { byHand } from '#core/workspace/authorship';
import { bytesHash, type SaveOutcome } from '#core/workspace/save';

interface Task {
  readonly folder: string;
  readonly name: string;
  /** `save`: a new document each time. `write`: saves and records in turn, over a few documents. `scan`: looks for edits. `edit`: autosaves, saves and restores. */
  readonly act: 'save' | 'write' | 'scan' | 'edit';
  readonly count: number;
}

const task = JSON.parse(process.argv[2]!) as Task;
const say = (said: object) => process.stdout.write(`${JSON.stringify(said)}\n`);
/** A text that shows by itself whether it is whole. */
const textOf = (name: string) => `# ${name}\n\n${`${name} `.repeat(200)}\nend of ${name}\n`;

async function save(core: Core, path: string, turn: number, base: string | null): Promise<string> {
  const text = textOf(`${task.name}-${turn}`);
  const outcome: SaveOutcome = await core.save({ path, bytes: Buffer.from(text), base, ...byHand });
  if (outcome.kind !== 'saved' || outcome.recorded.kind !== 'recorded') throw new Error(JSON.stringify(outcome));
  say({ path, turn, entry: outcome.recorded.entry, base: outcome.base });
  return outcome.base;
}

/** Like a script that makes a document: the file is put there whole, then recorded with what it was made from. */
async function record(core: Core, path: string, text: string): Promise<void> {
  const beside = join(task.folder, `${path}.new`);
  writeFileSync(beside, text);
  renameSync(beside, join(task.folder, path));
  const agent = { type: 'external' as const, id: task.name };
  const { entry } = await core.record({ path, from: ['source.md'], contextFrom: [], agent, summary: null });
  say({ path, entry, base: null });
}

/** Like an editor: saves that are recorded later, and now and then an earlier version put back. */
async function edit(core: Core, turn: number, bases: Map<string, string>): Promise<void> {
  const path = `edited-${task.name}.md`;
  const base = bases.get(path) ?? null;
  const restores = turn % 5 === 4 && base !== null;
  const bytes = Buffer.from(textOf(`${task.name}-${turn}`));
  const outcome = restores
    ? await core.restore({ path, revision: 'v1', base })
    : await core.save({ path, bytes, base, ...byHand, auto: turn % 5 !== 0 });
  if (outcome.kind !== 'saved' || outcome.recorded.kind === 'failed') throw new Error(JSON.stringify(outcome));
  say({
    path,
    turn: restores ? -1 : turn,
    entry: outcome.recorded.kind === 'recorded' ? outcome.recorded.entry : null,
    base: outcome.base,
  });
  bases.set(path, outcome.base);
}

async function act(core: Core, turn: number, bases: Map<string, string>): Promise<void> {
  const name = `${task.name}-${turn}`;
  if (task.act === 'save') await save(core, `${name}.md`, turn, null);
  else if (task.act === 'scan') say({ found: (await core.scan()).external });
  else if (task.act === 'edit') await edit(core, turn, bases);
  else if (turn % 2 === 0) await record(core, `made-${name}.md`, textOf(name));
  else {
    const path = `saved-${task.name}-${turn % 3}.md`;
    bases.set(path, await save(core, path, turn, bases.get(path) ?? null));
  }
}

const core = await openCore({ folder: task.folder });
const bases = new Map<string, string>();
say({ ready: bytesHash(Buffer.alloc(0)) });
for (let turn = 0; turn < task.count; turn++) await act(core, turn, bases);
await core.close();
