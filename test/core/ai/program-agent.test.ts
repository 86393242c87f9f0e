import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { usualPatience } from '#core/ai/answering';
import { choiceOf } from '#core/ai/choice';
import { answerOfProgram, findProgram } from '#core/ai/program-agent';
import type { Fault } from '#protocol';
import { type ProviderId, providers } from '#protocol/ai-provider';
import { createFolder } from '../../helpers/workspace.ts';

const canary = 'sk-canary-0123456789abcdef';

/** A program that writes down how it was called, and then does as it is told by `does`. */
function install(id: ProviderId, does: string) {
  const folder = createFolder('programs');
  const seen = join(folder, 'seen.json');
  const path = join(folder, id);
  const script = `#!${process.execPath}
const { writeFileSync, readdirSync, readFileSync } = require('node:fs');
const stdin = readFileSync(0, 'utf8');
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ argv: process.argv.slice(2), stdin, cwd: process.cwd(), files: readdirSync('.'), env: process.env }));
${does}
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  const env = {
    PATH: `relative:${folder}:/usr/bin`,
    HOME: '/home/somebody',
    LANG: 'es_ES.UTF-8',
    ANTHROPIC_API_KEY: canary,
    NODE_OPTIONS: '--no-warnings',
  };
  return { env, path, seen: () => JSON.parse(readFileSync(seen, 'utf8')) as Record<string, unknown> };
}

const nasty = '$(touch pwned) `id` "; rm -rf . #\n--help\n海';

interface Asking {
  readonly signal?: AbortSignal;
  readonly model?: string;
  readonly silence?: number;
}

async function ask(id: ProviderId, env: Record<string, string>, { signal = new AbortController().signal, ...other }: Asking = {}) {
  const heard = { text: '', model: '', fault: null as Fault | null };
  const choice = choiceOf({ [`ai.${id}.model`]: other.model ?? 'a-model' }, providers[id]);
  const patience = { ...usualPatience, length: 1000, silence: other.silence ?? usualPatience.silence };
  const asked = { choice, key: null, prompt: { system: 'Be brief.', prompt: nasty }, signal, patience };
  await answerOfProgram(asked, env, {
    text: (part) => {
      heard.text += part;
    },
    waits: () => {},
    model: (name) => {
      heard.model = name;
    },
  }).catch((error: Fault) => {
    heard.fault = error;
  });
  return heard;
}

describe('an installed program', () => {
  beforeEach((context) => context.skip(process.platform === 'win32', 'this system starts programs of another kind'));

  it.each(['claude', 'codex', 'gemini'] as const)(
    '%s gets its prompt on its input, an empty folder and no more of the environment than it needs',
    async (id) => {
      const { env, seen } = install(id, `process.stdout.write('An \\u001b[1manswer\\u001b[0m.');`);
      expect(await ask(id, env)).toEqual({ text: 'An answer.', model: 'a-model', fault: null });
      const { argv, stdin, cwd, files, env: given } = seen();
      expect(stdin).toBe(`Be brief.\n\n${nasty}\n`);
      expect(argv).toContain('--model=a-model');
      expect(JSON.stringify(argv)).not.toContain('pwned');
      expect(files).toEqual([]);
      expect(existsSync(cwd as string)).toBe(false);
      expect(
        Object.keys(given as object)
          .filter((name) => !name.startsWith('_'))
          .sort(),
      ).toEqual(['HOME', 'LANG', 'PATH']);
      expect(JSON.stringify(seen())).not.toContain(canary);
    },
  );

  it('that fails is quoted by its last words, and one that says nothing is said to', async () => {
    const failing = install('claude', `console.error('Loading\\nYou are not logged in'); process.exit(3);`);
    expect((await ask('claude', failing.env)).fault).toMatchObject({
      code: 'ai-program-failed',
      detail: { program: 'claude', problem: 'You are not logged in.' },
    });
    expect((await ask('claude', install('claude', '').env)).fault).toMatchObject({ code: 'ai-empty' });
    expect((await ask('claude', { PATH: createFolder('none') })).fault).toMatchObject({ code: 'ai-program-missing' });
  });

  /** Starts a program of its own that never ends, and writes down its id. */
  const forks = (file: string, does: string) => `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
writeFileSync(${JSON.stringify(file)}, String(child.pid));
${does}`;
  const hasEnded = (file: string) => expect.poll(() => existsSync(file) && isAlive(Number(readFileSync(file, 'utf8')))).toBe(false);

  it.each([
    ['prints without end', `setInterval(() => process.stdout.write('x'.repeat(5000)), 1);`, {}, { code: 'ai-endless' }],
    ['prints 100 MB', `process.stdout.write(Buffer.alloc(100_000_000, 'x'));`, {}, { code: 'ai-endless' }],
    ['says nothing', 'setInterval(() => {}, 1000);', { silence: 600 }, { code: 'ai-silent', detail: { seconds: 2 } }],
  ])('that %s is ended with all that it started', async (_, does, how, fault) => {
    const file = join(createFolder('child'), 'pid');
    expect((await ask('codex', install('codex', forks(file, does)).env, how)).fault).toMatchObject(fault);
    await hasEnded(file);
  });

  it('that leaves something running has answered all the same, and that is ended', async () => {
    const file = join(createFolder('child'), 'pid');
    const { env } = install('claude', forks(file, `process.stdout.write('An answer.', () => process.exit(0));`));
    expect(await ask('claude', env)).toMatchObject({ text: 'An answer.', fault: null });
    await hasEnded(file);
  });

  it('that prints what is no UTF-8, and parts signs, is read as far as it can be', async () => {
    const { env } = install(
      'gemini',
      `const sea = Buffer.from('海');
process.stdout.write(Buffer.concat([Buffer.from('A '), sea.subarray(0, 2)]));
setTimeout(() => process.stdout.write(Buffer.concat([sea.subarray(2), Buffer.from([0xff, 0x21])])), 50);`,
    );
    expect(await ask('gemini', env)).toMatchObject({ text: 'A 海\uFFFD!', fault: null });
  });

  it('is told no option by the name of a model', async () => {
    const { env, seen } = install('gemini', `process.stdout.write('An answer.');`);
    await ask('gemini', env, { model: '--yolo' });
    expect(seen().argv).not.toContain('--yolo');
  });

  it('is cancelled at once, with all that it started', async () => {
    const file = join(createFolder('child'), 'pid');
    const { env } = install('gemini', forks(file, `process.stdout.write('x'); setInterval(() => {}, 1000);`));
    const ending = new AbortController();
    const asking = ask('gemini', env, { signal: ending.signal });
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '').toBe(true);
    ending.abort();
    expect((await asking).fault).toMatchObject({ name: 'AbortError' });
    await hasEnded(file);
    expect((await ask('gemini', env, { signal: AbortSignal.abort() })).fault).toMatchObject({ name: 'AbortError' });
  });

  it('is looked for by absolute folders of the search path only, and never run to be found', () => {
    const { env, path, seen } = install('claude', '');
    expect(findProgram('claude', env)).toBe(path);
    expect(() => seen()).toThrow();
    const folder = createFolder('odd');
    mkdirSync(join(folder, 'claude'));
    writeFileSync(join(folder, 'codex'), '');
    expect([findProgram('claude', { PATH: folder }), findProgram('codex', { PATH: folder }), findProgram('claude', {})]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie answers as well, where nobody is there to take it.
    return !(process.platform === 'linux' && / Z /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  } catch {
    return false;
  }
}
