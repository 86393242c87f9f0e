import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where generated data is kept and used again. */
export const dataFolder = process.env.STEMMA_BENCH_DATA || join(tmpdir(), 'stemma-bench');

/** What a generator says that it made. */
export type Facts = Readonly<Record<string, number>>;

/** A generated workspace. It is used by later runs too: what changes it works on a copy. */
export interface Data {
  readonly folder: string;
  readonly facts: Facts;
}

function generated(name: string, generator: string, args: readonly string[]): Data {
  const folder = join(dataFolder, name);
  const program = join(import.meta.dirname, generator);
  const made = join(folder, 'made.json');
  const stamp = hash('sha256', JSON.stringify([args, readFileSync(program, 'utf8')]));
  const before = existsSync(made) ? (JSON.parse(readFileSync(made, 'utf8')) as { stamp: string; facts: Facts }) : null;
  if (before?.stamp === stamp) return { folder: join(folder, 'data'), facts: before.facts };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const memory = '--max-old-space-size=12000';
  const out = execFileSync(process.execPath, [memory, program, '--out', join(folder, 'data'), ...args], { encoding: 'utf8' });
  const facts = JSON.parse(out) as Facts;
  writeFileSync(made, JSON.stringify({ stamp, facts }));
  return { folder: join(folder, 'data'), facts };
}

/** A ledger of `scale` times the envelope, without documents. */
export function ledgerData(scale: number): Data {
  const [entries, objects] = [Math.round(200_000 * scale), Math.round(5000 * scale)];
  return generated(`ledger-${entries}`, 'gen-ledger.mjs', ['--entries', `${entries}`, '--objects', `${objects}`]);
}

/** A ledger with half a million inputs, and its documents at their newest revision. */
export function writtenLedger(): Data {
  return generated('ledger-written', 'gen-ledger.mjs', ['--entries', '207000', '--objects', '5000', '--files']);
}

/** A workspace of so many documents without a ledger. */
export function documentData(files: number): Data {
  return generated(`documents-${files}`, 'gen-workspace.mjs', ['--files', `${files}`]);
}

const leftovers: string[] = [];
process.once('exit', () => {
  for (const folder of leftovers) rmSync(folder, { recursive: true, force: true });
});

/** Has a folder removed when the process ends. */
export function removeAtExit(folder: string): void {
  leftovers.push(folder);
}

/** An empty folder of this run alone, removed when the process ends. */
export function scratch(name: string): string {
  const folder = join(dataFolder, `run-${process.pid}-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  removeAtExit(folder);
  return folder;
}

/** A copy of a workspace that may be changed. */
export function copyOf(folder: string, name: string): string {
  const copy = scratch(name);
  cpSync(folder, copy, { recursive: true });
  // What is still to be written of it would be waited for by the first flush that is timed.
  if (process.platform !== 'win32') execFileSync('sync');
  return copy;
}

/** The same ledger with the keys of every body in the order of the alphabet, as VMark writes them. */
export function sortedLedger(folder: string): string {
  const sorted = scratch('sorted');
  const [from, to] = [folder, sorted].map((at) => join(at, '.vmark', 'ledger')) as [string, string];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const lines = readFileSync(join(from, name), 'utf8').split('\n');
    writeFileSync(join(to, name), lines.map((line) => (line === '' ? '' : sortedLine(line))).join('\n'));
  }
  return sorted;
}

function sortedLine(line: string): string {
  const entry = JSON.parse(line) as { body: unknown };
  return JSON.stringify({ ...entry, body: sortedKeys(entry.body) });
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(pairs.map(([key, inner]) => [key, sortedKeys(inner)]));
}

/** What the generators make with their default arguments: the envelope of `spec/quality.md` §1. */
const ledgerEnvelope: Facts = { entries: 200_000, objects: 5000, inputs: 484_774, bytes: 201_461_756 };
const documentEnvelope: Facts = { files: 5000, bytesEach: 20_480 };

/** Says how data deviates from the envelope by more than 5 %, or null: only then it is compared with goals. */
export function deviation(facts: Facts): string | null {
  const wanted = 'files' in facts ? documentEnvelope : ledgerEnvelope;
  const off = Object.entries(wanted).filter(([name, value]) => !(Math.abs((facts[name] ?? 0) / value - 1) <= 0.05));
  if (off.length === 0) return null;
  const said = off.map(([name, value]) => `${name} ${facts[name] ?? 0} instead of ${value}`).join(', ');
  return `Outside the envelope (${said}): nothing is compared with a goal.`;
}

/** TypeScript sources: as many files, as many bytes in all. */
export function codeData(files: number, bytes: number): Data {
  return generated(`code-${files}`, 'gen-code.mjs', ['--files', `${files}`, '--bytes', `${bytes}`]);
}
