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
import type { TokenPlace, TokenShelf } from '#core/anchors/token-shelf';
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
  /** Where the token is that its variable names; null: nowhere on this machine. */
  readonly token: TokenPlace | null;
  /** Why it cannot be used as it is written, if so. */
  readonly problem: FaultCode | null;
}

/** What can be done with the repositories that a workspace links. */
export interface RepositoryDesk {
  list(): Promise<RepositoryStanding[]>;
  /** Links a repository, or changes one; that says no yes to it. `no-workspace-record` where provenance is off. */
  link(repository: LinkedRepository): Promise<RepositoryStanding>;
  /** A person says that what a repository asks for is given on this machine. */
  confirm(name: string): Promise<RepositoryStanding>;
  /** Fetches a repository from elsewhere, the only time that it is asked. `signal` stops that. */
  fetch(name: string, options: { signal: AbortSignal; progress(progress: FetchProgress): void }): Promise<MirrorState>;
  unlink(name: string): Promise<void>;
  /** Whether this shell can keep tokens. */
  keepsTokens(): Promise<boolean>;
  /** Keeps the token of a repository in the secret store of the system under the name of its variable; null forgets it. */
  keepToken(name: string, token: string | null): Promise<void>;
}

/** What a desk of repositories works with. */
export interface RepositoryParts {
  readonly env: Environment;
  readonly tokens: TokenShelf;
  /** Runs work that changes something, under the lock. */
  change<T>(work: () => Promise<T>): Promise<T>;
}

/** The desk of the repositories that a workspace links. */
export function repositoryDesk(workspace: Workspace, { env, tokens, change }: RepositoryParts): RepositoryDesk {
  const place: MirrorPlace = { disk: workspace.disk, home: workspace.home.folder, env };
  const standing = (repository: LinkedRepository) => standingOf(workspace, place, tokens, repository);
  return {
    list: async () => Promise.all(linkedRepositories(workspace).map(standing)),
    async link(repository) {
      if (policyOf(workspace) === 'nothing') throw new Fault('no-workspace-record', {});
      refuseUnusable(workspace, repository);
      await change(async () => keepRepository(workspace, repository));
      return standing(repository);
    },
    async confirm(name) {
      const repository = repositoryNamed(workspace, name);
      confirm(workspace, permissionFor(workspace, repository));
      return standing(repository);
    },
    async fetch(name, { signal, progress }) {
      const repository = repositoryNamed(workspace, name);
      const source = mirrorSource(repository);
      if (source === null) throw new Fault('repository-local', { name });
      refuseUnconfirmed(workspace, repository);
      const token = await tokenOf(repository, tokens);
      const done = await fetchMirror(place, source, { token, now: workspace.chance.now(), signal, progress });
      if (done.kind === 'failed') throw faultOf(repository, done.problem, source.remote.origin);
      return { commit: done.commit, at: done.at };
    },
    async unlink(name) {
      repositoryNamed(workspace, name);
      await change(async () => dropRepository(workspace, name));
    },
    keepsTokens: tokens.canKeep,
    async keepToken(name, token) {
      const repository = repositoryNamed(workspace, name);
      const { tokenEnv: variable } = repository;
      // The name that a folder brings along says nothing before a person has said yes to it.
      refuseUnconfirmed(workspace, repository);
      if (variable === null || !isTokenName(variable)) throw new Fault('token-name', { name, variable: variable ?? '' });
      if (!(await tokens.canKeep())) throw new Fault('token-unkept', { name, variable });
      if (token !== null && !isToken(token.trim())) throw new Fault('token-unusable', { name, variable });
      await tokens.keep(variable, token?.trim() ?? null);
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

async function standingOf(
  workspace: Workspace,
  place: MirrorPlace,
  tokens: TokenShelf,
  repository: LinkedRepository,
): Promise<RepositoryStanding> {
  const { tokenEnv } = repository;
  const token = tokenEnv === null ? null : await tokens.placeOf(tokenEnv);
  try {
    const source = mirrorSource(repository);
    const permission = permissionFor(workspace, repository);
    const asks = isConfirmed(workspace, permission) ? null : permission;
    return { ...repository, asks, fetched: source === null ? null : mirrorState(place, source), token, problem: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...repository, asks: null, fetched: null, token, problem: error.code };
  }
}

function refuseUnusable(workspace: Workspace, repository: LinkedRepository): void {
  const { name, path, ref, tokenEnv } = repository;
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,99}$/u.test(name)) throw new Fault('repository-name', { name });
  if (ref !== null && !isRef(ref)) throw new Fault('ref-unknown', { name, ref });
  if (tokenEnv !== null && path !== null) throw new Fault('token-name', { name, variable: tokenEnv });
  if (mirrorSource(repository) === null) localFolder(workspace, repository);
}

async function tokenOf({ name, tokenEnv }: LinkedRepository, tokens: TokenShelf): Promise<string | null> {
  if (tokenEnv === null) return null;
  const token = await tokens.valueOf(tokenEnv);
  if (!token) throw new Fault('token-missing', { name, variable: tokenEnv });
  if (!isToken(token)) throw new Fault('token-unusable', { name, variable: tokenEnv });
  return token;
}

/** Whether a text can be sent as a token: a line break would begin another header. */
const isToken = (text: string): boolean => text !== '' && !/[\p{Cc}]/u.test(text);

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
