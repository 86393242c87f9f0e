import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ToolName, toolInputs } from '#mcp/tool';
import { type Said, serverCommand, startAgent } from '../helpers/agent.ts';
import { createTrackingPlace, entriesOf, type Place, recording } from '../helpers/workspace.ts';

type Ask = (name: ToolName, args: Record<string, unknown>) => Promise<{ isError: boolean; content: Said }>;

/** A story that uses every action of every tool. */
async function playAll(place: Place, ask: Ask): Promise<void> {
  const used = new Set<string>();
  const act = async (name: ToolName, args: Record<string, unknown>, isError = false) => {
    const answer = await ask(name, args);
    expect([name, args, answer]).toEqual([name, args, expect.objectContaining({ isError })]);
    used.add(`${name} ${args.action}`);
    return answer.content;
  };
  expect((await act('workspace', { action: 'list' })).documents).toHaveLength(2);
  expect((await act('workspace', { action: 'search', query: 'elena' })).hits).toHaveLength(2);
  expect((await act('document', { action: 'outline', path: 'bible.md' })).headings).toHaveLength(1);
  const { hash } = await act('document', { action: 'read', path: 'bible.md' });
  const made = await act('document_write', { action: 'create', path: 'ch/01.md', text: '# One\n\nElena.\n' });
  expect(made.inputs.map(({ path, role }: Said) => [path, role]).sort()).toEqual([
    ['bible.md', 'direct'],
    ['plan.md', 'contextual'],
  ]);
  await act('document_write', { action: 'edit', path: 'bible.md', base: hash, edits: [{ old: 'Green', new: 'Grey' }] });
  const { artifacts } = await act('coherence', { action: 'edges' });
  expect(artifacts).toMatchObject([{ path: 'ch/01.md', rows: [{ source: { path: 'bible.md' }, state: 'version-stale' }] }]);
  const one = await act('document', { action: 'read', path: 'ch/01.md' });
  expect(one.coherence.changed).toBe(1);
  await act('document_write', { action: 'replace', path: 'ch/01.md', base: one.hash, text: '# One\n\nGrey.\n' });
  const { error, current } = await act('document_write', { action: 'replace', path: 'ch/01.md', base: one.hash, text: '' }, true);
  expect([error.code, current.text]).toEqual(['conflict-on-disk', '# One\n\nGrey.\n']);
  expect((await act('coherence', { action: 'status' })).tracked).toBe(3);
  expect((await act('coherence', { action: 'claims' })).claims).toEqual([]);
  expect((await act('coherence', { action: 'contexts' })).contexts).toHaveLength(1);
  const { edge } = artifacts[0].rows[0];
  for (const args of [{ action: 'accept-latest' }, { action: 'waive', reason: 'fine' }]) {
    expect((await act('coherence_resolve', { ...args, edge }, true)).error.code).toBe('grant-missing');
  }
  const declared = await act('code_anchors', { action: 'declarations', file: 'rows.ts' });
  expect(declared.declarations).toMatchObject([{ qualified_name: 'readRows' }]);
  const anchor = await act('code_anchor_write', { action: 'add', path: 'plan.md', file: 'rows.ts', symbol: 'readRows' });
  expect((await act('code_anchors', { action: 'list', path: 'plan.md' })).anchors).toMatchObject([{ id: anchor.id, state: 'fresh' }]);
  place.write('rows.ts', rows.replace('trim()', 'trimEnd()'));
  const [stale] = (await act('code_anchors', { action: 'check', path: 'plan.md' })).anchors;
  expect(stale).toMatchObject({ state: 'stale', detail: { reason: 'body_changed' } });
  const confirmed = { action: 'confirm', id: anchor.id, hash_seen: stale.detail.actual_hash };
  expect((await act('code_anchor_write', confirmed)).state).toBe('fresh');
  const all = Object.entries(toolInputs).flatMap(([name, { options }]) => options.map(({ shape }) => `${name} ${shape.action.value}`));
  expect([...used].sort()).toEqual(all.sort());
  expect(entriesOf(place, 'ratification').length + entriesOf(place, 'waiver').length).toBe(0);
}

const rows = 'export function readRows(text: string): string[] {\n  return text.split("\\n").map((line) => line.trim());\n}\n';

function createStory(): Place {
  const place = createTrackingPlace();
  place.write('bible.md', '# Elena\n\nGreen eyes.\n');
  place.write('plan.md', '# Plan\n\nElena goes.\n');
  place.write('rows.ts', rows);
  return place;
}

describe('the server over stdio', () => {
  it('is driven through every tool by the official client (@modelcontextprotocol/sdk)', async () => {
    const place = createStory();
    const { client } = await startAgent(place);
    expect(client.getServerVersion()).toMatchObject({ name: 'stemma' });
    expect(client.getInstructions()).toContain('document read');
    await playAll(place, async (name, args) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: args });
      return { isError: isError === true, content: structuredContent };
    });
  });

  it('is driven through every tool by another client (@ai-sdk/mcp)', async () => {
    const place = createStory();
    const client = await createMCPClient({ transport: new StdioMCPTransport(serverCommand(place)) });
    onTestFinished(() => client.close());
    const tools = await client.tools();
    expect(Object.keys(tools).sort()).toEqual(Object.keys(toolInputs).sort());
    await playAll(place, async (name, args) => {
      const answer = (await tools[name]!.execute!(args as never, { toolCallId: '1', messages: [], context: {} } as never)) as Said;
      return { isError: answer.isError === true, content: answer.structuredContent };
    });
  });
});

interface Wire {
  readonly child: ChildProcess;
  send(message: unknown): void;
  /** Sends a line as it is. */
  raw(line: string): void;
  /** The answer with that id. */
  answer(id: unknown): Promise<Said>;
}

/** The built server with its bare lines. */
async function openWire(place: Place): Promise<Wire> {
  const { command, args, env } = serverCommand(place);
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const known = new Map<unknown, Said>();
  const waiting = new Map<unknown, (answer: Said) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const heard = JSON.parse(line) as Said;
    known.set(heard.id, heard);
    waiting.get(heard.id)?.(heard);
  });
  const raw = (line: string) => void child.stdin!.write(`${line}\n`);
  const wire: Wire = {
    child,
    raw,
    send: (message) => raw(JSON.stringify({ jsonrpc: '2.0', ...(message as object) })),
    answer: (id) => new Promise((resolve) => (known.has(id) ? resolve(known.get(id)) : waiting.set(id, resolve))),
  };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '0' } };
  wire.send({ id: 'init', method: 'initialize', params });
  await wire.answer('init');
  wire.send({ method: 'notifications/initialized' });
  return wire;
}

const calling = (id: unknown, name: string, args: object) => ({ id, method: 'tools/call', params: { name, arguments: args } });
const reading = (id: unknown) => calling(id, 'document', { action: 'read', path: 'bible.md' });

describe('what no client should send', () => {
  it('never stops the next call from being answered', async () => {
    const place = createStory();
    const { send, raw, answer, child } = await openWire(place);
    const before = place.tree();
    raw('{"jsonrpc":"2.0","id":1,"method":');
    raw('[]');
    raw('null');
    raw('"\\ud800"');
    raw(JSON.stringify({ jsonrpc: '2.0', id: { a: 1 }, method: 'ping' }));
    send({ id: 'unknown', method: 'nothing/of-the-kind' });
    send({ id: 'no-tool', method: 'tools/call', params: { name: 'erase', arguments: {} } });
    send({ id: 'odd', method: 'tools/call', params: { name: 7 } });
    send(calling('proto', 'constructor', {}));
    send(calling('deep', 'document_write', { action: 'create', path: 'x.md', text: { a: 1 } }));
    send({ method: 'notifications/unknown', params: [] });
    send({ id: 99, result: {} });
    raw(
      `{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"document","arguments":{"path":"${'x'.repeat(17 * 1024 * 1024)}"}}}`,
    );
    send(reading('last'));
    expect((await answer('last')).result.structuredContent.text).toContain('Green eyes.');
    expect((await answer('unknown')).error.code).toBe(-32601);
    for (const id of ['no-tool', 'odd', 'proto']) expect((await answer(id)).error.code, id).toBeLessThan(-32000);
    expect((await answer('deep')).result).toMatchObject({ isError: true, structuredContent: { error: { code: 'arguments-invalid' } } });
    expect((await answer('long')).error.data.code).toBe('line-too-long');
    expect(place.tree()).toEqual(before);
    child.stdin!.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('as 1,000 calls at once is refused with a code beyond what may be under way, and each is answered', async () => {
    const place = createStory();
    const { send, answer } = await openWire(place);
    const before = place.tree();
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    for (const id of ids) send(calling(id, 'workspace', { action: 'search', query: 'elena' }));
    const answers = await Promise.all(ids.map(answer));
    const codes = answers.map(({ result }) => result.structuredContent.error?.code ?? 'done');
    expect(codes.every((code) => ['done', 'too-many-calls', 'calls-too-fast'].includes(code))).toBe(true);
    const count = (wanted: boolean) => codes.filter((code) => (code === 'done') === wanted).length;
    expect(count(true)).toBeGreaterThanOrEqual(64);
    expect(count(false)).toBeGreaterThan(0);
    expect(place.tree()).toEqual(before);
    await expect
      .poll(
        async () => {
          const id = crypto.randomUUID();
          send(reading(id));
          return (await answer(id)).result.isError ?? false;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBe(false);
  });

  it('as a cancelled call is not answered, was no read, and leaves the next one its turn', async () => {
    const place = createStory();
    await (await place.open()).record(recording('plan.md', 'bible.md'));
    const { send, raw, answer } = await openWire(place);
    const cancelling = (requestId: string) => ({ method: 'notifications/cancelled', params: { requestId } });
    const lines = [calling('edges', 'coherence', { action: 'edges' }), cancelling('edges'), reading('gone'), cancelling('gone')];
    // In one piece, so that they are cancelled before they are done.
    raw(lines.map((line) => JSON.stringify({ jsonrpc: '2.0', ...line })).join('\n'));
    send(calling('write', 'document_write', { action: 'create', path: 'one.md', text: '1' }));
    send(calling('two', 'document_write', { action: 'create', path: 'two.md', text: '2' }));
    for (const id of ['write', 'two']) expect((await answer(id)).result.structuredContent.recorded.kind).toBe('recorded');
    const written = entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'mcp-document-write');
    expect(written.map(({ body }) => body.inputs)).toEqual([[], []]);
  });
});
