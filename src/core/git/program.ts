import { devNull } from 'node:os';
import { dirname } from 'node:path';

/** What git printed, and whether it said that all went well. */
export interface GitAnswer {
  readonly isDone: boolean;
  readonly bytes: Uint8Array;
}

/** Runs one git command. Null: git is missing or took too long, so nothing is known. */
export type GitProgram = (args: readonly string[], input?: string) => Promise<GitAnswer | null>;

/** Where and how git is run. */
export interface GitProgramOptions {
  /** Replaces the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which a silent git is killed; 10,000 unless told. */
  readonly timeoutMs?: number;
}

/** A git that works on `folder`, runs nothing that the folder configures, asks nobody and takes no locks. */
export function createGitProgram(folder: string, options: GitProgramOptions = {}): GitProgram {
  const env = quietEnvironment(options.env ?? process.env);
  return async (args, input) => {
    // Loaded with the first git that is run: many programs ask for none.
    const { execa } = await import('execa');
    const running = execa('git', [...settings, '-C', folder, ...args], settingsOf(env, input));
    // A child that git leaves behind holds the pipes open, so they are closed here, whoever still writes.
    const timer = setTimeout(() => {
      running.kill('SIGKILL');
      running.stdout?.destroy();
    }, options.timeoutMs ?? 10_000);
    const result = await running;
    clearTimeout(timer);
    return result.exitCode === undefined ? null : { isDone: !result.failed, bytes: result.stdout };
  };
}

/** The output of a command that went well, as text; null otherwise. */
export async function textOf(answer: Promise<GitAnswer | null>): Promise<string | null> {
  const settled = await answer;
  return settled?.isDone ? Buffer.from(settled.bytes).toString('utf8') : null;
}

const settingsOf = (env: NodeJS.ProcessEnv, input: string | undefined) => ({
  ...apart,
  env,
  encoding: 'buffer' as const,
  stripFinalNewline: false,
  maxBuffer: Number.MAX_SAFE_INTEGER,
  stderr: 'ignore' as const,
  ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
});

/** How every git is started: with no environment but the given one, and where no opened folder can put a `git` in its way, as some systems look for programs in the current folder first. */
export const apart = { cwd: dirname(process.execPath), extendEnv: false, reject: false } as const;

/** Settings by which git runs nothing that a folder names. */
export const harmless: readonly string[] = ['-c', 'core.fsmonitor=false', '-c', `core.hooksPath=${devNull}`];

const settings = ['--no-pager', ...harmless];

// Who started us may stand in another repository (a hook sets GIT_DIR): only the folder and the machine's own settings count.
const kept = /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/;

/** An environment without what is git's own, and without the tokens that repositories elsewhere are asked with. */
export function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = Object.entries(env).filter(([name]) => !/^(?:GIT_|STEMMA_GIT_TOKEN)/u.test(name.toUpperCase()));
  return Object.fromEntries(foreign);
}

function quietEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...withoutGit(env),
    ...Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name))),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    // A partial clone fetches a missing text by itself, with the ssh command that the folder names.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    LC_ALL: 'C',
  };
}
