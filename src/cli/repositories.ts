import { type Answer, argumentOf, type Call, linesOf, optionValue, type Run } from '#cli/command';
import { visible } from '#cli/text';
import { isYes } from '#cli/track';
import { usageFault } from '#cli/usage';
import type { Core } from '#core';
import type { Outputs, Words } from '#protocol';

type Standing = Awaited<ReturnType<Core['anchors']['repositories']['list']>>[number];
type Listed = Outputs['repositories'];

/** `stemma repositories`: what is done with the repositories of code that a workspace links, by its first word. */
export const repositories: Run = async (call: Call) => {
  const action = argumentOf(call, 0);
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) throw usageFault('unknown-action', { name: action });
  for (const [name, flag] of Object.entries(linkOptions)) {
    if (call.options[name] !== undefined && action !== 'link') throw usageFault('needless-option', { name: flag });
  }
  return run(call);
};

const linkOptions = { url: '--url', path: '--path', ref: '--ref', tokenEnv: '--token-env' } as const;

const actions: Readonly<Record<string, Run>> = { list, link, fetch, unlink };

async function list(call: Call): Promise<Answer> {
  if (call.positional[1] !== undefined) throw usageFault('excess-arguments');
  const core = await call.open();
  return answerOf(call, core, []);
}

async function link(call: Call): Promise<Answer> {
  const name = nameIn(call);
  const [url, path] = [optionValue(call, 'url') ?? null, optionValue(call, 'path') ?? null];
  if ((url === null) === (path === null)) throw usageFault('missing-argument', { name: '--url | --path' });
  const core = await call.open();
  const rest = { ref: optionValue(call, 'ref') ?? null, tokenEnv: optionValue(call, 'tokenEnv') ?? null };
  const standing = await core.anchors.repositories.link({ name, url, path, ...rest });
  const isConfirmed = await askLeave(call, core, standing);
  const said = isConfirmed ? ['linked'] : ['linked', 'to-confirm'];
  return answerOf(
    call,
    core,
    said.map((key) => call.words(`cli.repositories.${key}`, { name: visible(name) })),
  );
}

/** Interrupting the program stops git as well; what was fetched before is kept. */
async function fetch(call: Call): Promise<Answer> {
  const name = nameIn(call);
  const core = await call.open();
  const desk = core.anchors.repositories;
  const standing = (await desk.list()).find((repository) => repository.name === name);
  if (standing !== undefined) await askLeave(call, core, standing);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    const { commit } = await desk.fetch(name, { signal: stopping.signal, progress() {} });
    return answerOf(call, core, [call.words('cli.repositories.fetched', { name: visible(name), commit: commit.slice(0, 12) })]);
  } finally {
    process.off('SIGINT', stop);
  }
}

async function unlink(call: Call): Promise<Answer> {
  const name = nameIn(call);
  const core = await call.open();
  await core.anchors.repositories.unlink(name);
  return answerOf(call, core, [call.words('cli.repositories.unlinked', { name: visible(name) })]);
}

function nameIn(call: Call): string {
  const name = call.positional[1];
  if (typeof name !== 'string') throw usageFault('missing-argument', { name: 'NAME' });
  return name;
}

/** Asks about a repository that may not be read yet, where a person can be asked; whether it may be read now. */
export async function askLeave(call: Call, core: Core, { name, asks }: Standing): Promise<boolean> {
  if (asks === null) return true;
  const { place, tokenEnv } = asks;
  const key = tokenEnv === null ? 'ask' : 'ask-token';
  const question = call.words(`cli.repositories.${key}`, { name: visible(name), place: visible(place), variable: tokenEnv ?? '' });
  const answer = await call.ask(`${question} ${call.words('cli.track.answers')}`);
  if (answer === null || !isYes(answer)) return false;
  await core.anchors.repositories.confirm(name);
  return true;
}

async function answerOf({ words }: Call, core: Core, said: readonly string[]): Promise<Answer> {
  const all = await core.anchors.repositories.list();
  const output: Listed = {
    repositories: all.map(({ name, path, url, ref, tokenEnv, asks, fetched, problem }) => ({
      ...{ name, path, url, ref, token_env: tokenEnv, confirmed: asks === null && problem === null, fetched, problem },
    })),
  };
  const lines = all.length === 0 ? [words('cli.repositories.none')] : all.map((standing) => lineOf(standing, words));
  return { output, print: () => ({ text: linesOf([...said, ...(said.length > 0 ? [] : lines)]) }) };
}

function lineOf({ name, path, url, ref, tokenEnv, asks, fetched, problem }: Standing, words: Words): string {
  const place = visible(`${path ?? url}${ref === null ? '' : ` (${ref})`}`);
  const state = () => {
    if (problem !== null) return words(`faults.${problem}`, { name, url, path, ref, variable: tokenEnv });
    if (asks !== null) return words('cli.repositories.unconfirmed');
    if (url === null) return words('cli.repositories.local');
    return fetched === null
      ? words('cli.repositories.unfetched')
      : words('cli.repositories.at', { commit: fetched.commit.slice(0, 12), at: fetched.at });
  };
  return words('cli.repositories.line', { name: visible(name), place, reason: state() });
}
