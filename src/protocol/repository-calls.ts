import { z } from 'zod';

const name = z.string().min(1).max(100);

/** What a person at a window may do with the repositories of code that a workspace links (code-anchors §4). */
export const repositoryInputs = {
  'repository/list': z.strictObject({}),
  /** Links a repository, or changes the one of that name; the person at the window says yes to it with that. */
  'repository/link': z.strictObject({
    name,
    place: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('folder'), path: z.string().min(1).max(4096) }),
      z.strictObject({
        kind: z.literal('address'),
        url: z.string().min(1).max(4096),
        tokenEnv: z.string().min(1).max(100).nullable(),
      }),
    ]),
    ref: z.string().min(1).max(1000).nullable(),
  }),
  /** Says that what a repository of this workspace asks for is given on this machine. */
  'repository/confirm': z.strictObject({ name }),
  /** Fetches a repository from where it is; `repository-progress` tells how far that is. */
  'repository/fetch': z.strictObject({ name }),
  /** Stops a fetch that is under way; it ends with the fault `fetch-stopped`. */
  'repository/stop': z.strictObject({ name }),
  /** Keeps the token of a repository in the secret store of the system; null forgets it. No answer ever holds it. */
  'repository/keep-token': z.strictObject({ name, token: z.string().min(1).max(4096).nullable() }),
  'repository/unlink': z.strictObject({ name }),
} as const;

/** A linked repository as it stands on this machine; one of `path` and `url` is null. */
export interface RepositoryEntry {
  readonly name: string;
  readonly path: string | null;
  readonly url: string | null;
  readonly ref: string | null;
  readonly tokenEnv: string | null;
  /** A folder, or an origin with the variable of its token, that a person has to say yes to before anything is read. */
  readonly asks: { readonly place: string; readonly tokenEnv: string | null } | null;
  /** The commit that was fetched last, and when (RFC 3339). */
  readonly fetched: { readonly commit: string; readonly at: string } | null;
  /** Where its token is on this machine: in the system's secret store, or in its variable. */
  readonly token: 'kept' | 'environment' | null;
  /** The code of the fault that its use would meet, or null. */
  readonly problem: string | null;
}

/** All linked repositories, in the order of their file. */
export interface RepositoryList {
  readonly repositories: readonly RepositoryEntry[];
  /** Whether this shell has a secret store of the system for tokens. */
  readonly keepsTokens: boolean;
}

/** What each call about linked repositories answers. */
export interface RepositoryOutputs {
  'repository/list': RepositoryList;
  'repository/link': RepositoryList;
  'repository/confirm': RepositoryList;
  'repository/fetch': RepositoryList;
  'repository/stop': { readonly stopped: boolean };
  'repository/keep-token': RepositoryList;
  'repository/unlink': RepositoryList;
}

/** How far a fetch is: what git says it does, and per cent of that. */
export interface RepositoryProgress {
  readonly name: string;
  readonly phase: string;
  readonly percent: number;
}
