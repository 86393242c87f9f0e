import type { z } from 'zod';
import { type Caller, type CoreEvents, callInputs, type EventName, type Handlers } from '#protocol/calls';
import { Fault } from '#protocol/fault';
import type { Announcement, Answer, Request } from '#protocol/link';
import type { Port } from '#protocol/port';
import { failedReply, toReply } from '#protocol/reply';
import { type ShellHandlers, shellInputs } from '#protocol/shell-calls';

/** Says what happens in a core to whoever listens: the handlers announce, every served port hears. */
export interface Announcer {
  announce<Name extends EventName>(event: Name, data: CoreEvents[Name]): void;
  /** The answer stops listening. */
  listen(listener: (announcement: Announcement) => void): () => void;
}

/** Makes an announcer that nobody listens to yet. */
export function createAnnouncer(): Announcer {
  const listeners = new Set<(announcement: Announcement) => void>();
  return {
    announce(event, data) {
      for (const listener of listeners) listener({ event, data });
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What a port is served with. Without `shell`, calls to the shell are unknown here. */
export interface Serving {
  readonly handlers: Handlers;
  readonly events: Announcer;
  readonly shell?: ShellHandlers;
}

/**
 * Answers a port until it closes. Every input is checked against its schema before a handler sees it; what is
 * malformed or unknown is answered with a fault and stops nothing. Calls run at the same time, answers come as they are ready.
 */
export function serve(port: Port, { handlers, events, shell }: Serving): void {
  const answer = async (message: unknown): Promise<void> => {
    const id = idOf(message);
    const reply = await toReply(() => perform(message, handlers, shell, caller));
    post(port, { id, reply });
  };
  const caller = callerOf(port);
  port.onClose(events.listen((announcement) => port.post(announcement)));
  port.onMessage((message) => void answer(message));
}

function callerOf(port: Port): Caller {
  let waiting: (() => void)[] | null = [];
  port.onClose(() => {
    const told = waiting ?? [];
    waiting = null;
    for (const tell of told) tell();
  });
  return { onGone: (listener) => void (waiting === null ? listener() : waiting.push(listener)) };
}

/** An answer that cannot be carried is our mistake, and is said. */
function post(port: Port, answer: Answer): void {
  try {
    port.post(answer);
  } catch (error) {
    port.post({ id: answer.id, reply: failedReply(error) } satisfies Answer);
  }
}

function idOf(message: unknown): number | null {
  const id = (message as Partial<Request> | null | undefined)?.id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

function perform(message: unknown, handlers: Handlers, shell: ShellHandlers | undefined, caller: Caller): Promise<unknown> {
  const { call, input } = (message ?? {}) as Partial<Request>;
  if (typeof call !== 'string' || idOf(message) === null) throw new Fault('call-invalid', { call: '?', problem: 'malformed' });
  const known = { ...callInputs, ...(shell === undefined ? {} : shellInputs) } as Readonly<Record<string, z.ZodType>>;
  const schema = Object.hasOwn(known, call) ? known[call] : undefined;
  if (schema === undefined) throw new Fault('call-invalid', { call: call.slice(0, 100), problem: 'unknown' });
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new Fault('call-invalid', { call, problem: problemWith(parsed.error) });
  const handler = (call in handlers ? handlers : shell)![call as never] as (input: unknown, caller: Caller) => Promise<unknown>;
  return handler(parsed.data, caller);
}

/** Where the first problem stands and which it is; never what was sent. */
function problemWith({ issues }: z.ZodError): string {
  const first = issues[0];
  return first === undefined ? 'invalid' : [...first.path.map(String), first.code].join(' ');
}
