import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Asked, type Told, watchSilence } from '#core/ai/answering';
import { sentence } from '#core/ai/refusal';
import type { Environment } from '#core/home';
import { Fault } from '#protocol';
import type { ProviderId } from '#protocol/ai-provider';

/** How long a program may say nothing, as a multiple of what a service may: some speak only at their end. */
const slowness = 3;
/** How long the output of a program may stay open after its end, in ms: what it left running has it still. */
const afterwards = 2000;
/** How much is kept of what a program says beside its answer, in characters. */
const asideLimit = 4000;

/** What each program is told, so that it reads its prompt from its input, prints its answer and does nothing else. */
const argumentsOf: Readonly<Partial<Record<ProviderId, (model: string) => string[]>>> = {
  claude: (model) => ['--print', '--output-format', 'text', ...named('--model', model)],
  codex: (model) => ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', '--color', 'never', ...named('--model', model), '-'],
  gemini: (model) => ['--output-format', 'text', ...named('--model', model)],
};

/** As one word: a model whose name looks like an option is none. */
const named = (option: string, value: string) => (value === '' ? [] : [`${option}=${value}`]);

/** What of the environment a program gets: where it and its own login are, and the language. No key of ours or of others. */
const kept =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|XDG_(CONFIG|DATA|CACHE|STATE|RUNTIME)_(HOME|DIR)|(HTTPS?|NO|ALL)_PROXY|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|SYSTEMROOT|SYSTEMDRIVE|WINDIR|PATHEXT|COMSPEC)$/iu;

/** The environment that a program is started with. */
function programEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => kept.test(pair[0]) && pair[1] !== undefined));
}

/** Where an installed program is, by the search path; null where there is none. Nothing is run to find out. */
export function findProgram(id: ProviderId, env: Environment): string | null {
  const path = env.PATH ?? env.Path ?? '';
  // On Windows anything but an .exe could only be started through a shell.
  const name = process.platform === 'win32' ? `${id}.exe` : id;
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Asks an installed program: no shell, an empty folder, the prompt on its input. Throws as `answerOfService` does. */
export async function answerOfProgram({ choice, prompt, signal, patience }: Asked, env: Environment, told: Told): Promise<void> {
  const { id } = choice.provider;
  const path = findProgram(id, env);
  if (path === null) throw new Fault('ai-program-missing', { program: id });
  signal.throwIfAborted();
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-ask-')));
  const watch = watchSilence(patience.silence * slowness, choice.name);
  try {
    const running = start(path, argumentsOf[id]?.(choice.model) ?? [], { cwd: folder, env: programEnvironment(env) });
    const end = () => running.end();
    const ending = AbortSignal.any([signal, watch.signal]);
    ending.addEventListener('abort', end, { once: true });
    let length = 0;
    const { code, aside, problem } = await running.answer(`${prompt.system}\n\n${prompt.prompt}\n`, (part) => {
      watch.heard();
      length += part.length;
      if (length > patience.length) return running.end();
      told.text(part);
    });
    ending.removeEventListener('abort', end);
    signal.throwIfAborted();
    const silent = watch.fault();
    if (silent !== null) throw silent;
    if (length > patience.length) throw new Fault('ai-endless', { provider: choice.name, limit: patience.length });
    if (problem !== null || code !== 0) throw new Fault('ai-program-failed', { program: id, problem: problem ?? lastOf(aside, code) });
    if (length === 0) throw new Fault('ai-empty', { provider: choice.name });
    told.model(choice.model === '' ? id : choice.model);
  } finally {
    watch.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function lastOf(aside: string, code: number | null): string {
  const last = aside
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
  return sentence(last ?? (code === null ? 'SIGKILL' : `code ${code}`));
}

interface Ended {
  readonly code: number | null;
  /** The end of what it said beside its answer. */
  readonly aside: string;
  /** Why it could not be started; null: it could. */
  readonly problem: string | null;
}

// Colours and links of a terminal have no place in a text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const terminalSign = /\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\))/gu;

function start(path: string, args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const isPosix = process.platform !== 'win32';
  // A group of its own: what the program starts ends with it.
  const child = spawn(path, args, { cwd, env, shell: false, windowsHide: true, detached: isPosix, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = () => {
    try {
      if (isPosix && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    } catch {
      // All of it has ended by itself.
    }
  };
  const shut = () => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return {
    answer: (input: string, told: (part: string) => void) =>
      new Promise<Ended>((resolve) => {
        let aside = '';
        child.stdout.setEncoding('utf8').on('data', (part: string) => told(part.replaceAll(terminalSign, '')));
        child.stderr.setEncoding('utf8').on('data', (part: string) => {
          aside = (aside + part.replaceAll(terminalSign, '')).slice(-asideLimit);
        });
        child.once('error', (error) => resolve({ code: null, aside, problem: sentence(error.message) }));
        child.once('exit', () => {
          kill();
          setTimeout(shut, afterwards).unref();
        });
        child.once('close', (code) => resolve({ code, aside, problem: null }));
        // A program that reads nothing may end before it has the prompt.
        child.stdin.on('error', () => {});
        child.stdin.end(input);
      }),
    end() {
      kill();
      shut();
    },
  };
}
