import { anchorSentence, codeName, documentName } from '#cli/anchor-sentence';
import { type Answer, argumentOf, type Call, linesOf, optionValue, optionValues, type Printed, type Run } from '#cli/command';
import { askLeave } from '#cli/repositories';
import { usageFault } from '#cli/usage';
import type { Core } from '#core';
import type { Outputs, Words } from '#protocol';

/** `stemma anchors`: what is done to code anchors, by its first word. */
export const anchors: Run = async (call: Call) => {
  const action = argumentOf(call, 0);
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw usageFault('unknown-action', { name: action });
  for (const [name, taken] of Object.entries(optionsOf)) {
    if (call.options[name] !== undefined && !taken.includes(action)) throw usageFault('needless-option', { name: flags[name]! });
  }
  return run(call);
};

const actions: Readonly<Record<string, Run>> = { add, check, list, confirm, rebind, remove };

const flags: Readonly<Record<string, string>> = {
  kind: '--kind',
  symbol: '--symbol',
  file: '--file',
  lines: '--lines',
  section: '--section',
  repo: '--repo',
  actor: '--actor',
  hashSeen: '--hash-seen',
  note: '--note',
};

/** Which actions take which option. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  kind: ['add', 'rebind'],
  symbol: ['add', 'rebind'],
  file: ['add', 'rebind'],
  lines: ['add', 'rebind'],
  section: ['add'],
  repo: ['add', 'rebind'],
  actor: ['add', 'confirm', 'rebind', 'remove'],
  hashSeen: ['confirm'],
  note: ['confirm'],
};

async function add(call: Call): Promise<Answer> {
  const document = targetOf(call, 'DOC');
  const target = codeTarget(call);
  const file = required(call, 'file');
  const core = await call.open();
  const repository = await repositoryOf(call, core);
  const section = optionValues(call, 'section');
  const output = await core.anchors.add({ document, section, repository, file, target, by: asker(call) });
  const what = target.kind === 'lines' ? `${output.detail.file}:${target.lines.start}-${target.lines.end}` : target.name;
  return { output, print: () => said(call, 'added', { document, what, id: output.id }) };
}

async function check(call: Call): Promise<Answer> {
  const core = await call.open();
  const output = await core.anchors.check({ document: target(call) ?? null, observe: true });
  return { output, code: output.complete ? 0 : 3, print: () => checkText(output, call.words) };
}

async function list(call: Call): Promise<Answer> {
  const core = await call.open();
  const output = await core.anchors.list(target(call) ?? null);
  return { output, print: () => ({ text: linesOf(listLines(output, call.words)) }) };
}

async function confirm(call: Call): Promise<Answer> {
  const id = targetOf(call, 'ID');
  const core = await call.open();
  const hashSeen = optionValue(call, 'hashSeen') ?? null;
  const output = await core.anchors.confirm({ id, hashSeen, note: optionValue(call, 'note') ?? '', by: asker(call) });
  const key = output.changed ? 'confirmed' : 'nothing-to-confirm';
  return { output, print: () => said(call, key, { id: output.id, what: `${output.detail.file}:${output.detail.line_start}` }) };
}

async function rebind(call: Call): Promise<Answer> {
  const id = targetOf(call, 'ID');
  const target = codeTarget(call);
  const file = required(call, 'file');
  const core = await call.open();
  const repository = await repositoryOf(call, core);
  const output = await core.anchors.rebind({ id, repository, file, target, by: asker(call) });
  return { output, print: () => said(call, 'rebound', { id: output.id, what: `${output.detail.file}:${output.detail.line_start}` }) };
}

async function remove(call: Call): Promise<Answer> {
  const id = targetOf(call, 'ID');
  const core = await call.open();
  const output = await core.anchors.remove(id, asker(call));
  return { output, print: () => said(call, 'removed', { id: output.id }) };
}

const said = ({ words }: Call, key: string, detail: Readonly<Record<string, unknown>>): Printed => ({
  text: linesOf([words(`cli.anchors.${key}`, detail)]),
});

const target = ({ positional }: Call) => (typeof positional[1] === 'string' ? positional[1] : undefined);

function targetOf(call: Call, name: string): string {
  const value = target(call);
  if (value === undefined) throw usageFault('missing-argument', { name });
  return value;
}

function required(call: Call, name: string): string {
  const value = optionValue(call, name);
  if (value === undefined) throw usageFault('missing-argument', { name: flags[name]! });
  return value;
}

/** A shell is where agents live: whoever types is another program, under the name it gives. */
function asker(call: Call): { type: 'external'; id: string } {
  return { type: 'external', id: optionValue(call, 'actor') ?? 'stemma-anchors' };
}

function codeTarget(call: Call): Parameters<Core['anchors']['add']>[0]['target'] {
  const [symbol, lines] = [optionValue(call, 'symbol'), optionValue(call, 'lines')];
  if ((symbol === undefined) === (lines === undefined)) throw usageFault('missing-target');
  if (symbol !== undefined) return { kind: 'declaration', name: symbol, declared: optionValue(call, 'kind') ?? null };
  const [, start, end] = /^(\d{1,9})(?:-(\d{1,9}))?$/u.exec(lines!) ?? [];
  if (start === undefined) throw usageFault('bad-lines', { lines: lines! });
  return { kind: 'lines', lines: { start: Number(start), end: Number(end ?? start) } };
}

/** A linked repository; where a person can be asked, one that may not be read yet is asked about. */
async function repositoryOf(call: Call, core: Core): Promise<string | null> {
  const name = optionValue(call, 'repo');
  if (name === undefined) return null;
  const standing = (await core.anchors.repositories.list()).find((repository) => repository.name === name);
  if (standing !== undefined) await askLeave(call, core, standing);
  return name;
}

type Check = Outputs['anchors-check'];

/** What a check found, a line each; what could not be checked, and why, is said beside it. */
export function checkText(output: Check, words: Words): Printed {
  const unchecked = new Set(output.unchecked_anchor_ids);
  const lines = output.anchors.flatMap((anchor) => [
    anchorSentence(anchor, unchecked.has(anchor.id), words),
    ...(anchor.state === 'fresh' && !unchecked.has(anchor.id) ? [] : [`  ${words('cli.anchors.id', { id: anchor.id })}`]),
  ]);
  return { text: linesOf([...lines, ...sumLines(output, words)]), notes: uncheckedNotes(output, words) };
}

function sumLines({ anchors: all, unchecked_anchor_ids, retired, fallback_share }: Check, words: Words): string[] {
  if (all.length + retired.length === 0) return [words('cli.anchors.none')];
  const unchecked = new Set(unchecked_anchor_ids);
  const fresh = all.filter(({ id, state }) => state === 'fresh' && !unchecked.has(id)).length;
  const { total, fallback } = fallback_share;
  return [
    words('cli.anchors.summary', { count: all.length, fresh }),
    ...(fallback === 0 ? [] : [words('cli.anchors.fallback', { count: total, fallback })]),
    ...(retired.length === 0 ? [] : [words('cli.anchors.retired', { count: retired.length })]),
  ];
}

/** What kept anchors from being checked, as a line for stderr. */
export function uncheckedNotes({ unchecked_anchor_ids, budget }: Pick<Check, 'unchecked_anchor_ids' | 'budget'>, words: Words): string[] {
  const count = unchecked_anchor_ids.length;
  if (count === 0) return [];
  return [words('cli.anchors.limit', { count, reason: words(`cli.anchors.limits.${budget.limit ?? 'other'}`) })];
}

function listLines({ anchors: all }: Outputs['anchors-list'], words: Words): string[] {
  if (all.length === 0) return [words('cli.anchors.none')];
  return all.map((anchor) => {
    const state = anchor.retired === null ? words(`states.${anchor.state}`) : words('states.retired');
    return `${anchor.id}  ${documentName(anchor)} → ${codeName(anchor)}  ${anchor.file_hint}:${anchor.line_start}-${anchor.line_end}  ${state}`;
  });
}
