import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCore } from '#core';
import { createSecretFile } from '#core/ai/key-ring';
import type { Core } from '#core/core';
import { createHost } from '#core/handlers/host';
import { realDisk } from '#core/storage/disk';
import type { Acceptance } from '#core/workspace/authorship';
import type { PinnedInput } from '#core/workspace/capture';
import type { Uuid } from '#kernel/uuid';
import { agentDocumentLimit } from '#protocol/agent-limit';
import type { StartedRun } from '#protocol/ai-calls';
import type { CallInput } from '#protocol/calls';
import { connect } from '#protocol/link';
import { createMemoryPorts } from '#protocol/port';
import { serve } from '#protocol/server';
import { type ProviderServer, startProviderServer } from '../../helpers/provider-server.ts';
import { createTrackingPlace, entriesOf, environment, inputOf, type Place, savingOf } from '../../helpers/workspace.ts';

const canary = 'sk-canary-0123456789abcdef';
const nobody = '00000000-0000-7000-8000-000000000000' as Uuid;

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

async function begin({ key = true } = {}) {
  const place = createTrackingPlace();
  place.write('bible/.keep', '');
  const core = await place.open();
  for (const [path, text] of Object.entries({
    'a.md': '# A\n\nOld text.\n',
    'bible/mira.md': 'Mira is tall.\n',
    'bible/tor.md': 'Tor is slow.\n',
  }))
    await core.save(savingOf(place, path, text));
  core.writeSetting('ai.provider', 'anthropic');
  core.writeSetting('ai.anthropic.address', `${server.origin}/v1`);
  if (key) await core.ai.keepKey({ provider: 'anthropic', key: canary });
  server.behave({ kind: 'answer', parts: ['New ', 'text.'] });
  return { place, core };
}

const request = (other: Partial<CallInput<'ai/prepare'>> = {}): CallInput<'ai/prepare'> => ({
  path: 'a.md',
  genie: null,
  ask: 'Say it better.',
  content: 'Old text.',
  before: '',
  after: '',
  reads: [],
  passages: [],
  ...other,
});
const acceptanceOf = (inputs: StartedRun['inputs']): Acceptance => ({
  id: nobody,
  model: 'm',
  kind: 'genie',
  inputs: inputs as readonly PinnedInput[],
  clean: true,
  typed: false,
});
const code = (wanted: string, detail = {}) => expect.objectContaining({ code: wanted, detail: expect.objectContaining(detail) });
const last = () => JSON.parse(server.requests.at(-1)!.body) as { system: { text: string }[]; messages: { content: { text: string }[] }[] };

async function wholeAnswer({ ai }: Core, run: string) {
  for (let text = ''; ; ) {
    const state = await ai.next({ run, from: text.length });
    text += state.text;
    if (state.done) return { ...state, text };
  }
}

function filesWith(place: Place, text: string): string[] {
  return [place.folder, place.home].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() && readFileSync(path, 'latin1').includes(text);
    }),
  );
}

describe('asking a model', () => {
  it('needs a provider, its key and a model, and says which is missing', async () => {
    const { core } = await begin({ key: false });
    await expect(core.ai.prepare(request())).rejects.toThrow(code('ai-key-missing', { provider: 'Anthropic' }));
    core.writeSetting('ai.provider', 'ollama');
    await expect(core.ai.prepare(request())).rejects.toThrow(code('ai-model-missing', { provider: 'Ollama' }));
    core.writeSetting('ai.provider', '');
    await expect(core.ai.prepare(request())).rejects.toThrow(code('ai-not-chosen'));
    core.writeSetting('ai.provider', 'anthropic');
    await core.ai.keepKey({ provider: 'anthropic', key: canary });
    core.writeSetting('ai.anthropic.address', 'http://models.example/v1');
    await expect(core.ai.prepare(request())).rejects.toThrow(code('ai-address-unsafe', { address: 'http://models.example' }));
  });

  it('shows what would be sent, and sends that and nothing before the writer saw it once', async () => {
    const { core } = await begin();
    const before = server.requests.length;
    const shown = await core.ai.prepare(request());
    expect(shown).toMatchObject({ provider: 'anthropic', to: new URL(server.origin).host, firsts: ['provider'], reads: [], dropped: [] });
    await expect(core.ai.ask({ prepared: shown.prepared, seen: false })).rejects.toThrow(code('ai-unseen'));
    expect(server.requests.length).toBe(before);
    const { run } = await core.ai.ask({ prepared: shown.prepared, seen: true });
    expect(await wholeAnswer(core, run)).toMatchObject({ text: 'New text.', model: 'a-model-of-the-server', fault: null });
    expect(last().messages[0]!.content[0]!.text).toBe(shown.prompt);
    expect(last().system[0]!.text).toBe(shown.system);
    // Sent once is sent: the same cannot go twice. The next one need not be shown.
    await expect(core.ai.ask({ prepared: shown.prepared, seen: true })).rejects.toThrow(code('ai-gone'));
    const next = await core.ai.prepare(request());
    expect(next.firsts).toEqual([]);
    await wholeAnswer(core, (await core.ai.ask({ prepared: next.prepared, seen: false })).run);
    // Another place is another first time.
    core.writeSetting('ai.anthropic.address', 'https://models.example/v1');
    expect((await core.ai.prepare(request())).firsts).toEqual(['provider']);
  });

  it('pins the document and all that was read at the revisions that were read', async () => {
    const { place, core } = await begin();
    const readers = '---\ndescription: Reads\nreads: [bible/*.md, gone.md]\n---\n{{content}}\n\n{{reads}}\n';
    place.write('.stemma/genies/reads.md', readers);
    const shown = await core.ai.prepare(request({ genie: 'folder:reads', reads: ['bible/mira.md', '../out.md', 'a.md'] }));
    expect(shown.firsts).toEqual(['provider', 'genie']);
    expect(shown.reads.map(({ path }) => path)).toEqual(['bible/mira.md', 'bible/tor.md']);
    expect(shown.dropped).toEqual([
      { path: 'gone.md', reason: 'missing' },
      { path: '../out.md', reason: 'outside-workspace' },
    ]);
    expect(shown.prompt).toContain('Mira is tall.');
    expect(shown.prompt).not.toContain('vmark:');
    const { inputs, isWhole } = await core.ai.ask({ prepared: shown.prepared, seen: true });
    expect(inputs).toEqual(await Promise.all(['a.md', 'bible/mira.md', 'bible/tor.md'].map((path) => inputOf(core, path))));
    expect(isWhole).toBe(true);
    expect((await core.ai.prepare(request({ genie: 'folder:reads' }))).firsts).toEqual([]);
  });

  it('says which of a genie’s documents are too large or lie behind a link, and sends nothing of them', async () => {
    const { place, core } = await begin();
    const outside = createTrackingPlace();
    outside.write('secret.md', 'The secret outside.\n');
    place.write('large.md', `The large one.\n${'x'.repeat(agentDocumentLimit)}`);
    symlinkSync(join(outside.folder, 'secret.md'), join(place.folder, 'linked.md'));
    symlinkSync(outside.folder, join(place.folder, 'away'));
    place.write(
      '.stemma/genies/reads.md',
      '---\ndescription: Reads\nreads: [large.md, linked.md, away/secret.md, bible/tor.md]\n---\n{{content}}\n\n{{reads}}\n',
    );
    const shown = await core.ai.prepare(request({ genie: 'folder:reads' }));
    expect(shown.dropped).toEqual([
      { path: 'large.md', reason: 'too-large' },
      { path: 'linked.md', reason: 'link' },
      { path: 'away/secret.md', reason: 'outside-workspace' },
    ]);
    expect(shown.reads.map(({ path }) => path)).toEqual(['bible/tor.md']);
    expect(shown.prompt).not.toMatch(/The secret outside|The large one/u);
    const { inputs } = await core.ai.ask({ prepared: shown.prepared, seen: true });
    expect(inputs).toEqual(await Promise.all(['a.md', 'bible/tor.md'].map((path) => inputOf(core, path))));
  });

  it('records what was named as direct, and what was looked up, or stands around an empty place, as contextual', async () => {
    const { place, core } = await begin();
    place.write('bible/log.md', '# The log\n\nMira keeps it.\n\nNobody reads it.\n');
    place.write('.stemma/genies/own.md', '---\ndescription: Mira\n---\n{{content}}\n\n{{context}}\n\nMira.\n');
    const around = { content: ' ', before: 'Old text.', reads: ['bible/tor.md'] };
    const shown = await core.ai.prepare(request({ ...around, passages: ['mira', 'slow', 'old text', 'nowhere'] }));
    expect(shown.reads).toEqual([
      { path: 'bible/tor.md', role: 'direct', characters: 13 },
      { path: 'bible/log.md', role: 'contextual', characters: 14 },
      { path: 'bible/mira.md', role: 'contextual', characters: 13 },
    ]);
    expect(shown.unfound).toEqual(['old text', 'nowhere']);
    expect(shown.prompt).toMatch(/⟦passages of "bible\/log\.md" \w+⟧\nMira keeps it\.\n⟦end/u);
    expect(shown.prompt).not.toContain('Nobody reads it');
    const { inputs, isWhole } = await core.ai.ask({ prepared: shown.prepared, seen: true });
    expect(isWhole).toBe(true);
    const roles = { 'a.md': 'contextual', 'bible/tor.md': 'direct', 'bible/log.md': 'contextual', 'bible/mira.md': 'contextual' } as const;
    expect(inputs).toEqual(await Promise.all(Object.entries(roles).map(([path, role]) => inputOf(core, path, role))));
    const accepted = [acceptanceOf(inputs)];
    await core.save(savingOf(place, 'a.md', place.text('a.md').replace('Old', 'New'), { accepted }));
    for (const path of ['bible/mira.md', 'bible/tor.md']) place.write(path, `${place.text(path)}More.\n`);
    expect(
      (await core.breakdown({ all: false, scan: true })).artifacts.flatMap(({ rows }) => rows.map(({ source }) => source?.path)),
    ).toEqual(['bible/tor.md']);
  });

  it('shows something of each text that was looked up, however many documents hold another', async () => {
    const { place, core } = await begin();
    for (let at = 0; at < 30; at++) place.write(`log/${at}.md`, `A common day, ${at}.\n\nThe ${at === 0 ? 'second' : 'other'} block.\n`);
    const shown = await core.ai.prepare(request({ passages: ['common', 'slow', 'second block', 'nowhere'] }));
    expect(shown.prompt).toContain('Tor is slow.');
    expect(shown.unfound).toEqual(['nowhere']);
  });

  it('refuses to send passages of a document that has changed since, and reads one to be read as a whole but once', async () => {
    const { place, core } = await begin();
    const both = await core.ai.prepare(request({ reads: ['bible/mira.md'], passages: ['mira'] }));
    expect(both.reads).toMatchObject([{ path: 'bible/mira.md', role: 'direct' }]);
    const { prepared } = await core.ai.prepare(request({ passages: ['mira'] }));
    place.write('bible/mira.md', place.text('bible/mira.md').replace('tall', 'small'));
    await expect(core.ai.ask({ prepared, seen: true })).rejects.toThrow(code('ai-moved', { path: 'bible/mira.md' }));
  });

  it('takes in a document that was not tracked as it is, without a byte of it, so that the version before is known', async () => {
    const { place, core } = await begin();
    const text = '# New\n\nOld text.\n';
    for (const path of ['new.md', 'bible/new.md']) place.write(path, text);
    const { prepared } = await core.ai.prepare(request({ path: 'new.md', reads: ['bible/new.md'] }));
    const { inputs, isWhole } = await core.ai.ask({ prepared, seen: true });
    expect(isWhole).toBe(true);
    expect(place.text('new.md')).toBe(text);
    expect(place.text('bible/new.md')).toContain('vmark:');
    const accepted = [acceptanceOf(inputs)];
    await core.save(savingOf(place, 'new.md', text.replace('Old', 'New'), { accepted }));
    expect(place.text('new.md')).toContain('vmark:');
    const { revisions } = await core.logFile('new.md');
    expect(revisions).toMatchObject([{ agent: { type: 'external' } }, { agent: { type: 'model' } }]);
    expect(entriesOf(place, 'transformation').at(-1)!.body).toMatchObject({
      inputs: inputs.map(({ object, revision, role }) => ({ object, revision, role })),
      confidence: 'exact',
    });
    expect(await core.verify({ restoreLines: false })).toMatchObject({ problems: [] });
  });

  it('means the writer’s texts by a pattern, and reads nothing that is not of them', async () => {
    const { place, core } = await begin();
    const reads = "['**', '../../etc/*', '/etc/passwd', '.vmark/**', '.git/config']";
    place.write('.stemma/genies/wide.md', `---\ndescription: Wide\nreads: ${reads}\n---\n{{reads}}\n`);
    place.write('.stemma/genies/own.md', '---\ndescription: Own\nreads: .stemma/genies/own.md\n---\n{{reads}}\n');
    const shown = await core.ai.prepare(request({ genie: 'folder:wide' }));
    expect(shown.reads.map(({ path }) => path)).toEqual(['bible/mira.md', 'bible/tor.md']);
    expect(shown.dropped).toEqual([
      { path: '../../etc/*', reason: 'outside-workspace' },
      { path: '/etc/passwd', reason: 'outside-workspace' },
      { path: '.vmark/**', reason: 'not-a-document' },
      { path: '.git/config', reason: 'not-a-document' },
    ]);
    expect((await core.ai.prepare(request({ genie: 'folder:own' }))).reads).toMatchObject([{ path: '.stemma/genies/own.md' }]);
  });

  it('refuses to send what is not any more what was read', async () => {
    const { place, core } = await begin();
    const { prepared } = await core.ai.prepare(request({ reads: ['bible/mira.md'] }));
    place.write('bible/mira.md', place.text('bible/mira.md').replace('tall', 'small'));
    const before = server.requests.length;
    await expect(core.ai.ask({ prepared, seen: true })).rejects.toThrow(code('ai-moved', { path: 'bible/mira.md' }));
    expect(server.requests.length).toBe(before);
  });

  it('says of what could not be pinned that not all is known, and makes nothing where provenance is off', async () => {
    const { place, core } = await begin();
    place.setting(false);
    core.writeSetting('ai.provider', 'anthropic');
    core.writeSetting('ai.anthropic.address', `${server.origin}/v1`);
    place.write('plain.md', 'Plain.\n');
    const { prepared } = await core.ai.prepare(request({ reads: ['plain.md'] }));
    expect(await core.ai.ask({ prepared, seen: true })).toMatchObject({ inputs: [{ path: 'a.md' }], isWhole: false });
    expect(place.text('plain.md')).toBe('Plain.\n');
  });

  it('is ended by Cancel, by the end of core, and when nobody asks for the answer', async () => {
    const { core } = await begin();
    server.behave({ kind: 'endless' });
    const start = async (some: Core) => (await some.ai.ask({ prepared: (await some.ai.prepare(request())).prepared, seen: true })).run;
    const run = await start(core);
    expect((await core.ai.next({ run, from: 0 })).text).not.toBe('');
    expect(core.ai.cancel(run)).toEqual({ kind: 'cancelled' });
    expect(await server.requests.at(-1)!.gone).toBe(true);
    expect(core.ai.cancel(run)).toEqual({ kind: 'gone' });
    await expect(core.ai.next({ run, from: 0 })).rejects.toThrow(code('ai-gone'));

    const other = await begin();
    server.behave({ kind: 'silent' });
    const host = createHost(await openCore({ folder: other.place.folder, env: environment(other.place.home) }), { follows: false });
    const { prepared } = await host.handlers['ai/prepare'](request());
    const started = await host.handlers['ai/ask']({ prepared, seen: true });
    const waiting = host.handlers['ai/next']({ run: started.run, from: 0 });
    await expect.poll(() => server.requests.at(-1)!.body.includes('Say it better')).toBe(true);
    await host.close();
    expect(await waiting).toMatchObject({ done: true, fault: { code: 'ai-gone' } });
    expect(await server.requests.at(-1)!.gone).toBe(true);
  });

  it('is ended when the window that asked is gone, also where it went before the request was out', async () => {
    const { core } = await begin();
    server.behave({ kind: 'silent' });
    const { handlers, events } = createHost(core, { follows: false });
    const [page, served] = createMemoryPorts();
    serve(served, { handlers, events });
    const { call } = connect(page);
    const before = server.requests.length;
    const { run } = await call('ai/ask', { prepared: (await call('ai/prepare', request())).prepared, seen: true });
    const waiting = call('ai/next', { run, from: 0 });
    await expect.poll(() => server.requests.length).toBe(before + 1);
    page.close();
    await expect(waiting).rejects.toThrow(code('core-restarted'));
    expect(await server.requests.at(-1)!.gone).toBe(true);
    await expect(core.ai.next({ run, from: 0 })).rejects.toThrow(code('ai-gone'));

    const { prepared } = await core.ai.prepare(request());
    const late = await handlers['ai/ask']({ prepared, seen: true }, { onGone: (tell) => tell() });
    await expect(core.ai.next({ run: late.run, from: 0 })).rejects.toThrow(code('ai-gone'));
  });

  it('fails with a sentence and leaves no trace', async () => {
    const { core } = await begin();
    server.behave({ kind: 'refuse', status: 401, message: canary });
    const { prepared } = await core.ai.prepare(request());
    const state = await wholeAnswer(core, (await core.ai.ask({ prepared, seen: true })).run);
    expect(state).toMatchObject({ done: true, fault: { code: 'ai-key-refused', detail: { provider: 'Anthropic' } } });
    await expect(core.ai.next({ run: nobody, from: 0 })).rejects.toThrow(code('ai-gone'));
  });
});

describe('a key', () => {
  it('is kept in one file that is for this user only, and is told to nobody', async () => {
    const { place, core } = await begin();
    const { prepared } = await core.ai.prepare(request({ reads: ['bible/mira.md'] }));
    const told = [prepared, await core.ai.providers(), await core.ai.ask({ prepared, seen: true }), core.settings(), core.ai.genies()];
    expect(JSON.stringify(told)).not.toContain(canary);
    expect(filesWith(place, canary)).toEqual(['secrets.json']);
    if (process.platform !== 'win32') expect(statSync(join(place.home, 'secrets.json')).mode & 0o777).toBe(0o600);
    const states = await core.ai.keepKey({ provider: 'anthropic', key: null });
    expect(states.providers.find(({ id }) => id === 'anthropic')).toMatchObject({ key: null, lacks: 'key' });
    expect(filesWith(place, canary)).toEqual([]);
  });

  it('may come from the environment, where the writer gave none', async () => {
    const { place } = await begin({ key: false });
    const env = { ...environment(place.home), ANTHROPIC_API_KEY: ` ${canary} `, GEMINI_API_KEY: '' };
    const core = await openCore({ folder: place.folder, env });
    const state = async () => (await core.ai.providers()).providers.filter(({ id }) => id === 'anthropic' || id === 'google');
    expect(await state()).toMatchObject([
      { key: 'environment', lacks: null },
      { key: null, lacks: 'key' },
    ]);
    const { prepared } = await core.ai.prepare(request());
    await wholeAnswer(core, (await core.ai.ask({ prepared, seen: true })).run);
    expect(server.requests.at(-1)!.headers['x-api-key']).toBe(canary);
    await core.ai.keepKey({ provider: 'anthropic', key: 'the-writers-own' });
    expect(await state()).toMatchObject([{ key: 'kept' }, {}]);
    await core.close();
  });

  it('file that others may read is closed again; one that cannot be read is left alone and not quoted', async (context) => {
    context.skip(process.platform === 'win32', 'this system knows no modes of files');
    const { place } = await begin();
    const file = join(place.home, 'secrets.json');
    const store = createSecretFile(realDisk, place.home);
    realDisk.chmodSync(file, 0o644);
    expect(await store.get('ai.anthropic')).toBe(canary);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const torn = `{"ai.anthropic": "${canary}`;
    realDisk.writeSync(realDisk.openSync(file, 'w'), Buffer.from(torn));
    await expect(store.set('ai.openai', 'x')).rejects.toThrow(code('settings-unreadable'));
    await expect(store.get('ai.anthropic')).rejects.not.toThrow(canary);
    expect(readFileSync(file, 'utf8')).toBe(torn);
  });
});

describe('looking for what is on this machine', () => {
  it('finds Ollama on loopback and no other, and is done only when asked', async () => {
    const { core } = await begin();
    const before = server.requests.length;
    core.writeSetting('ai.ollama.address', `${server.origin}/v1`);
    await core.ai.providers();
    expect(server.requests.length).toBe(before);
    expect((await core.ai.find()).ollama).toEqual({ models: ['llama-of-here'] });
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/api/tags']);
    for (const address of ['http://ollama.example:11434', 'https://127.0.0.1:1', 'file:///etc/passwd', 'nonsense']) {
      core.writeSetting('ai.ollama.address', address);
      expect((await core.ai.find()).ollama).toBeNull();
    }
  });
});
