import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerOfService, type Patience } from '#core/ai/answering';
import { choiceOf } from '#core/ai/choice';
import type { Fault } from '#protocol';
import { type ProviderId, providers } from '#protocol/ai-provider';
import { type Behaviour, type ProviderServer, startProviderServer } from '../../helpers/provider-server.ts';

const canary = 'sk-canary-0123456789abcdef';
const patience: Patience = { silence: 5000, wait: 2000, length: 20_000, bytes: 10_000_000 };
const services = ['anthropic', 'openai', 'google', 'compatible', 'ollama'] as const;

let server: ProviderServer;
beforeAll(async () => {
  server = await startProviderServer();
});
afterAll(() => server.close());

const choice = (id: ProviderId, address = `${server.origin}/v1`) =>
  choiceOf({ [`ai.${id}.address`]: address, [`ai.${id}.model`]: 'a-model' }, providers[id]);

interface Heard {
  text: string;
  model: string | null;
  waits: (number | null)[];
  fault: Fault | null;
}

interface Asking {
  readonly behaviours: Behaviour[];
  readonly patience?: Partial<Patience>;
  readonly signal?: AbortSignal;
  readonly told?: (heard: Heard) => void;
  readonly address?: string;
}

async function ask(id: ProviderId, { behaviours, told, signal = new AbortController().signal, ...other }: Asking): Promise<Heard> {
  server.behave(...behaviours);
  const heard: Heard = { text: '', model: null, waits: [], fault: null };
  const asked = {
    choice: choice(id, other.address),
    key: id === 'ollama' ? null : canary,
    prompt: { system: 'Be brief.', prompt: 'What is new?' },
    signal,
    patience: { ...patience, ...other.patience },
  };
  try {
    await answerOfService(asked, {
      text(part) {
        heard.text += part;
        told?.(heard);
      },
      waits: (seconds) => heard.waits.push(seconds),
      model(name) {
        heard.model = name;
      },
    });
  } catch (error) {
    heard.fault = error as Fault;
  }
  return heard;
}

const answer = (...parts: string[]): Behaviour => ({ kind: 'answer', parts });
const last = () => server.requests.at(-1)!;

describe.each(services)('%s', (id) => {
  const faultOf = async (behaviour: Behaviour, other: Partial<Asking> = {}) => (await ask(id, { behaviours: [behaviour], ...other })).fault;

  it('is told the prompt in its own form, and its answer comes in parts with the model’s name', async () => {
    const seen: string[] = [];
    const { text, model, fault } = await ask(id, {
      behaviours: [answer('The ', 'sea ', '— 海.\n')],
      told: (heard) => seen.push(heard.text),
    });
    expect([text, model, fault]).toEqual(['The sea — 海.\n', id === 'google' ? 'a-model' : 'a-model-of-the-server', null]);
    expect(seen.length).toBeGreaterThan(1);
    expect(last().body).toContain('What is new?');
    expect(last().body).toContain('Be brief.');
    const said = `${last().path} ${JSON.stringify(last().headers)}`;
    expect(said.includes(canary)).toBe(id !== 'ollama');
    expect(last().path).not.toContain(canary);
    expect(last().body).not.toContain(canary);
  });

  it('that cuts the connection, or ends without saying so, has given no answer', async () => {
    expect(await faultOf({ kind: 'cut', parts: ['Half'] })).toMatchObject({ code: 'ai-cut' });
    expect(await faultOf({ kind: 'cut', parts: [] })).toMatchObject({ code: expect.stringMatching(/^ai-(cut|unreachable)$/u) });
    expect(await faultOf({ kind: 'quiet-end', parts: ['Half'] })).toMatchObject({ code: 'ai-cut' });
  });

  it('that reached its length, or held the answer back, says so', async () => {
    expect(await faultOf({ kind: 'answer', parts: ['Half'], end: 'length' })).toMatchObject({ code: 'ai-unfinished' });
    expect(await faultOf({ kind: 'answer', parts: ['No'], end: 'withheld' })).toMatchObject({ code: 'ai-withheld' });
    expect(await faultOf(answer())).toMatchObject({ code: 'ai-empty' });
  });

  it('that is busy is asked again when it said so, and not later than is bearable', async () => {
    const busy = (retryAfter?: string): Behaviour => ({ kind: 'refuse', status: 429, ...(retryAfter === undefined ? {} : { retryAfter }) });
    const { text, waits, fault } = await ask(id, { behaviours: [busy('0'), busy('0'), answer('There.')] });
    expect([text, waits, fault]).toEqual(['There.', [0, null, 0, null], null]);
    expect(await faultOf(busy('90'))).toMatchObject({ code: 'ai-busy', detail: { seconds: 90 } });
    expect(await faultOf(busy())).toMatchObject({ code: 'ai-busy', detail: { seconds: 30 } });
    const before = server.requests.length;
    expect(await faultOf(busy('0'))).toMatchObject({ code: 'ai-busy' });
    expect(server.requests.length - before).toBe(3);
  });

  it('that refuses the key, the request, or fails, is told apart; none of it holds the key', async () => {
    const refuse = (status: number): Behaviour => ({ kind: 'refuse', status, message: `Bad thing with ${canary} in it` });
    const faults = [];
    for (const status of [401, 403, 400, 404, 500, 502]) faults.push(await faultOf(refuse(status)));
    expect(faults.map((fault) => fault?.code)).toEqual([
      'ai-key-refused',
      'ai-key-refused',
      'ai-refused',
      'ai-refused',
      'ai-failed',
      'ai-failed',
    ]);
    expect(faults[2]?.detail.problem).toContain('Bad thing with');
    expect(await faultOf({ kind: 'trouble', parts: ['Half'] })).toMatchObject({ code: expect.stringMatching(/^ai-/u) });
    const key = id === 'ollama' ? 'no key was given' : canary;
    for (const fault of faults) expect(`${fault?.message} ${JSON.stringify(fault?.detail)} ${fault?.stack}`).not.toContain(key);
  });

  it('that talks nonsense is said to', async () => {
    expect(await faultOf({ kind: 'malformed' })).toMatchObject({ code: 'ai-malformed' });
    expect(await faultOf({ kind: 'not-a-stream' })).toMatchObject({ code: expect.stringMatching(/^ai-(malformed|cut)$/u) });
  });

  it('may be slow, but not silent and not without end', async () => {
    const slow: Behaviour = { kind: 'answer', parts: Array(8).fill('slow '), pause: 100 };
    expect(await ask(id, { behaviours: [slow], patience: { silence: 700 } })).toMatchObject({ text: 'slow '.repeat(8), fault: null });
    expect(await faultOf({ kind: 'silent' }, { patience: { silence: 700 } })).toMatchObject({ code: 'ai-silent' });
    expect(await last().gone).toBe(true);
    expect(await faultOf({ kind: 'endless' })).toMatchObject({ code: 'ai-endless' });
    expect(await last().gone).toBe(true);
  });

  it('sees it when the writer cancels', async () => {
    const ending = new AbortController();
    const told = () => ending.abort();
    const { fault } = await ask(id, { behaviours: [{ kind: 'endless' }], signal: ending.signal, told });
    expect(fault).toMatchObject({ name: 'AbortError' });
    expect(await last().gone).toBe(true);
  });

  it('may not send text and key on to another place', async () => {
    const before = server.requests.length;
    expect(await faultOf({ kind: 'redirect', to: `${server.origin}/elsewhere` })).toMatchObject({ code: 'ai-unreachable' });
    expect(server.requests.length - before).toBe(1);
  });

  it('that is not there is said to be out of reach', async () => {
    expect(await faultOf(answer('.'), { address: 'http://127.0.0.1:9/v1' })).toMatchObject({
      code: 'ai-unreachable',
      detail: { address: '127.0.0.1:9' },
    });
  });
});

/** A server below HTTP: it does with each connection what it is told, and knows when that is hung up. */
async function startRaw(serve: (socket: Socket) => void) {
  const gone = Promise.withResolvers<void>();
  const raw = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('close', () => gone.resolve());
    socket.once('data', () => serve(socket));
  });
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  onTestFinished(() => void raw.close());
  return { address: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/v1`, gone: gone.promise };
}

/** Writes a beginning, and then the same as fast as it is read. */
function pour(socket: Socket, beginning: string, text: string): void {
  socket.write(beginning);
  const go = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', go);
  go();
}

/** The same, now and then. */
function drip(socket: Socket, beginning: string, text: string): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
}

describe('a server that does not keep to HTTP, or to an end', () => {
  const stream = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n';
  const long = 'x'.repeat(64 * 1024);
  const cases: readonly [string, (socket: Socket) => void, string][] = [
    ['says nothing at all', () => {}, 'ai-silent'],
    ['never comes to the end of its headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-More: x\r\n'), 'ai-silent'],
    ['pours out headers', (socket) => pour(socket, 'HTTP/1.1 200 OK\r\n', `X-More: ${long}\r\n`), 'ai-unreachable'],
    ['is none', (socket) => socket.end('220 mail.example ESMTP\r\n'), 'ai-unreachable'],
    ['has a line without an end', (socket) => pour(socket, `${stream}data: `, long), 'ai-endless'],
    ['pours out comments', (socket) => pour(socket, stream, `: ${long}\n\n`), 'ai-endless'],
    ['refuses at endless length', (socket) => pour(socket, 'HTTP/1.1 500 No\r\nContent-Type: text/plain\r\n\r\n', long), 'ai-endless'],
  ];
  it.each(cases)('%s', async (_, serve, code) => {
    const { address, gone } = await startRaw(serve);
    const silence = code === 'ai-silent' ? 400 : 20_000;
    const { fault, text } = await ask('anthropic', { behaviours: [], address, patience: { silence, bytes: 2_000_000 } });
    expect([fault?.code, text]).toEqual([code, '']);
    await gone;
  });
});

describe('a provider that names a time to come back', () => {
  const busyUntil = (ms: number) => ({ kind: 'refuse' as const, status: 429, retryAfter: new Date(Date.now() + ms).toUTCString() });

  it('is asked again then, and not where that is too far off', async () => {
    const busy = busyUntil(1500);
    const { text, waits } = await ask('openai', { behaviours: [busy, answer('There.')] });
    expect(text).toBe('There.');
    // Such a time has whole seconds: it is half a second to one and a half from now, or here already where the machine is slow.
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(busy.retryAfter));
    expect(waits).toEqual([expect.toBeOneOf([0, 1, 2]), null]);
    const { fault } = await ask('openai', { behaviours: [busyUntil(90_000)] });
    expect(fault).toMatchObject({ code: 'ai-busy', detail: { seconds: expect.closeTo(90, -1) } });
    // A time that has passed, and what is no time.
    expect(await ask('openai', { behaviours: [busyUntil(-90_000), answer('Late.')] })).toMatchObject({ text: 'Late.', waits: [0, null] });
    const { fault: odd } = await ask('openai', { behaviours: [{ kind: 'refuse', status: 429, retryAfter: 'soon' }] });
    expect(odd).toMatchObject({ code: 'ai-busy', detail: { seconds: 30 } });
  });

  it('is not asked again once the writer cancels', async () => {
    const ending = new AbortController();
    const before = server.requests.length;
    const asking = ask('openai', {
      behaviours: [{ kind: 'refuse', status: 429, retryAfter: '2' }, answer('Too late.')],
      signal: ending.signal,
    });
    await expect.poll(() => server.requests.length).toBe(before + 1);
    ending.abort();
    expect((await asking).fault).toMatchObject({ name: 'AbortError' });
    expect(server.requests.length).toBe(before + 1);
  });
});
