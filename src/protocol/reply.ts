import { Fault, type FaultCode, type FaultDetail, faultFrom, problemOf } from '#protocol/fault';

/** What crosses a border: a value, or a fault as plain data. Everything in it survives a structured clone and JSON. */
export type Reply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: FaultCode; readonly message: string; readonly detail: FaultDetail };

/** Runs `work` at the edge of core. What is not a fault is our mistake: `bug`, with the first line of its message and never a stack. */
export async function toReply<Value>(work: () => Value | Promise<Value>): Promise<Reply<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return failedReply(error);
  }
}

/** The value of a reply; throws the fault that it carries. A code that only a newer program knows becomes `bug`. */
export function fromReply<Value>(reply: Reply<Value>): Value {
  if (reply.ok) return reply.value;
  throw faultFrom(reply.code, reply.detail);
}

/** What the command line prints for a failure with `--json`; `candidates` are listed when the fault names some. */
export function failureOf(reply: Reply<never>): { error: { code: FaultCode; message: string; candidates?: string[] } } {
  if (reply.ok) throw new RangeError('BUG: a reply that succeeded is no failure.');
  const { candidates } = reply.detail;
  const error = { code: reply.code, message: reply.message };
  return { error: typeof candidates === 'string' && candidates ? { ...error, candidates: namesIn(candidates) } : error };
}

/** The names of a list; one may hold `, ` within parentheses, as names of functions do. */
function namesIn(list: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < list.length; at++) {
    if (list[at] === '(') depth++;
    else if (list[at] === ')') depth--;
    else if (depth <= 0 && list.startsWith(', ', at)) {
      names.push(list.slice(start, at));
      start = at + 2;
    }
  }
  return [...names, list.slice(start)];
}

/** The reply that a thrown error becomes. */
export function failedReply(error: unknown): Reply<never> {
  const fault = error instanceof Fault ? error : new Fault('bug', { problem: problemOf(error) });
  return { ok: false, code: fault.code, message: fault.message, detail: fault.detail };
}
