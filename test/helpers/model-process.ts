// A program that does with a workspace what it is told, a JSON line at a time: node model-process.ts FOLDER. It answers each with a line.
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openCore } from '#core';
import { realChance } from '#core/core';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** What a program is told to do. */
export type Told =
  | { readonly act: 'save' | 'save-from' | 'autosave' | 'record'; readonly path: string; readonly text: string; readonly source: string }
  | { readonly act: 'accept'; readonly at: number }
  | { readonly act: 'make-new'; readonly path: string }
  /** From now on the clock is so many ms off. */
  | { readonly act: 'clock'; readonly by: number }
  /** `rebuild`: whether a rebuilt index says what was said before. */
  | { readonly act: 'scan' | 'settle' | 'rebuild' | 'everything' | 'verify' };

const byHand = {
  agent: { type: 'human', id: null },
  intent: { kind: 'editor-save', summary: 'saved', prompt_hash: null },
  confidence: 'exact',
} as const;
const folder = process.argv[2]!;
let skew = 0;
const core = await openCore({ folder, chance: { ...realChance, now: () => Date.now() + skew } });

/** The text of a document with another body: its frontmatter stays. */
function withBody(before: string | null, text: string): string {
  return `${/^---\n.*?\n---\n/su.exec(before ?? '')?.[0] ?? ''}${text}`;
}

async function save({ act, path, text, source }: Extract<Told, { text: string }>) {
  const file = join(folder, path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const inputs = act === 'save-from' ? await inputsFrom(source) : [];
  const agent = inputs.length > 0 ? ({ type: 'model', id: 'a-model' } as const) : byHand.agent;
  const base = before === null ? null : hash('sha256', before, 'hex');
  const auto = act === 'autosave';
  const outcome = await core.save({ ...byHand, agent, inputs, path, bytes: Buffer.from(withBody(before, text)), base, auto });
  if (outcome.kind === 'conflict' || outcome.recorded.kind === 'due') return null;
  if (outcome.recorded.kind === 'recorded') return outcome.recorded.entry;
  throw new Error(`saved, not recorded: ${JSON.stringify(outcome.recorded)}`);
}

async function inputsFrom(path: string) {
  const { object, heads } = await core.logFile(path).catch(() => ({ object: '', heads: [] }));
  return heads.length === 1 ? [{ object: object as Uuid, path, revision: heads[0] as RevisionId, role: 'direct' as const }] : [];
}

const rows = async () => {
  const { artifacts, silenced } = await core.breakdown({ all: true, scan: false });
  return [...artifacts.flatMap(({ rows: own }) => own), ...silenced].filter(({ edge }) => edge !== null);
};

/** Every document with its current versions, and all versions with their labels. */
async function documents(): Promise<string[]> {
  const { entries } = await core.log();
  const registered = entries.flatMap((entry) =>
    entry.kind === 'object-registered' ? [entry.body as { object: string; path: string }] : [],
  );
  // In reader order the last path of an object is where it is.
  const paths = new Map(registered.map(({ object, path }) => [object, path]));
  const files = await Promise.all([...paths.values()].map((path) => core.logFile(path)));
  return files.map(({ path, heads, revisions }) => {
    const labels = revisions.map(({ revision, label }) => `${revision} ${label}`).sort();
    return `${path} ${[...heads].sort().join(' ')} of ${labels.join(' ')}`;
  });
}

const everything = async () =>
  [...(await rows()).map(({ edge, state }) => `${edge!.txf}#${edge!.input} ${state}`), ...(await documents())].sort();

async function accept(at: number) {
  const open = (await rows()).filter(({ state, current }) => current !== null && (state === 'version-stale' || state === 'diverged'));
  const row = open[at % Math.max(open.length, 1)];
  if (row === undefined) return null;
  const edge = { txf: row.edge!.txf as Uuid, input: row.edge!.input };
  const done = await core.resolve({ edge, against: row.current!.revision as RevisionId, decision: { kind: 'accept' } });
  return done.kind === 'resolved' ? done.entry : null;
}

async function act(told: Told): Promise<unknown> {
  switch (told.act) {
    case 'save':
    case 'save-from':
    case 'autosave':
      return save(told);
    case 'clock':
      skew = told.by;
      return null;
    case 'settle':
      return (await core.settle(null)).map(({ recorded }) => (recorded.kind === 'recorded' ? recorded.entry : null));
    case 'rebuild': {
      const before = await everything();
      await core.rebuild();
      return JSON.stringify(await everything()) === JSON.stringify(before);
    }
    case 'record': {
      const agent = { type: 'external' as const, id: null };
      return (await core.record({ path: told.path, from: [told.source], contextFrom: [], agent, summary: null })).entry;
    }
    case 'accept':
      return accept(told.at);
    case 'make-new': {
      const base = hash('sha256', readFileSync(join(folder, told.path)), 'hex');
      return core.makeNewDocument({ path: told.path, base });
    }
    case 'scan':
      return core.scan();
    case 'everything':
      return everything();
    case 'verify':
      return (await core.verify({ restoreLines: false })).problems;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer: object;
  try {
    answer = { done: await act(JSON.parse(line) as Told) };
  } catch (error) {
    answer = { fault: (error as { code?: string }).code ?? String(error), message: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await core.close();
