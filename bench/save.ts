import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openCore } from '#core';
import { byHand } from '#core/workspace/authorship';
import { bytesHash } from '#core/workspace/save';
import { copyOf, scratch } from './data.ts';
import { compare, type Timing } from './measure.ts';
import { run } from './program.ts';
import type { Row } from './report.ts';

const path = 'notes/saved.md';

/** Times a whole save of 50 KiB in a git repository with provenance on, beside a temporary file, its flush and a rename. The ledger's copy is changed. */
export async function timeSave(folder: string, rounds: number): Promise<Timing[]> {
  const root = copyOf(folder, 'save');
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, textOf(0));
  for (const args of [
    ['init', '-q'],
    ['add', path],
    ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', 'commit', '-qm', 'a note'],
  ]) {
    run('git', args, { cwd: root });
  }
  const core = await openCore({ folder: root, env: { ...process.env, STEMMA_HOME: scratch('save-home') } });
  await core.init();
  let turn = 0;
  let base = bytesHash(Buffer.from(textOf(0)));
  const times = 20;
  // A page takes the identity block that its first save put in over into its buffer.
  let block = '';
  const save = async () => {
    const text = textOf(++turn);
    const outcome = await core.save({ ...byHand, path, bytes: Buffer.from(block + text), base });
    if (outcome.kind !== 'saved' || outcome.recorded.kind !== 'recorded') throw new Error(`not recorded: ${JSON.stringify(outcome)}`);
    base = outcome.base;
    block = outcome.bytes.toString('utf8').slice(0, -text.length);
  };
  const timings = await compare(
    [
      { name: 'temp + fsync + rename', times, run: () => replace(join(root, 'notes', 'plain.md'), Buffer.from(textOf(++turn))) },
      { name: 'a whole save of 50 KiB', times, run: save },
    ],
    rounds,
  );
  await core.close();
  return timings;
}

function textOf(turn: number): string {
  const line = `Version ${turn} says what a version says, and a little more than the one before it did.\n`;
  return `# Saved\n\n${line.repeat(Math.ceil((50 * 1024) / line.length))}`.slice(0, 50 * 1024);
}

function replace(file: string, bytes: Buffer): void {
  const handle = openSync(`${file}.new`, 'w');
  writeSync(handle, bytes);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
}

/** Row 6: a whole save. */
export async function saveRow(folder: string, rounds: number): Promise<Row> {
  const [yardstick, ours] = await timeSave(folder, rounds);
  const cause =
    'three turns of the disk: the bytes of snapshot, staged line and document, their folders, the ledger; beside them some hundred and sixty short calls.';
  return { number: '6', beside: yardstick!.name, yardstick: yardstick!, ours: ours!, goal: 4, cause };
}
