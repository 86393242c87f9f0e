import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isDocumentPath } from '#core/document';
import { type Disk, readIfThere } from '#core/storage/disk';

/** A finding that the writer should hear of: a stable code, a sentence, and the path it is about. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
}

/** What a walk saw: document paths (sorted, with `/`), findings, and whether every folder could be read. */
export interface Walk {
  readonly paths: readonly string[];
  readonly findings: readonly Finding[];
  readonly complete: boolean;
}

/** Folders that are never walked, in any depth. */
export const skipped: ReadonlySet<string> = new Set(['.git', '.vmark', 'node_modules']);

/** The `.gitignore` of one folder; `base` is that folder with a `/`, or empty. */
export interface Rules {
  readonly base: string;
  readonly rules: Ignore;
}

/**
 * Finds the documents of a workspace. Not walked: what `.gitignore` names, other workspaces (`.vmark/`), linked git
 * worktrees, folders with a `CACHEDIR.TAG`, and a folder whose `.gitignore` cannot be read; links are never followed.
 */
export function walkDocuments(disk: Disk, root: string): Walk {
  const paths: string[] = [];
  const findings: Finding[] = [];
  let complete = true;
  const visit = (folder: string, outer: readonly Rules[]): void => {
    const entries = list(folder);
    if (entries === null || (folder !== '' && isBorder(disk, root, folder, entries))) return;
    const rules = withRules(disk, root, folder, entries, outer);
    if (rules === null) {
      unruled(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
      return;
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name.toLowerCase()) && !isIgnored(rules, `${path}/`)) visit(path, rules);
      } else if (entry.isFile()) {
        if (!isDocumentPath(entry.name) || !isNameable(entry.name) || isIgnored(rules, path)) continue;
        if (isGarbled(disk, root, path)) findings.push({ code: 'unreadable', message: `the name of ${path} is not UTF-8`, path });
        else paths.push(path);
      } else if (entry.isSymbolicLink() && isDocumentPath(entry.name) && !isIgnored(rules, path)) {
        findings.push({ code: 'symlink-skipped', message: `${path} is a link; Stemma does not follow it`, path });
      }
    }
  };
  const list = (folder: string) => {
    try {
      return disk.readdirSync(join(root, folder), { withFileTypes: true });
    } catch {
      complete = false;
      findings.push({ code: 'unreadable-dir', message: `the folder ${folder || '.'} could not be read`, path: folder });
      return null;
    }
  };
  const unruled = (path: string) => {
    complete = false;
    findings.push({ code: 'unreadable', message: `${path} could not be read: only tracked documents beside it are looked at`, path });
  };
  visit('', []);
  return { paths: paths.sort(), findings, complete };
}

/** A name with a newline cannot be shown or written safely; such a file is left alone. */
export const isNameable = (name: string) => !/[\r\n]/u.test(name);

/** A name of bytes that are no UTF-8 comes with replacement characters, and leads to no file. */
const isGarbled = (disk: Disk, root: string, path: string) => path.includes('\ufffd') && !disk.existsSync(join(root, path));

type Entries = readonly { readonly name: string; isFile(): boolean; isDirectory(): boolean }[];

/** Whether a folder is none of this workspace's business: another workspace, a linked worktree of git, a cache. */
export function isBorder(disk: Disk, root: string, folder: string, entries: Entries): boolean {
  return entries.some((entry) => {
    if (entry.name === '.vmark') return entry.isDirectory();
    if (entry.name === 'CACHEDIR.TAG') return entry.isFile();
    return entry.name === '.git' && entry.isFile() && isWorktreeLink(disk, join(root, folder, '.git'));
  });
}

/** The `.git` file of a linked worktree points into `worktrees/`; that of a submodule into `modules/`. */
function isWorktreeLink(disk: Disk, path: string): boolean {
  try {
    return /^gitdir:.*[\\/]worktrees[\\/]/u.test((disk.readFileSync(path) as Buffer).toString('utf8'));
  } catch {
    return false;
  }
}

/** The rules that hold in a folder: those from outside, and its own; null where those cannot be read. */
export function withRules(disk: Disk, root: string, folder: string, entries: Entries, outer: readonly Rules[]): readonly Rules[] | null {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return outer;
  let text: string;
  try {
    text = readIfThere(disk, join(root, folder, '.gitignore'))?.toString('utf8') ?? '';
  } catch {
    return null;
  }
  return [...outer, { base: folder === '' ? '' : `${folder}/`, rules: ignore({ allowRelativePaths: true }).add(text) }];
}

/** Of all rules on the way down the nearest that says anything decides, as in git. */
export function isIgnored(rules: readonly Rules[], path: string): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { base, rules: own } = rules[i]!;
    const verdict = own.test(path.slice(base.length));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
