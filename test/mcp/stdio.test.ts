import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStdioTransport } from '#mcp/stdio';

interface Answer {
  readonly id: unknown;
  readonly error: { readonly code: number; readonly message: string; readonly data: { readonly code: string; readonly next: string } };
}

/** What a transport makes of some bytes, cut as told. */
async function heard(chunks: readonly Buffer[], limit?: number) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = createStdioTransport(input, output, limit);
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void messages.push(message);
  await transport.start();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await transport.ended;
  await transport.close();
  const said = ((output.read() as Buffer | null)?.toString('utf8') ?? '').split('\n').filter(Boolean);
  return { messages, answers: said.map((line) => JSON.parse(line) as Answer) };
}

const request = (id: number, text = '') => ({ jsonrpc: '2.0', id, method: 'ping', params: { text } });
const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;

describe('messages by lines', () => {
  it('are the same however their bytes are cut', async () => {
    const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(2000), { maxLength: 10 }), async (all, cuts) => {
        const sent = all.map((text, id) => request(id, text.toWellFormed()));
        const bytes = Buffer.from(sent.map(lineOf).join(''));
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const { messages, answers } = await heard(places.slice(1).map((to, index) => bytes.subarray(places[index], to)));
        expect([messages, answers]).toEqual([sent, []]);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['no JSON', '{"jsonrpc":"2.0",', -32700, null],
    ['no object', '7', -32600, null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['another protocol', '{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5],
    ['a call without a name', '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"arguments":{}}}', -32602, 6],
    ['a call without params', '{"jsonrpc":"2.0","id":6,"method":"tools/call"}', -32602, 6],
    [
      'a call whose arguments are a list',
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"x","arguments":[1]}}',
      -32602,
      6,
    ],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x00]), -32700, null],
  ])('that are %s are answered with an error, and the next one is heard', async (_, line, code, id) => {
    const { messages, answers } = await heard([Buffer.from(line), Buffer.from(`\n\n${lineOf(request(2))}`)]);
    expect(messages).toEqual([request(2)]);
    expect(answers).toMatchObject([{ id, error: { code, data: { code: 'arguments-invalid', next: expect.stringMatching(/\.$/u) } } }]);
  });

  it('that are too long are passed over, with the id of the request wherever it stands', async () => {
    const long = 'x'.repeat(5000);
    const params = { text: `"id":9,${long}` };
    const sent = [
      { jsonrpc: '2.0', id: 1, method: 'a', params },
      { jsonrpc: '2.0', method: 'a', id: 'two', params },
      { method: 'a', params, jsonrpc: '2.0', id: 3 },
      { method: 'a', params, id: 4, jsonrpc: '2.0' },
      { method: 'a', params, jsonrpc: '2.0' },
    ];
    const bytes = Buffer.from(`${sent.map(lineOf).join('')}${lineOf(request(6))}`);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 700) }, (_, at) => bytes.subarray(at * 700, at * 700 + 700));
    const { messages, answers } = await heard(pieces, 4096);
    expect(messages).toEqual([request(6)]);
    expect(answers.map(({ id, error }) => [id, error.data.code])).toEqual([1, 'two', 3, 4, null].map((id) => [id, 'line-too-long']));
  });

  it('may be as long as the limit', async () => {
    const line = lineOf(request(1, 'x'.repeat(100)));
    expect((await heard([Buffer.from(line)], line.length - 1)).messages).toHaveLength(1);
    expect((await heard([Buffer.from(line)], line.length - 2)).messages).toHaveLength(0);
  });
});
