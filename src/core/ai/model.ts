import type { LanguageModel } from 'ai';
import type { Choice } from '#core/ai/choice';
import { Fault } from '#protocol';

/** A model of a service as the AI SDK asks it; what comes back may have so many bytes. The packages are loaded with the first request. */
export async function modelOf({ provider, address, model, name }: Choice, key: string | null, bytes: number): Promise<LanguageModel> {
  // Without a text of its own a provider package would look into the environment by itself.
  const apiKey = key ?? '';
  const around = { baseURL: address, fetch: askedFetch(() => new Fault('ai-endless', { provider: name, limit: bytes }), bytes) };
  if (provider.id === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic({ ...around, apiKey })(model);
  if (provider.id === 'openai') return (await import('@ai-sdk/openai')).createOpenAI({ ...around, apiKey })(model);
  if (provider.id === 'google') return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ ...around, apiKey })(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ ...around, name, ...(key === null ? {} : { apiKey }) })(model);
}

/**
 * A redirect would carry key and text to another place than the one that the writer saw. And whatever comes back has an end: also what is no
 * answer, such as a line that never closes, which the packages would gather.
 */
function askedFetch(tooLong: () => Fault, bytes: number): typeof fetch {
  return async (address, init) => {
    const response = await fetch(address, { ...init, redirect: 'error' });
    let left = bytes;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0) throw tooLong();
        controller.enqueue(chunk);
      },
    });
    return response.body === null ? response : new Response(response.body.pipeThrough(counting), response);
  };
}
