import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { problemWith } from '#mcp/act';
import { refusalOf } from '#mcp/result';
import { Fault } from '#protocol';

/** The longest line that is read, in bytes (`spec/interfaces.md` §3). */
export const lineLimit = 16 * 1024 * 1024;
/** How much of the beginning and the end of a line that is too long is kept, to find its id. */
const margin = 1024;

/** A transport over two streams. */
export interface StdioTransport extends Transport {
  /** Settles when the other side has gone or the transport was closed. */
  readonly ended: Promise<void>;
}

/**
 * JSON-RPC by lines, as the SDK's own transport has it, but for what is wrong: a line that is no message is answered with an error and one
 * that is too long is passed over, and neither ends the connection. While the other side does not read, nothing is read from it.
 */
export function createStdioTransport(input: Readable, output: Writable, limit: number = lineLimit): StdioTransport {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isClosed = false;
  const write = (message: object) => {
    if (isClosed) return;
    const mayGoOn = output.write(`${JSON.stringify(message)}\n`);
    if (mayGoOn || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  };
  const take = createLineReader(limit, {
    line: (line) => void receive(line),
    tooLong: (edges) => write(errorFor(idIn(edges), ErrorCode.InvalidRequest, new Fault('line-too-long', { limit }))),
  });
  const receive = (line: string) => {
    if (line.trim() === '') return;
    const read = messageOf(line);
    if (read.kind === 'message') transport.onmessage?.(read.message);
    else write(read.error);
  };
  const transport: StdioTransport = {
    ended,
    async start() {
      input.on('data', take);
      input.once('end', end);
      input.once('close', end);
      input.once('error', end);
      output.once('error', end);
      output.once('close', end);
    },
    async send(message) {
      write(message);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.off('data', take);
      input.pause();
      end();
      transport.onclose?.();
    },
  };
  return transport;
}

interface LineListener {
  line(line: string): void;
  /** Of a line that was passed over: its beginning and its end. */
  tooLong(edges: readonly [string, string]): void;
}

/** Cuts bytes into lines. Of a line beyond the limit only its edges are kept. */
function createLineReader(limit: number, listener: LineListener): (bytes: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | null = null;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size <= limit) return;
    const whole = Buffer.concat(parts);
    head ??= Buffer.from(whole.subarray(0, margin));
    // Copied, so that the whole is let go.
    parts = [Buffer.from(whole.subarray(-margin))];
    size = limit;
  };
  const finish = () => {
    const whole = Buffer.concat(parts);
    const begun = head;
    parts = [];
    size = 0;
    head = null;
    if (begun === null) listener.line(whole.toString('utf8'));
    else listener.tooLong([begun.toString('utf8'), whole.subarray(-margin).toString('utf8')]);
  };
  return (bytes) => {
    let from = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, from)) {
      add(bytes.subarray(from, at));
      finish();
      from = at + 1;
    }
    if (from < bytes.length) add(bytes.subarray(from));
  };
}

type Id = string | number | null;

/** The id of a request by the edges of its line: as clients write it, before what is long or after it. */
function idIn([head, tail]: readonly [string, string]): Id {
  const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{1,200}")`;
  const plain = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"\s*,\s*`;
  const first = new RegExp(String.raw`^\s*\{\s*(?:${plain}){0,2}${id}`, 'u').exec(head);
  const last = new RegExp(
    String.raw`\}\s*,\s*(?:${plain}){0,2}${id}\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"\s*){0,2}\}\s*$`,
    'u',
  ).exec(tail);
  const found = (first ?? last)?.[1];
  return found === undefined ? null : (JSON.parse(found) as Id);
}

type Read = { readonly kind: 'message'; readonly message: JSONRPCMessage } | { readonly kind: 'bad'; readonly error: object };

function messageOf(line: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const fault = new Fault('arguments-invalid', { call: 'the line', problem: 'it is no JSON' });
    return { kind: 'bad', error: errorFor(null, ErrorCode.ParseError, fault) };
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  const id = (value as { id?: unknown } | null)?.id;
  if (parsed.success) {
    const problem = problemIn(value);
    if (problem === null || id === undefined) return { kind: 'message', message: parsed.data };
    return {
      kind: 'bad',
      error: errorFor(id as Id, ErrorCode.InvalidParams, new Fault('arguments-invalid', { call: 'tools/call', problem })),
    };
  }
  const fault = new Fault('arguments-invalid', { call: 'the line', problem: 'it is no JSON-RPC 2.0 message' });
  return { kind: 'bad', error: errorFor(typeof id === 'string' || typeof id === 'number' ? id : null, ErrorCode.InvalidRequest, fault) };
}

/** The SDK answers a call without a name, or with arguments that are no object, as a fault of its own. */
function problemIn(value: unknown): string | null {
  if ((value as { method?: unknown }).method !== 'tools/call') return null;
  const { error } = CallToolRequestSchema.safeParse(value);
  return error === undefined ? null : problemWith(error);
}

function errorFor(id: Id, code: ErrorCode, fault: Fault): object {
  const { error } = refusalOf(fault);
  return { jsonrpc: '2.0', id, error: { code, message: error.message, data: { code: error.code, next: error.next } } };
}
