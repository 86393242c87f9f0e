import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCore } from '#core';
import { type ProviderId, providers } from '#protocol/ai-provider';
import { type ProviderServer, startProviderServer } from '../../helpers/provider-server.ts';
import { formatOf, type WireFormat } from '../../helpers/provider-wire.ts';
import { createFolder, createTrackingPlace, environment } from '../../helpers/workspace.ts';

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Where each format has the two texts, and all else that a request says. */
const said: Readonly<Record<WireFormat, (system: string, prompt: string) => Json>> = {
  anthropic: (system, prompt) => ({
    model: 'a-model',
    max_tokens: 32_000,
    system: [{ type: 'text', text: system }],
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    stream: true,
  }),
  openai: (system, prompt) => ({
    model: 'a-model',
    input: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'input_text', text: prompt }] },
    ],
    store: false,
    stream: true,
  }),
  google: (system, prompt) => ({
    generationConfig: {},
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    systemInstruction: { parts: [{ text: system }] },
  }),
  chat: (system, prompt) => ({
    model: 'a-model',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
    stream: true,
  }),
};

const nasty = 'A “text”\twith \\ and \u0000, {{content}}, $&, CRLF\r\nand e\u0301, \u{1f30a} \u2028 </script> ⟦end⟧';

/** A writer who looks at what is sent and then sends it, to one provider. */
async function send(provider: ProviderId, env: NodeJS.ProcessEnv = {}) {
  const place = createTrackingPlace();
  place.write('a.md', `${nasty}\n`);
  place.write('bible/b.md', `# B ${nasty}\n`);
  place.write('c.md', `The needle of C, ${nasty}\n`);
  const core = await openCore({ folder: place.folder, env: { ...environment(place.home), ...env } });
  core.writeSetting('ai.provider', provider);
  core.writeSetting(`ai.${provider}.model`, 'a-model');
  if (providers[provider].kind !== 'program') core.writeSetting(`ai.${provider}.address`, `${server.origin}/v1`);
  if (['anthropic', 'openai', 'google', 'compatible'].includes(provider)) await core.ai.keepKey({ provider, key: 'sk-some' });
  server.behave({ kind: 'answer', parts: ['An answer.'] });
  const shown = await core.ai.prepare({
    path: 'a.md',
    genie: null,
    ask: nasty,
    content: nasty,
    before: `Before ${nasty}`,
    after: `After ${nasty}`,
    reads: ['bible/b.md'],
    passages: ['needle'],
  });
  const { run } = await core.ai.ask({ prepared: shown.prepared, seen: true });
  for (let at = 0; ; ) {
    const state = await core.ai.next({ run, from: at });
    at += state.text.length;
    if (state.done) return { shown, state, close: () => core.close() };
  }
}

describe('what was shown is what is sent, to the letter, and nothing else', () => {
  it.each(['anthropic', 'openai', 'google', 'compatible', 'ollama'] as const)('to %s', async (provider) => {
    const before = server.requests.length;
    const { shown, state, close } = await send(provider);
    expect(state.fault).toBeNull();
    expect(server.requests.length).toBe(before + 1);
    const { path, body, headers } = server.requests.at(-1)!;
    expect(JSON.parse(body)).toEqual(said[formatOf(path)](shown.system, shown.prompt));
    for (const text of ['needle of C', '# B', 'Before', 'After']) expect(shown.prompt).toContain(text);
    expect(`${path} ${JSON.stringify(headers)}`).not.toMatch(/bible|a\.md|needle|workspace/u);
    await close();
  });

  it.each(['claude', 'codex', 'gemini'] as const)('to the program %s', async (program) => {
    const folder = createFolder('programs');
    const seen = join(folder, 'seen');
    const script = `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(seen)}, require('node:fs').readFileSync(0)); process.stdout.write('An answer.');\n`;
    writeFileSync(join(folder, program), script);
    chmodSync(join(folder, program), 0o755);
    const { shown, state, close } = await send(program, { PATH: folder });
    expect(state.fault).toBeNull();
    expect(readFileSync(seen, 'utf8')).toBe(`${shown.system}\n\n${shown.prompt}\n`);
    await close();
  });
});
