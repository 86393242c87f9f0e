import type { KeyRing } from '#core/ai/key-ring';
import type { AppSettings } from '#core/home';
import { Fault } from '#protocol';
import type { ProviderState } from '#protocol/ai-calls';
import { isProviderId, type Provider, providerKeys, providers } from '#protocol/ai-provider';

/** A provider as the writer set it up, without its key. */
export interface Choice {
  readonly provider: Provider;
  /** As sentences name it. */
  readonly name: string;
  /** Without a slash at its end; empty for a program. */
  readonly address: string;
  /** Empty: the program's own choice. */
  readonly model: string;
}

/** A provider as its settings have it. */
export function choiceOf(settings: AppSettings, provider: Provider): Choice {
  const keys = providerKeys(provider.id);
  const set = (key: string) => {
    const value = settings[key];
    return typeof value === 'string' ? value.trim() : '';
  };
  const address = provider.kind === 'program' ? '' : (set(keys.address) || provider.address).replace(/\/+$/u, '');
  return { provider, name: provider.name ?? (hostOf(address) || provider.id), address, model: set(keys.model) || provider.model };
}

/** The provider that the writer chose; `ai-not-chosen` where none is. */
export function chosen(settings: AppSettings): Choice {
  const id = settings['ai.provider'];
  if (typeof id !== 'string' || !isProviderId(id)) throw new Fault('ai-not-chosen', {});
  return choiceOf(settings, providers[id]);
}

/** What a provider still lacks before it can be asked; null: nothing. */
export async function lackOf({ provider, address, model }: Choice, keys: KeyRing): Promise<ProviderState['lacks']> {
  if (provider.kind === 'program') return null;
  if (address === '') return 'address';
  if (model === '') return 'model';
  return provider.key === 'needed' && (await keys.keyOf(provider.id)) === null ? 'key' : null;
}

/** The host that an address names; empty where it is none. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/** Refuses an address that is none, or over which a key would go in the clear to another machine. */
export function refuseUnsafe(address: string, key: string | null): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isPlain = url?.protocol === 'http:';
  if (url === null || !(isPlain || url.protocol === 'https:') || (isPlain && key !== null && !isLoopback(url.hostname)))
    throw new Fault('ai-address-unsafe', { address: url === null ? address.slice(0, 200) : url.origin });
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/u.test(host);
