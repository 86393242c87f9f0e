import { join, resolve } from 'node:path';
import { workspaceKey } from '#core/home';
import type { MirrorSource } from '#core/mirrors/mirror';
import { isTokenName, remoteOf } from '#core/mirrors/remote';
import { type Disk, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import { realFolder } from '#core/workspace/place';
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
  const bytes = listBytes(disk, join(vmark, 'repositories.json'), path);
  if (bytes === null) return [];
  const list = listIn(bytes);
  const repositories = list?.map(repositoryOf) ?? [null];
  if (repositories.some((repository) => repository === null)) throw new Fault('repositories-unreadable', { path });
  return repositories.filter((repository) => repository !== null);
}

function listBytes(disk: Disk, file: string, path: string): Buffer | null {
  try {
    return readIfThere(disk, file);
  } catch (error) {
    throw faultFromSystem(error, path);
  }
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
  const isGood = ref === undefined || ref === null || (text(ref) !== null && isRef(ref as string));
  return isGood ? { name: text(name)!, path: text(path), url: text(url), ref: text(ref), tokenEnv: text(token_env) } : null;
}

/** Whether git could take a text for a ref and for nothing else: one that begins with a dash would be an option. */
export const isRef = (ref: string): boolean => ref.length <= 1000 && !/^[-+]|[\p{Cc}\s~^:?*[\\]|\.\.|@\{/u.test(ref);

/** The repository of a name; `repository-unknown` where the workspace links none. */
export function repositoryNamed(workspace: Workspace, name: string): LinkedRepository {
  const all = linkedRepositories(workspace);
  const found = all.find((repository) => repository.name === name);
  if (found === undefined) throw new Fault('repository-unknown', { name, candidates: all.map((other) => other.name).join(', ') });
  return found;
}

/** The folder of a local repository, its real path; `folder-missing` where it is not there, `not-a-folder` where a file is. */
export const localFolder = ({ disk, root }: Workspace, { path }: LinkedRepository): string => realFolder(disk, resolve(root, path ?? '.'));

/** What is mirrored of a repository elsewhere; null for a local one. `repository-url`, `token-name`: it may not be. */
export function mirrorSource({ name, url, ref, tokenEnv }: LinkedRepository): MirrorSource | null {
  if (url === null) return null;
  const remote = remoteOf(url);
  if (remote === null) throw new Fault('repository-url', { name, url });
  if (tokenEnv !== null && !isTokenName(tokenEnv)) throw new Fault('token-name', { name, variable: tokenEnv });
  return { remote, ref };
}

/** Puts a repository on the list, or one of the same name in its place; the file is made with the first. */
export function keepRepository(workspace: Workspace, repository: LinkedRepository): void {
  const others = linkedRepositories(workspace).filter(({ name }) => name !== repository.name);
  writeList(workspace, [...others, repository]);
}

/** Takes a repository off the list. Anchors to it stay, and cannot be checked. */
export function dropRepository(workspace: Workspace, name: string): void {
  writeList(
    workspace,
    linkedRepositories(workspace).filter((repository) => repository.name !== name),
  );
}

function writeList({ disk, vmark, chance }: Workspace, all: readonly LinkedRepository[]): void {
  const file = join(vmark, 'repositories.json');
  const repositories = all.map(({ name, path, url, ref, tokenEnv }) => ({
    name,
    ...(url === null ? { path } : { url }),
    ...(ref === null ? {} : { ref }),
    ...(tokenEnv === null ? {} : { token_env: tokenEnv }),
  }));
  try {
    makeFolder(disk, vmark);
    const bytes = Buffer.from(`${JSON.stringify({ repositories }, null, 2)}\n`);
    writeAtomic(disk, file, bytes, `${file}.${chance.newId(chance.now())}.new`);
  } catch (error) {
    throw faultFromSystem(error, '.vmark/repositories.json');
  }
}

const confirmedFile = ({ home, root }: Workspace) => join(home.folder, 'repositories', `${workspaceKey(root)}.json`);

/** What a person says yes to: under a name, a folder of this machine or the origin of an address with the variable that holds a token. */
export interface Permission {
  readonly name: string;
  /** The real path of a folder, or an origin. */
  readonly place: string;
  readonly tokenEnv: string | null;
}

/** The permission that a linked repository needs. */
export function permissionFor(workspace: Workspace, repository: LinkedRepository): Permission {
  const { name, tokenEnv } = repository;
  const source = mirrorSource(repository);
  if (source !== null) return { name, place: source.remote.origin, tokenEnv };
  return { name, place: localFolder(workspace, repository), tokenEnv: null };
}

const keyOf = ({ name, place, tokenEnv }: Permission) => JSON.stringify([name, place, tokenEnv]);

/** Whether a person has given it on this machine. */
export function isConfirmed(workspace: Workspace, permission: Permission): boolean {
  return confirmedKeys(workspace).includes(keyOf(permission));
}

/** Keeps in the app data that a person has given it. */
export function confirm(workspace: Workspace, permission: Permission): void {
  const { disk, chance } = workspace;
  const file = confirmedFile(workspace);
  const keys = [...new Set([...confirmedKeys(workspace), keyOf(permission)])];
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
