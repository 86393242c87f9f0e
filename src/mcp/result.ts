import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { nextAfter } from '#mcp/next';
import { Fault, problemOf } from '#protocol';
import type { AgentReading } from '#protocol/agent-calls';
import { readOutput } from '#protocol/agent-outputs';

/** What every refusal holds. */
export const refusalOutput = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    next: z.string().describe('What to do now.'),
    detail: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  current: readOutput.nullable().optional().describe('With `conflict-on-disk`: the document as it is now; null where it is gone.'),
});

/** Clients take lines of 10 MB; a text that large is not said twice. */
const longestText = 4 * 1024 * 1024;

/** An answer, as structured content and as the same in JSON. */
export function answered(action: string, answer: object): CallToolResult {
  return resultOf({ action, ...answer });
}

/** A refusal: a code, what happened, and what to do next. What is no fault of ours to know is `bug`. */
export function refused(error: unknown): CallToolResult {
  return { ...resultOf(refusalOf(error)), isError: true };
}

/** A document that is another than the one that was read, as it is now. */
export function conflicted(path: string, now: AgentReading | null): CallToolResult {
  const refusal = refusalOf(new Fault('conflict-on-disk', { path }));
  return { ...resultOf({ ...refusal, current: now?.answer ?? null }), isError: true };
}

/** A refusal as data. */
export function refusalOf(error: unknown): z.infer<typeof refusalOutput> {
  const { code, message, detail } = error instanceof Fault ? error : new Fault('bug', { problem: problemOf(error) });
  return { error: { code, message, next: nextAfter(code), detail } };
}

function resultOf(content: object): CallToolResult {
  const text = JSON.stringify(content);
  const said = text.length > longestText ? 'The answer is long; it is in structuredContent.' : text;
  return { content: [{ type: 'text', text: said }], structuredContent: { ...content } };
}
