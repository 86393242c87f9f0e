import { join, resolve } from 'node:path';
import { workspaceKey } from '#core/home';
import { makeFolder, readIfThere, writeAtomic } from '#core/storage/disk';
import type { Workspace } from '#core/workspace/workspace';
import { Fault, faultFromSystem } from '#protocol';

/** A repository that a workspace names in `.vmark/repositories.json`. The folder travels, so its word alone opens nothing. */
export interface LinkedRepository {
  readonly name: string;
  /** A folder of this machine, absolute or from the workspace; null for a repository elsewhere. */
  readonly path: string | null;
  readonly url: string | null;
  /** A branch, tag or commit to read; null reads the folder as it is on disk. */
  readonly ref: string | null;
  readonly tokenEnv: string | null;
}

/** The linked repositories of a workspace, in the order of the file. */
export function linkedRepositories({ disk, vmark }: Workspace): LinkedRepository[] {
  const path = '.vmark/repositories.json';
  const bytes = readIfThere(disk, join(vmark, 'repositories.json'));
  if (bytes === null) return [];
  const list = listIn(bytes);
  const repositories = list?.map(repositoryOf) ?? [null];
  if (repositories.some((repository) => repository === null)) throw new Fault('repositories-unreadable', { path });
  return repositories.filter((repository) => repository !== null);
}

function listIn(bytes: Buffer): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (Array.isArray(value)) return value;
    const { repositories } = value as { repositories?: unknown };
    return Array.isArray(repositories) ? repositories : null;
  } catch {
    return null;
  }
}

function repositoryOf(value: unknown): LinkedRepository | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, path, url, ref, token_env } = value as Record<string, unknown>;
  const text = (field: unknown) => (typeof field === 'string' && field !== '' && !field.includes('\0') ? field : null);
  const isOne = (text(path) === null) !== (text(url) === null);
  if (text(name) === null || !isOne) return null;
  // A ref that begins with a dash would be an option of git.
  const isRef = ref === undefined || ref === null || (text(ref) !== null && !/^-|[\s~^:?*[\\]|\.\./u.test(ref as string));
  return isRef ? { name: text(name)!, path: text(path), url: text(url), ref: text(ref), tokenEnv: text(token_env) } : null;
}

/** The repository of a name; `repository-unknown` where the workspace links none. */
export function repositoryNamed(workspace: Workspace, name: string): LinkedRepository {
  const all = linkedRepositories(workspace);
  const found = all.find((repository) => repository.name === name);
  if (found === undefined) throw new Fault('repository-unknown', { name, candidates: all.map((other) => other.name).join(', ') });
  return found;
}

/** The folder of a local repository, its real path; `folder-missing` where it is not there. */
export function localFolder({ disk, root }: Workspace, { path }: LinkedRepository): string {
  const folder = resolve(root, path ?? '.');
  try {
    return disk.realpathSync(folder);
  } catch (error) {
    throw faultFromSystem(error, folder, 'folder');
  }
}

const confirmedFile = ({ home, root }: Workspace) => join(home.folder, 'repositories', `${workspaceKey(root)}.json`);
const keyOf = (name: string, folder: string) => JSON.stringify([name, folder, null]);

/** Whether a person has said on this machine that a local folder may be read under this name. */
export function isConfirmed(workspace: Workspace, name: string, folder: string): boolean {
  return confirmedKeys(workspace).includes(keyOf(name, folder));
}

/** Keeps in the app data that a person has said so. */
export function confirmFolder(workspace: Workspace, name: string, folder: string): void {
  const { disk, chance } = workspace;
  const file = confirmedFile(workspace);
  const keys = [...new Set([...confirmedKeys(workspace), keyOf(name, folder)])];
  try {
    makeFolder(disk, join(file, '..'));
    writeAtomic(disk, file, Buffer.from(`${JSON.stringify(keys, null, 2)}\n`), `${file}.${chance.newId(chance.now())}.new`);
  } catch (error) {
    throw faultFromSystem(error, file);
  }
}

function confirmedKeys(workspace: Workspace): string[] {
  const bytes = readIfThere(workspace.disk, confirmedFile(workspace));
  try {
    const keys: unknown = JSON.parse(bytes?.toString('utf8') ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    // Nothing that can be read was confirmed: the person is asked again.
    return [];
  }
}
