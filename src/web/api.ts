import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodType } from 'zod';
import { Fault, type FaultCode, faultFromSystem } from '#protocol';
import { type ApiAsker, anchorRequest, confirmRequest, type LocalApi } from '#protocol/local-api';
import type { Gate } from '#web/gate';

/** Where the API is asked; everything below it is answered in JSON. */
export const apiPrefix = '/api/v1/';

/** The longest body of a request, in bytes. */
const longestBody = 64 * 1024;
/** How many requests may be answered within a second, and how many at once. */
const rate = { perSecond: 50, atOnce: 8 } as const;

/** How long a body may take to come, in ms: eight that never come would keep everybody else out. */
const usualPatience = 5000;

/** A door of the API: it counts what comes through. */
export type ApiDoor = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the API of a server is made of. */
export interface ApiParts {
  readonly gate: Gate;
  /** The workspace of a request by the root it names, null: the first one. */
  apiOf(folder: string | null): LocalApi | null;
  /** Milliseconds. */
  now(): number;
  /** How long a body may take to come, in ms. */
  readonly patience?: number;
}

/**
 * Answers the local HTTP API (`spec/interfaces.md` §4): to the browser that was let in, as its person; to who sends the token of
 * an agent, under its name; to a page of another site, nothing. Errors are `application/problem+json`.
 */
export function createApi({ gate, apiOf, now, patience = usualPatience }: ApiParts): ApiDoor {
  const isTooFast = createPace(now);
  let running = 0;
  return async (request, response) => {
    if (!gate.isOurs(request.headers)) return problem(response, 403, 'foreign', 'This address answers no page of another site.');
    const url = new URL(request.url ?? '/', gate.origin);
    const workspace = apiOf(url.searchParams.get('folder'));
    const by = workspace && askerOf(request, gate, workspace);
    // Before it is counted: who is not let in must not keep those out who are.
    if (!workspace || !by) {
      response.setHeader('www-authenticate', 'Bearer realm="stemma"');
      return problem(
        response,
        401,
        'unauthorized',
        'Open the app in this browser, or send the token of an agent: Authorization: Bearer TOKEN.',
      );
    }
    if (running >= rate.atOnce || isTooFast()) {
      response.setHeader('retry-after', '1');
      return problem(
        response,
        429,
        'too-many-requests',
        `At most ${rate.perSecond} requests a second are answered, ${rate.atOnce} at once.`,
      );
    }
    running++;
    try {
      await answer(request, response, { url, api: workspace, by, patience });
    } catch (error) {
      if (response.headersSent) return;
      const fault = faultFromSystem(error, '.');
      problem(response, statusOf(fault.code), fault.code, fault.message, fault.detail);
    } finally {
      running--;
    }
  };
}

interface Admitted {
  readonly url: URL;
  readonly api: LocalApi;
  readonly by: ApiAsker;
  readonly patience: number;
}

async function answer(request: IncomingMessage, response: ServerResponse, { url, api, by, patience }: Admitted): Promise<void> {
  const found = routes.find(({ path }) => path.test(url.pathname));
  if (found === undefined) return problem(response, 404, 'no-such-resource', `There is nothing at ${url.pathname}.`);
  const act = found.methods[request.method ?? ''];
  if (act === undefined) {
    response.setHeader('allow', Object.keys(found.methods).join(', '));
    return problem(response, 405, 'method-not-allowed', `${url.pathname} is not asked with ${request.method}.`);
  }
  const id = found.path.exec(url.pathname)?.[1] ?? '';
  json(response, 200, await act({ api, id, by, body: () => bodyInTime(request, response, patience) }));
}

/** A token that is sent decides, whatever cookie comes with it. */
function askerOf({ headers }: IncomingMessage, gate: Gate, api: LocalApi): ApiAsker | null {
  const [, token] = /^Bearer +([\w.~+/-]{1,256}=*)$/iu.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined) {
    const id = api.whose(token);
    return id === null ? null : { type: 'external', id };
  }
  return headers.authorization === undefined && gate.isKnown(headers) ? { type: 'human' } : null;
}

interface Asked {
  readonly api: LocalApi;
  readonly id: string;
  readonly by: ApiAsker;
  body(): Promise<unknown>;
}

type Act = (asked: Asked) => Promise<unknown>;

const uuid = '([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})';
const route = (path: string, methods: Readonly<Record<string, Act>>) => ({
  path: new RegExp(`^${apiPrefix}${path}$`, 'u'),
  methods,
});

const routes = [
  route('breakdown', { GET: ({ api }) => api.breakdown() }),
  route(`documents/${uuid}/anchors`, {
    GET: ({ api, id }) => api.anchors(id),
    POST: async ({ api, id, by, body }) => api.add(id, checked(anchorRequest, await body()), by),
  }),
  route(`documents/${uuid}/anchors/check`, { POST: ({ api, id }) => api.check(id) }),
  route(`anchors/${uuid}/confirm`, { POST: async ({ api, id, by, body }) => api.confirm(id, checked(confirmRequest, await body()), by) }),
  route(`anchors/${uuid}`, { DELETE: ({ api, id, by }) => api.remove(id, by) }),
];

function checked<T>(schema: ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Fault('call-invalid', { call: 'api/v1', problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? ''}` });
}

/** The body of a request; one that does not come in time is answered with 408, and its connection ends. */
async function bodyInTime(request: IncomingMessage, response: ServerResponse, patience: number): Promise<unknown> {
  const late = setTimeout(() => {
    response.setHeader('connection', 'close');
    response.once('finish', () => request.destroy());
    problem(response, 408, 'request-too-slow', `The body did not come within ${patience} ms, so nothing was done.`);
  }, patience);
  try {
    return await readBody(request);
  } finally {
    clearTimeout(late);
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  // A form of another site can send text, but not say that it is JSON.
  if (!/^application\/json\b/iu.test(request.headers['content-type'] ?? '')) throw invalid('the body is not said to be application/json');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > longestBody) throw invalid(`the body is longer than ${longestBody} bytes`);
    parts.push(part as Buffer);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
  } catch {
    throw invalid('the body is not JSON in UTF-8');
  }
}

const invalid = (why: string) => new Fault('call-invalid', { call: 'api/v1', problem: why });

const statuses: Partial<Readonly<Record<FaultCode, number>>> = {
  'call-invalid': 400,
  'not-tracked': 404,
  'anchor-unknown': 404,
  'repository-unknown': 404,
  'repository-unconfirmed': 403,
  'repository-unconfirmed-origin': 403,
  'repository-unconfirmed-token': 403,
  'outside-workspace': 403,
  permission: 403,
  'anchor-exists': 409,
  'anchor-moved': 409,
  'anchor-unseen': 409,
  'code-moved': 409,
  'no-workspace-record': 409,
  bug: 500,
};

const statusOf = (code: FaultCode): number => statuses[code] ?? 422;

function problem(response: ServerResponse, status: number, code: string, detail: string, more: object = {}): void {
  json(
    response,
    status,
    { type: 'about:blank', title: titles[status] ?? 'Error', status, detail, code, ...more },
    'application/problem+json',
  );
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

function json(response: ServerResponse, status: number, value: unknown, type = 'application/json'): void {
  if (response.headersSent) return;
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'content-length': bytes.length, connection: 'close' });
  response.end(bytes);
}

/** Whether one more is too many within the second that is running. */
function createPace(now: () => number): () => boolean {
  let since = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    if (now() - since >= 1000) {
      since = now();
      count = 0;
    }
    return ++count > rate.perSecond;
  };
}
