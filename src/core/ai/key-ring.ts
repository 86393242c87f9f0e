import { join } from 'node:path';
import type { Environment } from '#core/home';
import { isTexts, readPrivate, writePrivate } from '#core/private-file';
import type { Disk } from '#core/storage/disk';
import type { ProviderState } from '#protocol/ai-calls';
import type { ProviderId } from '#protocol/ai-provider';

/** Where secrets are kept by their names: the system's store, or a file. A value never leaves core but to whom it is for. */
export interface SecretStore {
  /** Null: this system keeps none. */
  kind(): Promise<'system' | 'file' | null>;
  get(name: string): Promise<string | null>;
  /** Null removes it. Throws `ai-key-unkept` where nothing is kept. */
  set(name: string, value: string | null): Promise<void>;
}

/** The keys of this installation: those that the writer gave, and else those of the environment. */
export interface KeyRing {
  keyOf(provider: ProviderId): Promise<string | null>;
  placeOf(provider: ProviderId): Promise<ProviderState['key']>;
  keep(provider: ProviderId, key: string | null): Promise<void>;
  store(): Promise<'system' | 'file' | null>;
}

/** The variables that the key of a provider is taken from, the first that is set. */
export const keyVariables: Readonly<Partial<Record<ProviderId, readonly string[]>>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  compatible: ['STEMMA_AI_KEY'],
};

/** Puts a store and an environment together; what the writer gave counts first. */
export function createKeyRing(store: SecretStore, env: Environment): KeyRing {
  const inEnvironment = (provider: ProviderId) => keyVariables[provider]?.map((name) => env[name]?.trim()).find(Boolean) ?? null;
  const kept = (provider: ProviderId) => store.get(nameOf(provider));
  return {
    keyOf: async (provider) => (await kept(provider)) ?? inEnvironment(provider),
    async placeOf(provider) {
      if ((await kept(provider)) !== null) return 'kept';
      return inEnvironment(provider) === null ? null : 'environment';
    },
    keep: (provider, key) => store.set(nameOf(provider), key?.trim() || null),
    store: store.kind,
  };
}

const nameOf = (provider: ProviderId) => `ai.${provider}`;

/** Secrets in `secrets.json` of the app data, which is for this user only (mode 0600). Nothing is made before one is kept. */
export function createSecretFile(disk: Disk, folder: string): SecretStore {
  const file = join(folder, 'secrets.json');
  const secrets = () => {
    // Whoever copied or restored the file may have opened it to others.
    if (process.platform !== 'win32' && disk.existsSync(file) && (disk.statSync(file).mode & 0o077) !== 0) disk.chmodSync(file, 0o600);
    return readPrivate(disk, file, {}, isTexts);
  };
  return {
    kind: async () => 'file',
    get: async (name) => secrets()[name] ?? null,
    async set(name, value) {
      const { [name]: _, ...others } = secrets();
      writePrivate(disk, file, value === null ? others : { ...others, [name]: value });
    },
  };
}
