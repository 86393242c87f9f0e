/** A wire format of a provider. */
export type WireFormat = 'anthropic' | 'openai' | 'google' | 'chat';

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const data = (value: object | string) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

/** An answer as a provider streams it: what comes before the text, each part of it, and what closes it, `cut` short by the longest length or not. */
export interface Wire {
  begin(): string;
  part(text: string): string;
  end(reason: 'stop' | 'length' | 'withheld'): string;
  /** An error in the middle of a stream. */
  trouble(): string;
  /** The body of a refusal. */
  refusal(status: number, message: string): object;
}

const model = 'a-model-of-the-server';
const usage = { input_tokens: 5, output_tokens: 7 };

const anthropic: Wire = {
  begin: () =>
    event('message_start', {
      message: { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage },
    }) +
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    event('ping', {}),
  part: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: (reason) =>
    event('content_block_stop', { index: 0 }) +
    event('message_delta', {
      delta: { stop_reason: { stop: 'end_turn', length: 'max_tokens', withheld: 'refusal' }[reason], stop_sequence: null },
      usage: { output_tokens: 7 },
    }) +
    event('message_stop', {}),
  trouble: () => event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  refusal: (_, message) => ({ type: 'error', error: { type: 'an_error', message } }),
};

const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
const openai: Wire = {
  begin: () =>
    event('response.created', { response: { id: 'resp_1', object: 'response', created_at: 1, model, status: 'in_progress' } }) +
    event('response.output_item.added', { output_index: 0, item }) +
    event('response.content_part.added', { item_id: 'msg_1', output_index: 0, content_index: 0, part: { type: 'output_text', text: '' } }),
  part: (delta) => event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
  end: (reason) => {
    const why = { stop: null, length: 'max_output_tokens', withheld: 'content_filter' }[reason];
    const type = why === null ? 'response.completed' : 'response.incomplete';
    return (
      event('response.output_item.done', { output_index: 0, item: { ...item, status: 'completed' } }) +
      event(type, { response: { id: 'resp_1', model, usage, incomplete_details: why === null ? null : { reason: why } } })
    );
  },
  trouble: () =>
    event('error', { sequence_number: 1, error: { type: 'server_error', code: 'server_error', message: 'It broke', param: null } }),
  refusal: (_, message) => ({ error: { message, type: 'an_error', param: null, code: null } }),
};

const google: Wire = {
  begin: () => '',
  part: (text) => data({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }], modelVersion: model }),
  end: (reason) =>
    data({
      candidates: [
        {
          content: { parts: [{ text: '' }], role: 'model' },
          finishReason: { stop: 'STOP', length: 'MAX_TOKENS', withheld: 'SAFETY' }[reason],
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
      modelVersion: model,
    }),
  trouble: () => data({ error: { code: 500, message: 'It broke', status: 'INTERNAL' } }),
  refusal: (code, message) => ({ error: { code, message, status: 'AN_ERROR' } }),
};

const chunk = (delta: object, finish: string | null) =>
  data({ id: 'c1', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] });
const chat: Wire = {
  begin: () => chunk({ role: 'assistant', content: '' }, null),
  part: (content) => chunk({ content }, null),
  end: (reason) => chunk({}, { stop: 'stop', length: 'length', withheld: 'content_filter' }[reason]) + data('[DONE]'),
  trouble: () => data({ error: { message: 'It broke', type: 'server_error', code: 500 } }),
  refusal: (_, message) => ({ error: { message, type: 'an_error', param: null, code: null } }),
};

/** Each format, as the providers document it. */
export const wires: Readonly<Record<WireFormat, Wire>> = { anthropic, openai, google, chat };

/** The format that a request is made in, by its path. */
export function formatOf(path: string): WireFormat {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/responses')) return 'openai';
  return path.includes(':streamGenerateContent') ? 'google' : 'chat';
}
