import type { SecretStore } from '#core/ai/key-ring';
import type { Environment } from '#core/home';
import { isTokenName } from '#core/mirrors/remote';

/** Where a token is: kept in the secret store of the system, or in a variable of the environment. */
export type TokenPlace = 'kept' | 'environment';

/** The tokens of linked repositories on this machine, by the names of their variables (code-anchors §4). */
export interface TokenShelf {
  /** The token under a name; one that was entered counts before the variable. Null: none, or no name that a token may have. */
  valueOf(variable: string): Promise<string | null>;
  placeOf(variable: string): Promise<TokenPlace | null>;
  /** Whether there is a store of the system: a token goes into no other. */
  canKeep(): Promise<boolean>;
  /** Keeps a token; null forgets it. The caller has asked whether there is a store. */
  keep(variable: string, token: string | null): Promise<void>;
}

/** The shelf over the secret store of a shell; null where the shell has none. */
export function createTokenShelf(store: SecretStore | null, env: Environment): TokenShelf {
  const canKeep = async () => store !== null && (await store.kind()) === 'system';
  const kept = async (variable: string) => (isTokenName(variable) && (await canKeep()) ? await store!.get(nameOf(variable)) : null);
  const set = (variable: string) => (isTokenName(variable) ? env[variable] || null : null);
  return {
    canKeep,
    valueOf: async (variable) => (await kept(variable)) ?? set(variable),
    async placeOf(variable) {
      if ((await kept(variable)) !== null) return 'kept';
      return set(variable) === null ? null : 'environment';
    },
    keep: async (variable, token) => store?.set(nameOf(variable), token),
  };
}

const nameOf = (variable: string) => `git.${variable}`;
