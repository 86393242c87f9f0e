import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { answerOfService, type Patience, type Prompt, usualPatience } from '#core/ai/answering';
import { type Choice, choiceOf, chosen, hostOf, lackOf, refuseUnsafe } from '#core/ai/choice';
import type { Genie } from '#core/ai/genie';
import type { GenieShelf } from '#core/ai/genie-shelf';
import { createKeyRing, createSecretFile, keyVariables, type SecretStore } from '#core/ai/key-ring';
import { answerOfProgram, findProgram } from '#core/ai/program-agent';
import { fillPrompt, markFor } from '#core/ai/prompt';
import { createRunList, type RunPatience } from '#core/ai/run-list';
import { lookUp, pinSources, readNamed, type Source, type SourceParts, sourcesOf } from '#core/ai/source';
import type { Environment, Home } from '#core/home';
import type { Disk } from '#core/storage/disk';
import { Fault } from '#protocol';
import type { AiOutputs, FoundProviders, PreparedPrompt } from '#protocol/ai-calls';
import { promptLimit, providerIds, providerKeys, providers } from '#protocol/ai-provider';
import type { CallInput } from '#protocol/calls';

/** What a window may do with models (`spec/ai.md` §1, §2). Nothing is sent but by `ask`. */
export interface AiDesk {
  providers(): Promise<AiOutputs['ai/providers']>;
  find(): Promise<FoundProviders>;
  keepKey(request: CallInput<'ai/keep-key'>): Promise<AiOutputs['ai/providers']>;
  genies(): Promise<AiOutputs['ai/genies']>;
  prepare(request: CallInput<'ai/prepare'>): Promise<PreparedPrompt>;
  ask(request: CallInput<'ai/ask'>): Promise<AiOutputs['ai/ask']>;
  next(request: CallInput<'ai/next'>): Promise<AiOutputs['ai/next']>;
  cancel(run: string): AiOutputs['ai/cancel'];
  /** Ends every request that is on its way. */
  close(): void;
}

/** What it needs from around it. */
export interface AiDeskParts extends SourceParts {
  readonly disk: Disk;
  readonly home: Home;
  readonly root: string;
  readonly env: Environment;
  /** Where keys are kept; default: a file of the app data. */
  readonly secrets?: SecretStore;
  readonly patience?: Patience;
  readonly runPatience?: RunPatience;
}

interface Prepared extends Prompt {
  readonly choice: Choice;
  readonly to: string;
  readonly path: string;
  readonly genie: Genie | null;
  readonly firsts: PreparedPrompt['firsts'];
  /** How each of them is recorded; the document itself first. */
  readonly sources: readonly Source[];
}

/** How many prompts are kept that nobody has sent yet. */
const preparedLimit = 20;

/** The desk for models of a workspace. */
export function aiDesk(parts: AiDeskParts): AiDesk {
  const { disk, home, root, env, patience = usualPatience } = parts;
  const keys = createKeyRing(parts.secrets ?? createSecretFile(disk, home.folder), env);
  let opened: Promise<GenieShelf> | null = null;
  /** Loaded with the first genie that is asked for. */
  const shelf = () => {
    opened ??= import('#core/ai/genie-shelf').then(({ openGenieShelf }) =>
      openGenieShelf(disk, { app: shippedGenies(), home: home.folder, root }),
    );
    return opened;
  };
  const prepared = new Map<string, Prepared>();
  const runs = createRunList(parts.runPatience);

  const states = async () => {
    const settings = home.app();
    const list = providerIds.map(async (id) => {
      const lacks = await lackOf(choiceOf(settings, providers[id]), keys);
      return { id, key: await keys.placeOf(id), variables: keyVariables[id] ?? [], lacks };
    });
    return { providers: await Promise.all(list), store: await keys.store() };
  };
  const ready = async (genie: Genie | null) => {
    const choice = withModel(chosen(home.app()), genie);
    const lack = await lackOf(choice, keys);
    if (lack === 'key') throw new Fault('ai-key-missing', { provider: choice.name });
    if (lack !== null) throw new Fault('ai-model-missing', { provider: choice.name });
    if (choice.provider.kind === 'program') return { choice, to: programAt(choice, env) };
    refuseUnsafe(choice.address, await keys.keyOf(choice.provider.id));
    return { choice, to: hostOf(choice.address) };
  };

  return {
    providers: states,
    find: () => findOnMachine(choiceOf(home.app(), providers.ollama).address, env),
    async keepKey({ provider, key }) {
      await keys.keep(provider, key);
      return states();
    },
    genies: async () => (await shelf()).list(),
    async prepare(request) {
      const genies = await shelf();
      const genie = request.genie === null ? null : genies.get(request.genie);
      const { choice, to } = await ready(genie);
      const { reads, dropped } = await readNamed(parts, request, genie?.reads ?? []);
      const { shown, unfound } = await lookUp(parts, request, reads);
      const { content, before, after, ask } = request;
      const mark = markFor([content, before, after, ...[...reads, ...shown].map(({ text }) => text)], () => randomBytes(4).toString('hex'));
      const prompt = fillPrompt(
        { template: genie?.template ?? null, ask, content, before, after, reads, shown, action: genie?.action ?? 'replace' },
        mark,
      );
      const characters = prompt.prompt.length;
      if (characters > promptLimit) throw new Fault('ai-prompt-too-long', { characters, limit: promptLimit });
      const isKnown = home.app()[providerKeys(choice.provider.id).shown] === to;
      const firsts = [
        ...(isKnown ? [] : (['provider'] as const)),
        ...(genie === null || genies.isTrusted(genie) ? [] : (['genie'] as const)),
      ];
      const id = v7();
      prepared.set(id, { ...prompt, choice, to, path: request.path, genie, firsts, sources: sourcesOf(request, reads, shown) });
      for (const old of prepared.keys()) if (prepared.size > preparedLimit) prepared.delete(old);
      const listed = [
        ...reads.map(({ path, text }) => ({ path, role: 'direct' as const, characters: text.length })),
        ...shown.map(({ path, passages }) => ({ path, role: 'contextual' as const, characters: passages.join('').length })),
      ];
      return { prepared: id, provider: choice.provider.id, to, model: choice.model, ...prompt, reads: listed, dropped, unfound, firsts };
    },
    async ask({ prepared: id, seen }) {
      const known = prepared.get(id);
      if (known === undefined) throw new Fault('ai-gone', {});
      if (known.firsts.length > 0 && !seen) throw new Fault('ai-unseen', {});
      prepared.delete(id);
      const { choice, path, genie, sources, to } = known;
      const pinned = await pinSources(parts, path, sources);
      if (seen) home.setApp(providerKeys(choice.provider.id).shown, to);
      if (seen && genie !== null) (await shelf()).trust(genie);
      const key = choice.provider.kind === 'program' ? null : await keys.keyOf(choice.provider.id);
      const prompt = { system: known.system, prompt: known.prompt };
      runs.begin(id, (told, signal) => {
        const asked = { choice, key, prompt, signal, patience };
        return choice.provider.kind === 'program' ? answerOfProgram(asked, env, told) : answerOfService(asked, told);
      });
      return { run: id, ...pinned };
    },
    next: ({ run, from }) => runs.next(run, from),
    cancel: (run) => ({ kind: runs.cancel(run) ? 'cancelled' : 'gone' }),
    close: () => runs.close(),
  };
}

/** A genie may name a model of its own; a program takes it as well. */
const withModel = (choice: Choice, genie: Genie | null): Choice => (genie?.model == null ? choice : { ...choice, model: genie.model });

function programAt({ provider: { id } }: Choice, env: Environment): string {
  const path = findProgram(id, env);
  if (path === null) throw new Fault('ai-program-missing', { program: id });
  return path;
}

/** The genies of the app: in a checkout, or beside the built program. */
function shippedGenies(): string {
  const named = ['../../../resources/genies', '../genies', '../../genies'].map((place) => join(import.meta.dirname, place));
  return named.find((place) => existsSync(place)) ?? named[1]!;
}

/** Looks for Ollama where the settings say it is, if that is this machine, and for programs on the search path. Runs nothing. */
async function findOnMachine(address: string, env: Environment): Promise<FoundProviders> {
  const programs = providerIds.flatMap((id) => {
    const path = providers[id].kind === 'program' ? findProgram(id, env) : null;
    return path === null ? [] : [{ id, path }];
  });
  return { ollama: await ollamaAt(address), programs };
}

async function ollamaAt(address: string): Promise<FoundProviders['ollama']> {
  try {
    refuseUnsafe(address, 'as if there were one');
    const url = new URL('/api/tags', address);
    if (url.protocol !== 'http:') return null;
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(3000) });
    const { models } = (await answer.json()) as { models?: readonly { name?: unknown }[] };
    if (!Array.isArray(models)) return null;
    return { models: models.flatMap(({ name }) => (typeof name === 'string' ? [name.slice(0, 200)] : [])).slice(0, 200) };
  } catch {
    return null;
  }
}
