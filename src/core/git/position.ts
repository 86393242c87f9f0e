import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GitProgram, textOf } from '#core/git/program';
import { markOf, type ReflogMark } from '#core/git/reflog';

/** Where HEAD of one worktree stood: plain data, kept in `positionFile()`. */
export interface GitPosition {
  /** Commit; null on a branch without commits. */
  readonly head: string | null;
  /** Full name of the branch; null when HEAD is detached. */
  readonly ref: string | null;
  /** Newest stash; null when there is none. */
  readonly stash: string | null;
  /** How far HEAD's reflog went; null when there was none. */
  readonly reflog: ReflogMark | null;
}

/** The files that move with HEAD, as git itself names them for this worktree. */
export interface HeadFiles {
  readonly head: string;
  readonly log: string;
  readonly stash: string;
  readonly packedRefs: string;
  readonly refTables: string;
}

/** A position and the whole reflog that it was read with, one character a byte. */
export interface HeadMoment {
  readonly position: GitPosition;
  readonly log: string;
}

/** Equal stamps: HEAD, its branch and the stash have not moved. Different ones: perhaps. Starts no process, never fails. */
export function headStamp(files: HeadFiles): string {
  const common = dirname(files.packedRefs);
  const head = readHead(files.head);
  const branch = head.startsWith('ref: ') ? join(common, head.slice(5)) : null;
  const watched = [files.head, files.log, files.stash, files.packedRefs, files.refTables, join(common, 'reftable', 'tables.list')];
  return [head, ...watched.map(stampOf), branch === null ? '' : stampOf(branch)].join(' ');
}

/** Reads position and reflog of one moment; null when git does not answer or HEAD never rests. */
export async function readMoment(git: GitProgram, files: HeadFiles): Promise<HeadMoment | null> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const stamp = headStamp(files);
    const moment = await readOnce(git, files);
    if (headStamp(files) === stamp) return moment;
  }
  return null;
}

async function readOnce(git: GitProgram, files: HeadFiles): Promise<HeadMoment | null> {
  const [names, symbolic, log] = await Promise.all([
    textOf(git(['cat-file', '--batch-check=%(objectname)'], 'HEAD\nrefs/stash\n')),
    textOf(git(['rev-parse', '--symbolic-full-name', 'HEAD'])),
    readFile(files.log, 'latin1').catch(() => null),
  ]);
  if (names === null) return null;
  const [head = null, stash = null] = names.split('\n').map(toCommit);
  if (head !== null && symbolic === null) return null;
  // A branch without commits is no name that git resolves; only HEAD itself tells which it is.
  const name = head === null ? readHead(files.head).replace(/^ref: /, '') : symbolic!.slice(0, -1);
  const ref = name.startsWith('refs/') ? name : null;
  return { position: { head, ref, stash, reflog: log === null ? null : markOf(log) }, log: log ?? '' };
}

const toCommit = (line: string) => (/^[0-9a-f]{40,64}$/.test(line) ? line : null);

function readHead(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch {
    return '';
  }
}

function stampOf(file: string): string {
  try {
    const stat = statSync(file, { bigint: true });
    return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  } catch {
    return '-';
  }
}
