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
  current: readOutput
    .nullable()
    .optional()
    .describe('With `conflict-on-disk`: the document as it is now; null where it is gone, left out where it is too large.'),
});

/** The longest answer, in bytes of JSON: the official client takes lines of 10 MB and ends at a longer one. */
const answerLimit = 9 * 1024 * 1024;
/** Beyond this many bytes an answer is not said twice. */
const longestText = 4 * 1024 * 1024;

/** An answer, as structured content and as the same in JSON; `answer-too-large` where no client would take it. */
export function answered(action: string, answer: object): CallToolResult {
  const content = { action, ...answer };
  const bytes = bytesOf(content);
  if (bytes > answerLimit) throw new Fault('answer-too-large', { bytes, limit: answerLimit });
  return resultOf(content, bytes);
}

/** A refusal: a code, what happened, and what to do next. What is no fault of ours to know is `bug`. */
export function refused(error: unknown): CallToolResult {
  return { ...resultOf(refusalOf(error)), isError: true };
}

/** A document that is another than the one that was read, as it is now. */
export function conflicted(path: string, now: AgentReading | null): CallToolResult {
  const refusal = refusalOf(new Fault('conflict-on-disk', { path }));
  const content = { ...refusal, current: now?.answer ?? null };
  return { ...resultOf(bytesOf(content) > answerLimit ? refusal : content), isError: true };
}

/** A refusal as data. */
export function refusalOf(error: unknown): z.infer<typeof refusalOutput> {
  const { code, message, detail } = error instanceof Fault ? error : new Fault('bug', { problem: problemOf(error) });
  return { error: { code, message, next: nextAfter(code), detail } };
}

const bytesOf = (content: object) => Buffer.byteLength(JSON.stringify(content));

function resultOf(content: object, bytes: number = bytesOf(content)): CallToolResult {
  const text = bytes > longestText ? 'The answer is long; it is in structuredContent.' : JSON.stringify(content);
  return { content: [{ type: 'text', text }], structuredContent: { ...content } };
}
