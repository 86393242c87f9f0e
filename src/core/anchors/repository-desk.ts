import {
  confirm,
  dropRepository,
  isConfirmed,
  isRef,
  keepRepository,
  type LinkedRepository,
  linkedRepositories,
  localFolder,
  mirrorSource,
  type Permission,
  permissionFor,
  repositoryNamed,
} from '#core/anchors/repository';
import type { Environment } from '#core/home';
import { type FetchProgress, fetchMirror, largestMirror, type MirrorPlace, type MirrorState, mirrorState } from '#core/mirrors/mirror';
import { isTokenName } from '#core/mirrors/remote';
import { policyOf, type Workspace } from '#core/workspace/workspace';
import { Fault, type FaultCode } from '#protocol';

/** A linked repository as it stands on this machine. */
export interface RepositoryStanding extends LinkedRepository {
  /** What a person has to say yes to before anything of it is read; null where that has been done. */
  readonly asks: Permission | null;
  /** What was fetched last; null for a local one, or where nothing was. */
  readonly fetched: MirrorState | null;
  /** Whether the variable that is named for its token has a value. */
  readonly hasToken: boolean;
  /** Why it cannot be used as it is written, if so. */
  readonly problem: FaultCode | null;
}

/** What can be done with the repositories that a workspace links. */
export interface RepositoryDesk {
  list(): RepositoryStanding[];
  /** Links a repository, or changes one; that says no yes to it. `no-workspace-record` where provenance is off. */
  link(repository: LinkedRepository): Promise<RepositoryStanding>;
  /** A person says that what a repository asks for is given on this machine. */
  confirm(name: string): RepositoryStanding;
  /** Fetches a repository from elsewhere, the only time that it is asked. `signal` stops that. */
  fetch(name: string, options: { signal: AbortSignal; progress(progress: FetchProgress): void }): Promise<MirrorState>;
  unlink(name: string): Promise<void>;
}

/** What a desk of repositories works with. */
export interface RepositoryParts {
  readonly env: Environment;
  /** The value of an environment variable or of the system's secret store. */
  secret(name: string): string | undefined;
  /** Runs work that changes something, under the lock. */
  change<T>(work: () => Promise<T>): Promise<T>;
}

/** The desk of the repositories that a workspace links. */
export function repositoryDesk(workspace: Workspace, { env, secret, change }: RepositoryParts): RepositoryDesk {
  const place: MirrorPlace = { disk: workspace.disk, home: workspace.home.folder, env };
  const standing = (repository: LinkedRepository) => standingOf(workspace, place, secret, repository);
  return {
    list: () => linkedRepositories(workspace).map(standing),
    async link(repository) {
      if (policyOf(workspace) === 'nothing') throw new Fault('no-workspace-record', {});
      refuseUnusable(workspace, repository);
      await change(async () => keepRepository(workspace, repository));
      return standing(repository);
    },
    confirm(name) {
      const repository = repositoryNamed(workspace, name);
      confirm(workspace, permissionFor(workspace, repository));
      return standing(repository);
    },
    async fetch(name, { signal, progress }) {
      const repository = repositoryNamed(workspace, name);
      const source = mirrorSource(repository);
      if (source === null) throw new Fault('repository-local', { name });
      refuseUnconfirmed(workspace, repository);
      const token = tokenOf(repository, secret);
      const done = await fetchMirror(place, source, { token, now: workspace.chance.now(), signal, progress });
      if (done.kind === 'failed') throw faultOf(repository, done.problem, source.remote.origin);
      return { commit: done.commit, at: done.at };
    },
    async unlink(name) {
      repositoryNamed(workspace, name);
      await change(async () => dropRepository(workspace, name));
    },
  };
}

/** Throws where nobody has said on this machine that a repository may be read. */
export function refuseUnconfirmed(workspace: Workspace, repository: LinkedRepository): void {
  const permission = permissionFor(workspace, repository);
  if (isConfirmed(workspace, permission)) return;
  const { name, place, tokenEnv } = permission;
  if (repository.url === null) throw new Fault('repository-unconfirmed', { name, path: place });
  if (tokenEnv === null) throw new Fault('repository-unconfirmed-origin', { name, origin: place });
  throw new Fault('repository-unconfirmed-token', { name, origin: place, variable: tokenEnv });
}

function standingOf(
  workspace: Workspace,
  place: MirrorPlace,
  secret: RepositoryParts['secret'],
  repository: LinkedRepository,
): RepositoryStanding {
  const { tokenEnv } = repository;
  const hasToken = tokenEnv !== null && isTokenName(tokenEnv) && Boolean(secret(tokenEnv));
  try {
    const source = mirrorSource(repository);
    const permission = permissionFor(workspace, repository);
    const asks = isConfirmed(workspace, permission) ? null : permission;
    return { ...repository, asks, fetched: source === null ? null : mirrorState(place, source), hasToken, problem: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...repository, asks: null, fetched: null, hasToken, problem: error.code };
  }
}

function refuseUnusable(workspace: Workspace, repository: LinkedRepository): void {
  const { name, path, ref, tokenEnv } = repository;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,99}$/u.test(name)) throw new Fault('repository-name', { name });
  if (ref !== null && !isRef(ref)) throw new Fault('ref-unknown', { name, ref });
  if (tokenEnv !== null && path !== null) throw new Fault('token-name', { name, variable: tokenEnv });
  if (mirrorSource(repository) === null) localFolder(workspace, repository);
}

function tokenOf({ name, tokenEnv }: LinkedRepository, secret: RepositoryParts['secret']): string | null {
  if (tokenEnv === null) return null;
  const token = secret(tokenEnv);
  if (!token) throw new Fault('token-missing', { name, variable: tokenEnv });
  // A line break would begin another header.
  if (/[\p{Cc}]/u.test(token)) throw new Fault('token-unusable', { name, variable: tokenEnv });
  return token;
}

function faultOf({ name, url, ref, tokenEnv }: LinkedRepository, problem: string, origin: string): Fault {
  switch (problem) {
    case 'refused':
      return tokenEnv === null
        ? new Fault('repository-private', { name, origin })
        : new Fault('repository-refused', { name, origin, variable: tokenEnv });
    case 'absent':
      // Who may not see a repository is often told that there is none.
      return new Fault('repository-absent', { name, url: url ?? '' });
    case 'ref-missing':
      return new Fault('ref-unknown', { name, ref: ref ?? 'HEAD' });
    case 'too-large':
      return new Fault('repository-too-large', { name, limit: largestMirror });
    case 'redirected':
      return new Fault('repository-redirected', { name, origin });
    case 'certificate':
      return new Fault('repository-certificate', { name, origin });
    case 'unreachable':
      return new Fault('repository-unreachable', { name, origin });
    case 'busy':
      return new Fault('repository-busy', { name });
    case 'disk-full':
      return new Fault('disk-full', { path: name });
    case 'stopped':
      return new Fault('fetch-stopped', { name });
    case 'no-git':
      return new Fault('git-missing', { name });
    default:
      return new Fault('fetch-failed', { name, origin });
  }
}
