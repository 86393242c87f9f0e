import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A real git repository in a temporary folder, which goes when the test ends. */
export interface Repository {
  /** The worktree, real path. */
  readonly folder: string;
  /** Runs git in the worktree and answers what it printed; throws when git does. */
  git(...args: string[]): string;
  /** Runs git where it is meant to stop (a conflict); throws when it does not. */
  gitStops(...args: string[]): void;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Commits all that is in the worktree; `options` go to git. */
  commit(message: string, ...options: string[]): string;
  /** The same repository seen from another worktree. */
  at(folder: string): Repository;
}

/** Git on its own: no settings of this machine, nobody asked, nothing inherited. */
export const gitEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

/** An empty temporary folder, real path, which goes when the test ends. */
export function createFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'stemma-git-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a repository on branch main in a new folder; `options` go to `git init`. */
export function createRepository(...options: string[]): Repository {
  const repository = repositoryAt(createFolder());
  repository.git('init', '--quiet', '--initial-branch=main', ...options);
  return signed(repository);
}

/** Clones a repository into a new folder; `options` go to `git clone`. */
export function cloneRepository(origin: Repository, ...options: string[]): Repository {
  const clone = repositoryAt(createFolder());
  clone.git('clone', '--quiet', ...options, origin.folder, '.');
  return signed(clone);
}

function signed(repository: Repository): Repository {
  repository.git('config', 'user.name', 'Ana Writer');
  repository.git('config', 'user.email', 'ana@example.org');
  return repository;
}

/** The repository of a worktree that is there already. */
export function repositoryAt(folder: string): Repository {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: gitEnvironment, encoding: 'utf8', stdio: 'pipe' });
  return {
    folder,
    git,
    gitStops(...args) {
      try {
        git(...args);
      } catch {
        return;
      }
      throw new Error(`git ${args.join(' ')} did not stop.`);
    },
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    commit(message, ...options) {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message, ...options);
      return git('rev-parse', 'HEAD').trim();
    },
    at: repositoryAt,
  };
}
