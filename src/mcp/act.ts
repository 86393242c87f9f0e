import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { ReadSet } from '#mcp/read-set';
import { answered, conflicted } from '#mcp/result';
import { type ToolInput, type ToolName, toolInputs } from '#mcp/tool';
import { Fault } from '#protocol';
import type { AgentChange } from '#protocol/agent-calls';
import type { AnchorTarget } from '#protocol/anchor-calls';
import type { Client } from '#protocol/calls';

/** One agent at work: how it asks core, who it is by its token, and what it has read. */
export interface Connection {
  readonly call: Client;
  readonly credential: string | null;
  readonly reads: ReadSet;
  /** A new idem for each write. */
  newId(): string;
}

/** The arguments of a call, checked; `arguments-invalid` says which one is wrong. A null is as good as left out. */
function checkedInput<Name extends ToolName>(name: Name, given: Readonly<Record<string, unknown>> = {}): ToolInput<Name> {
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const parsed = toolInputs[name].safeParse(input);
  if (parsed.success) return parsed.data as ToolInput<Name>;
  const call = typeof input.action === 'string' ? `${name} ${input.action.slice(0, 40)}` : name;
  throw new Fault('arguments-invalid', { call, problem: problemWith(parsed.error) });
}

/** Where the first problem stands and which it is; never what was sent. */
export function problemWith({ issues }: z.ZodError): string {
  const first = issues[0];
  if (first === undefined) return 'invalid';
  const where = first.path.map(String).join('.');
  return `${where === '' ? '' : `${where}: `}${first.message.split('\n', 1)[0]!.slice(0, 200)}`;
}

type Acts = { readonly [Name in ToolName]: (at: Connection, input: ToolInput<Name>, signal: AbortSignal) => Promise<CallToolResult> };

/** What each tool does. A call that was cancelled meanwhile, or whose answer is too large, has shown nothing, so nothing of it was read. */
const acts: Acts = {
  async workspace({ call, reads }, input, signal) {
    const under = input.path ?? null;
    if (input.action === 'list') return answered('list', await call('agent/list', { under }));
    return reads.during(signal, async (add) => {
      const { answer, served } = await call('agent/search', { query: input.query, under });
      const result = answered('search', answer);
      for (const one of served) add(one, 'contextual', null);
      return result;
    });
  },
  async document({ call, reads }, { action, path }, signal) {
    return reads.during(signal, async (add) => {
      if (action === 'read') {
        const { answer, served } = await call('agent/read', { path });
        const result = answered('read', answer);
        add(served, 'direct', answer.text);
        return result;
      }
      const { answer, served } = await call('agent/outline', { path });
      const result = answered('outline', answer);
      add(served, 'contextual', null);
      return result;
    });
  },
  async document_write({ call, credential, reads, newId }, input, signal) {
    const taken = await reads.take();
    let isWritten = false;
    try {
      const request = { path: input.path, change: changeOf(input), ...taken, reads: [...taken.reads], credential, idem: newId() };
      const outcome = await call('agent/write', request);
      isWritten = outcome.kind === 'written';
      if (outcome.kind === 'written') return answered(input.action, outcome.answer);
      const { now } = outcome;
      const result = conflicted(input.path, now);
      if (now !== null && result.structuredContent?.current !== undefined)
        await reads.during(signal, async (add) => add(now.served, 'direct', now.answer.text));
      return result;
    } finally {
      if (!isWritten) reads.giveBack(taken);
    }
  },
  async coherence({ call }, input) {
    if (input.action === 'status') return answered('status', await call('agent/status', {}));
    if (input.action === 'edges') return answered('edges', await call('agent/edges', { context: input.context ?? null }));
    if (input.action === 'claims') return answered('claims', await call('agent/claims', {}));
    return answered('contexts', await call('agent/contexts', {}));
  },
  async coherence_resolve() {
    throw new Fault('grant-missing', {});
  },
  async code_anchors({ call }, input) {
    if (input.action === 'list') return answered('list', await call('agent/anchors', { path: input.path ?? null }));
    if (input.action === 'check') return answered('check', await call('agent/anchor-check', { path: input.path ?? null }));
    return answered('declarations', await call('agent/declarations', { file: input.file }));
  },
  async code_anchor_write({ call, credential, newId }, input) {
    if (input.action === 'confirm') {
      const { id, hash_seen: hashSeen, note = '' } = input;
      return answered('confirm', await call('agent/anchor-confirm', { id, hashSeen, note, credential, idem: newId() }));
    }
    const { path, section = [], file } = input;
    return answered('add', await call('agent/anchor-add', { path, section, file, target: targetOf(input), credential }));
  },
};

type Adding = Extract<ToolInput<'code_anchor_write'>, { action: 'add' }>;

/** A declaration or lines: one of them. */
function targetOf({ symbol, kind, lines }: Adding): AnchorTarget {
  if ((symbol === undefined) === (lines === undefined))
    throw new Fault('arguments-invalid', { call: 'code_anchor_write add', problem: 'give either symbol or lines' });
  if (symbol !== undefined) return { kind: 'declaration', name: symbol, declared: kind ?? null };
  const [start, end] = lines!.split('-').map(Number) as [number, number];
  return { kind: 'lines', lines: { start, end } };
}

function changeOf(input: ToolInput<'document_write'>): AgentChange {
  const { path: _, ...change } = input;
  return change;
}

/** Carries out one call. What cannot be done is thrown as a fault. */
export function act<Name extends ToolName>(
  name: Name,
  given: Readonly<Record<string, unknown>> | undefined,
  connection: Connection,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const perform: Acts[Name] = acts[name];
  return perform(connection, checkedInput(name, given), signal);
}
