import { devNull } from 'node:os';
import type { Readable } from 'node:stream';
import { apart, harmless, withoutGit } from '#core/git/program';
import type { Remote } from '#core/mirrors/remote';

/** What a fetch needs to know; `token` null: the repository is asked without. */
export interface FetchRequest {
  /** The bare repository that takes it in. */
  readonly folder: string;
  readonly remote: Remote;
  /** What is fetched of it, as git names it, and the ref it is kept under. */
  readonly from: string;
  readonly to: string;
  readonly token: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Hears each line that git says of its progress. */
  said(line: string): void;
}

/** How a git that spoke to another machine ended; `complaint` is what it said last, and never shown. */
export type Fetched = { readonly kind: 'done' | 'stopped' | 'no-git' } | { readonly kind: 'failed'; readonly complaint: string };

/**
 * Fetches one ref into a bare repository. Git runs nothing, asks nobody, follows no redirect, speaks `https` only and knows no
 * settings but these; the token stands in its environment, for the origin of the repository alone.
 */
export async function fetchInto({ folder, remote, from, to, token, env, signal, said }: FetchRequest): Promise<Fetched> {
  const words = ['fetch', '--progress', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--no-auto-maintenance'];
  const { execa } = await import('execa');
  const running = execa('git', [...settings, '-C', folder, ...words, '--', remote.url, `+${from}:${to}`], {
    ...quiet,
    env: fetchEnvironment(env, remote, token),
    stderr: 'pipe',
    buffer: false,
    // A group of its own: git's helper for https goes on alone, and holds the pipe, when only git is stopped.
    detached: process.platform !== 'win32',
  });
  const stop = () => end(running);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const complaints = hear(running.stderr, said);
  const result = await running;
  signal.removeEventListener('abort', stop);
  if (signal.aborted) return { kind: 'stopped' };
  if (result.exitCode === undefined && result.cause !== undefined) return { kind: 'no-git' };
  return result.failed ? { kind: 'failed', complaint: complaints.join('\n') } : { kind: 'done' };
}

function end(running: { readonly pid?: number | undefined; readonly stderr: Readable; kill(): boolean }): void {
  try {
    if (process.platform === 'win32' || running.pid === undefined) running.kill();
    else process.kill(-running.pid);
  } catch {
    // It has ended by itself.
  }
  running.stderr.destroy();
}

/** Git draws its progress over itself, by carriage returns; all other lines are complaints, of which the last are kept. */
function hear(stream: Readable, said: (line: string) => void): readonly string[] {
  const complaints: string[] = [];
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split(/[\r\n]/u);
    rest = lines.pop()!.slice(-longestLine);
    for (const line of lines) {
      if (/^(?:remote: )?[A-Z][a-z]+ [a-z]+: /u.test(line)) said(line);
      else if (complaints.push(line.slice(0, longestLine)) > 50) complaints.shift();
    }
  });
  return complaints;
}

const longestLine = 2_000;

const quiet = { ...apart, stdin: 'ignore', stdout: 'ignore' } as const;

/** Makes a bare repository without templates, where there is none yet. */
export async function initBare(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const words = ['-c', 'init.defaultBranch=main', 'init', '--quiet', '--bare', '--template=', '--', folder];
  const { execa } = await import('execa');
  const result = await execa('git', [...settings, ...words], { ...quiet, env: closedEnvironment(env), stderr: 'ignore' });
  return !result.failed;
}

const settings = [
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['transfer.bundleURI', 'false'],
  ['fetch.uriProtocols', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
]
  .flatMap(([name, value]) => ['-c', `${name}=${value}`])
  .concat(harmless);

function closedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GIT_SSL_CAINFO, GIT_SSL_CAPATH } = env;
  return {
    ...withoutGit(env),
    ...(GIT_SSL_CAINFO === undefined ? {} : { GIT_SSL_CAINFO }),
    ...(GIT_SSL_CAPATH === undefined ? {} : { GIT_SSL_CAPATH }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  };
}

function fetchEnvironment(env: NodeJS.ProcessEnv, { origin }: Remote, token: string | null): NodeJS.ProcessEnv {
  if (token === null) return closedEnvironment(env);
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    ...closedEnvironment(env),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
  };
}
