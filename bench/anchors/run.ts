// The anchors on real history, judged by TypeScript's own parser: npm ci --prefix bench/anchors/oracle, then
// node bench/anchors/run.ts --repository GIT_DIRECTORY [--subject '^refactor'] [--commit ID] [--limit 100] [--anchors 20] [--window 1] [--list]
import { parseArgs } from 'node:util';
import { baselineOf } from '#core/anchors/baseline';
import { pinDeclaration } from '#core/anchors/pin';
import { parseDeclarations } from '#core/grammars/parse';
import type { Verdict } from '#kernel/anchor';
import { createCodeIndex, type GrowingIndex, isMinorPath } from '#kernel/anchor-index';
import { resolveDeclaration } from '#kernel/anchor-ladder';
import type { Declaration, ParsedFile } from '#kernel/declaration';
import { openHistory } from './history.ts';
import { type Judged, judge } from './oracle/oracle.ts';
import { createTally, type Truth } from './tally.ts';

const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    subject: { type: 'string' },
    commit: { type: 'string' },
    limit: { type: 'string' },
    anchors: { type: 'string' },
    window: { type: 'string' },
    list: { type: 'boolean' },
  },
});
const history = openHistory(values.repository ?? '.');
const perCommit = Number(values.anchors ?? 20);
const isSource = (path: string) => /\.(ts|tsx|mts|cts)$/u.test(path);
const isJudged = (path: string) =>
  isSource(path) && !/\.d\.ts$|(^|\/)(__tests__|__mocks__|tests?|specs?|fixtures?)\/|\.(test|spec)\.tsx?$/u.test(path);

/** What is known of a file's content, whatever commit it is in. */
interface Known {
  readonly parsed: ParsedFile | null;
  readonly text: string;
  readonly judged: readonly Judged[] | null | undefined;
}
const known = new Map<string, Promise<Known>>();

async function read(path: string, blob: string, wantsJudged: boolean): Promise<Known> {
  const key = `${blob} ${path.slice(path.lastIndexOf('.'))} ${wantsJudged}`;
  const before = known.get(key);
  if (before !== undefined) return await before;
  const reading = (async (): Promise<Known> => {
    const bytes = await history.blob(blob);
    const text = bytes.toString('utf8').replace(/^\ufeff/u, '');
    const plain = wantsJudged ? await read(path, blob, false) : null;
    const parsed = plain ? plain.parsed : bytes.length > 1_000_000 ? null : await parseDeclarations(bytes, path, { trigrams: true });
    return { parsed, text, judged: wantsJudged ? judge(path, text) : undefined };
  })();
  known.set(key, reading);
  return await reading;
}

async function indexOf(tree: ReadonlyMap<string, string>): Promise<GrowingIndex> {
  const index = createCodeIndex();
  for (const [path, blob] of tree) {
    if (!isSource(path)) continue;
    const { parsed } = await read(path, blob, false);
    if (parsed) index.add({ path, parsed, isMinor: parsed.generated || isMinorPath(path) });
  }
  return index;
}

/** The oracle's name of a declaration. */
const judgedName = ({ kind, qualifiedName }: Declaration): string =>
  (kind === 'getter' ? 'get ' : kind === 'setter' ? 'set ' : '') + qualifiedName.replaceAll(/#\d+/gu, '');

let seed = 20261130;
function below(limit: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

function some<T>(all: readonly T[], count: number): T[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0] as T);
}

interface Side {
  readonly tree: Map<string, string>;
  readonly judged: Map<string, readonly Judged[]>;
}

const byName = (list: readonly Judged[], name: string): Judged | null => {
  const all = list.filter((one) => one.name === name);
  return all.length === 1 ? (all[0] as Judged) : null;
};

/** What became of a declaration, as the oracle sees it among the files that changed. */
function truthOf(path: string, one: Judged, before: Side, after: Side): Truth {
  const here = after.judged.get(path);
  const still = here && byName(here, one.name);
  if (still) return still.print === one.print ? { kind: 'same' } : { kind: 'changed' };
  if (here?.some(({ name }) => name === one.name)) return { kind: 'unclear' };
  const isNew = (file: string, { name }: Judged) => !(before.judged.get(file) ?? []).some((old) => old.name === name);
  const young = [...after.judged].flatMap(([file, list]) => list.filter((other) => isNew(file, other)).map((other) => ({ file, other })));
  const moved = young.filter(({ file, other }) => file !== path && other.name === one.name);
  if (moved.length === 1) {
    const [{ file, other }] = moved as [(typeof moved)[number]];
    return { kind: other.print === one.print ? 'moved' : 'moved-edited', file, name: other.name };
  }
  const renamed = one.body.length < 60 ? [] : young.filter(({ other }) => other.body === one.body);
  if (renamed.length === 1) {
    const [{ file, other }] = renamed as [(typeof renamed)[number]];
    return { kind: 'renamed', file, name: other.name };
  }
  return { kind: 'gone' };
}

const tally = createTally(Boolean(values.list));

async function step(from: string, to: string, subject: string): Promise<void> {
  const before: Side = { tree: history.tree(from), judged: new Map() };
  const after: Side = { tree: history.tree(to), judged: new Map() };
  const touched = [...new Set([...before.tree.keys(), ...after.tree.keys()])].filter(
    (path) => isJudged(path) && before.tree.get(path) !== after.tree.get(path),
  );
  const old = touched.filter((path) => before.tree.has(path));
  if (old.length === 0 || (touched.length > 40 && !values.commit && !values.window)) return;
  for (const side of [before, after])
    for (const path of touched) {
      const blob = side.tree.get(path);
      const judged = blob && (await read(path, blob, true)).judged;
      if (judged) side.judged.set(path, judged);
    }
  const candidates = [];
  for (const path of old) {
    const file = await read(path, before.tree.get(path) as string, false);
    const judged = before.judged.get(path);
    const afterBlob = after.tree.get(path);
    if (!file.parsed || !judged || (afterBlob && !after.judged.has(path))) continue;
    const names = new Set(file.parsed.declarations.filter(({ damaged }) => !damaged).map(judgedName));
    tally.coverage(judged.length, judged.filter(({ name }) => !names.has(name)).length);
    for (const declaration of file.parsed.declarations) {
      const one = byName(judged, judgedName(declaration));
      if (one && !declaration.damaged) candidates.push({ path, file, declaration, one });
    }
  }
  if (candidates.length === 0) return;
  const started = performance.now();
  const [index, later] = [await indexOf(before.tree), await indexOf(after.tree)];
  tally.commit();
  for (const { path, file, declaration, one } of some(candidates, perCommit)) {
    const truth = truthOf(path, one, before, after);
    const code = { path, parsed: file.parsed as ParsedFile, isMinor: isMinorPath(path), blob: before.tree.get(path) as string };
    const { pin, text } = pinDeclaration(code, file.text, declaration, { index, complete: true }, from);
    const baseline = await baselineOf(pin, () => text.toString('utf8'), { languages: ['typescript', 'tsx'], trigrams: true });
    if (!baseline) throw new RangeError(`No baseline for ${declaration.qualifiedName}.`);
    const hinted = later.file(path) ? 'read' : 'absent';
    const verdict: Verdict = resolveDeclaration(baseline, { index: later, hinted, unseen: null });
    const about = `${to.slice(0, 9)} ${subject.slice(0, 60)} | ${path} ${declaration.kind} ${declaration.qualifiedName}`;
    tally.anchor(about, truth, verdict, path, judgedName);
  }
  tally.time(performance.now() - started);
}

const subject = new RegExp(values.subject ?? '^refactor(\\(|:|!)', 'u');
const limit = Number(values.limit ?? 100);
const window = Number(values.window ?? 1);
const commits = values.commit ? [{ id: values.commit, subject: values.commit }] : history.commits(subject);
if (window === 1) {
  for (const { id, subject: said } of commits) {
    if (tally.commits() >= limit) break;
    await step(`${id}^`, id, said);
  }
} else {
  // Cumulative: what was anchored before the oldest commit of a window is checked after each.
  const newest = commits.slice(0, limit);
  for (let at = 0; at + window <= newest.length; at += window) {
    const part = newest.slice(at, at + window).reverse();
    for (const { id, subject: said } of part) await step(`${part[0]?.id}^`, id, said);
  }
}
history.close();
console.log(tally.report());
