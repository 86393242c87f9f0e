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

async function ask(id: ProviderId, env: Record<string, string>, signal = new AbortController().signal, model = 'a-model') {
  const heard = { text: '', model: '', fault: null as Fault | null };
  const choice = choiceOf({ [`ai.${id}.model`]: model }, providers[id]);
  const asked = { choice, key: null, prompt: { system: 'Be brief.', prompt: nasty }, signal, patience: { ...usualPatience, length: 1000 } };
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
      expect(argv).toContain('a-model');
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

  it('that does not end is ended with all that it started', async () => {
    const child = join(createFolder('child'), 'pid');
    const { env } = install(
      'codex',
      `const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
writeFileSync(${JSON.stringify(child)}, String(child.pid));
process.stdout.write('x'.repeat(5000));
setInterval(() => {}, 1000);`,
    );
    expect((await ask('codex', env)).fault).toMatchObject({ code: 'ai-endless' });
    const pid = Number(readFileSync(child, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is cancelled at once', async () => {
    const { env } = install('gemini', 'setInterval(() => {}, 1000);');
    const ending = new AbortController();
    const asking = ask('gemini', env, ending.signal);
    setImmediate(() => ending.abort());
    expect((await asking).fault).toMatchObject({ name: 'AbortError' });
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
