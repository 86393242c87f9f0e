import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, onTestFinished } from 'vitest';
import { createHost, type Host } from '#core/handlers/host';
import { createAgentServer } from '#mcp/server';
import { type ToolName, toolOutputs } from '#mcp/tool';
import type { Client as CoreClient } from '#protocol/calls';
import { connect } from '#protocol/link';
import { createMemoryPorts } from '#protocol/port';
import { serve } from '#protocol/server';
import { program } from './cli.ts';
import { gitEnvironment } from './repository.ts';
import type { Place } from './workspace.ts';

/** What a tool answered, as far as tests look at it. */
// biome-ignore lint/suspicious/noExplicitAny: answers differ by action, and each is checked against its schema.
export type Said = any;

/** An agent with the official client. */
export interface TestAgent {
  readonly client: Client;
  /** Calls a tool that must do it; the answer, checked against the schema of the tool. */
  ask(tool: ToolName, args: Record<string, unknown>): Promise<Said>;
  /** Calls a tool that must refuse; the refusal, checked as well: a code, a sentence, and what to do next. */
  refused(tool: ToolName, args: Record<string, unknown>): Promise<Said>;
  /** Reads a document; its text and hash. */
  read(path: string): Promise<Said>;
}

/** A core of a place at work, and how servers for agents ask it, over a link that clones. */
export async function openAgentCore(place: Place): Promise<{ host: Host; call: CoreClient }> {
  const host = createHost(await place.open(), { follows: false });
  return { host, call: linkTo(host) };
}

/** A link to a host, as another process would have it. */
export function linkTo(host: Host): CoreClient {
  const [page, served] = createMemoryPorts();
  serve(served, host);
  return connect(page).call;
}

/** Connects an agent to a core, in this process. */
export async function connectAgent(call: CoreClient, credential: string | null = null): Promise<TestAgent> {
  const server = createAgentServer({ call, credential, version: '0.0.0', newId: randomUUID });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'a-test', version: '0.0.0' });
  await client.connect(near);
  onTestFinished(() => client.close());
  return agentOf(client);
}

/** An agent of a place, alone. */
export async function openAgent(place: Place, credential: string | null = null): Promise<TestAgent> {
  const { call } = await openAgentCore(place);
  return connectAgent(call, credential);
}

/** How a program starts the built server for agents; `env` adds to the environment. */
export const serverCommand = ({ folder, home }: Pick<Place, 'folder' | 'home'>, env: Readonly<Record<string, string>> = {}) => ({
  command: process.execPath,
  args: [program, 'mcp', folder],
  env: { ...definedOnly(gitEnvironment), LC_ALL: 'C.UTF-8', ...env, STEMMA_HOME: home },
});

const definedOnly = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter((pair) => pair[1] !== undefined)) as Record<string, string>;

/** Starts the built server and connects to it, as the client of an agent does. */
export async function startAgent(place: Pick<Place, 'folder' | 'home'>, env: Readonly<Record<string, string>> = {}): Promise<TestAgent> {
  const client = new Client({ name: 'a-test', version: '0.0.0' });
  await client.connect(new StdioClientTransport(serverCommand(place, env)));
  onTestFinished(() => client.close());
  return agentOf(client);
}

function agentOf(client: Client): TestAgent {
  const call = async (tool: ToolName, args: Record<string, unknown>) => {
    const result = await client.callTool({ name: tool, arguments: args });
    const content = result.structuredContent as Said;
    expect(toolOutputs[tool].safeParse(content).error?.issues ?? [], JSON.stringify(args)).toEqual([]);
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(content) }]);
    return { content, isError: result.isError === true };
  };
  const ask: TestAgent['ask'] = async (tool, args) => {
    const { content, isError } = await call(tool, args);
    expect(isError, JSON.stringify(content)).toBe(false);
    return content;
  };
  return {
    client,
    ask,
    async refused(tool, args) {
      const { content, isError } = await call(tool, args);
      expect(isError, JSON.stringify(content)).toBe(true);
      expect(content.error.message).toMatch(/\.$/u);
      expect(content.error.next).toMatch(/\.$/u);
      return content;
    },
    read: (path) => ask('document', { action: 'read', path }),
  };
}
