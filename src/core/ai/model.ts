import type { LanguageModel } from 'ai';
import type { Choice } from '#core/ai/choice';

/** A model of a service as the AI SDK asks it. The packages are loaded with the first request. */
export async function modelOf({ provider, address, model, name }: Choice, key: string | null): Promise<LanguageModel> {
  // Without a text of its own a provider package would look into the environment by itself.
  const apiKey = key ?? '';
  const around = { baseURL: address, fetch: askedFetch };
  if (provider.id === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic({ ...around, apiKey })(model);
  if (provider.id === 'openai') return (await import('@ai-sdk/openai')).createOpenAI({ ...around, apiKey })(model);
  if (provider.id === 'google') return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ ...around, apiKey })(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ ...around, name, ...(key === null ? {} : { apiKey }) })(model);
}

/** A redirect would carry key and text to another place than the one that the writer saw. */
const askedFetch: typeof fetch = (address, init) => fetch(address, { ...init, redirect: 'error' });
