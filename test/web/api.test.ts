import { describe, expect, it } from 'vitest';
import { openAgents } from '#core/agents';
import { createHost } from '#core/handlers/host';
import { createLocalApi } from '#core/handlers/local-api';
import { realDisk } from '#core/storage/disk';
import { outputs } from '#protocol/outputs';
import { openSite, type Site } from '../helpers/web.ts';
import { createTrackingPlace, environment, type Place } from '../helpers/workspace.ts';

const rows = 'export function readRows(text: string): string[] {\n  return text.split("\\n").map((line) => line.trim());\n}\n';

/** What of an answer is looked at one by one; its schema is checked as a whole. */
interface Answer {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly detail: unknown;
  readonly anchors: readonly { readonly state: string; readonly detail: { readonly actual_hash: string } }[];
}

interface Asking {
  readonly site: Site;
  readonly place: Place;
  readonly document: string;
  readonly cookie: string;
  readonly bearer: string;
  ask(
    path: string,
    options?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; json: Answer }>;
}

/** A document that is tracked, code beside it, an agent with a token, and a browser that was let in. */
async function setUp(): Promise<Asking> {
  const place = createTrackingPlace();
  place.write('a.md', '# A\n\n## Rows\n\nText.\n');
  place.write('src/rows.ts', rows);
  const core = await place.open();
  await core.track({ paths: null, dryRun: false });
  const env = environment(place.home);
  const open = async () => ({ ...createHost(core, { follows: false }), api: createLocalApi(core, env) });
  const site = await openSite({}, { open });
  const cookie = await site.enter();
  const { token } = openAgents(realDisk, place.home).add('Docs bot');
  const [, document = ''] = /id: "?([0-9a-f-]{36})/u.exec(place.text('a.md')) ?? [];
  const ask: Asking['ask'] = async (path, { method = 'GET', body, headers = { cookie } } = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const { status, text: answer } = await site.get(`/api/v1/${path}`, { ...type, ...headers }, method, text);
    return { status, json: JSON.parse(answer) as Answer };
  };
  return { site, place, document, cookie, bearer: `Bearer ${token}`, ask };
}

const anchor = { file: 'src/rows.ts', symbol: 'readRows', section: ['Rows'] };

describe('the local HTTP API', () => {
  it('tells the breakdown and the anchors of a document as the command line does', async () => {
    const { ask, document } = await setUp();
    expect(outputs.breakdown.safeParse((await ask('breakdown')).json).error).toBeUndefined();
    const made = await ask(`documents/${document}/anchors`, { method: 'POST', body: anchor });
    expect(made).toMatchObject({ status: 200, json: { state: 'fresh' } });
    const listed = await ask(`documents/${document}/anchors`);
    expect(outputs['anchors-list'].safeParse(listed.json).error).toBeUndefined();
    const checked = await ask(`documents/${document}/anchors/check`, { method: 'POST' });
    expect(outputs['anchors-check'].safeParse(checked.json).error).toBeUndefined();
    expect(checked.json.anchors).toMatchObject([{ id: made.json.id, state: 'fresh', document: { object: document, path: 'a.md' } }]);
  });

  it('lets an agent anchor, confirm what it saw and remove, under the name of its token', async () => {
    const { ask, document, place, bearer } = await setUp();
    const headers = { authorization: bearer };
    const { json } = await ask(`documents/${document}/anchors`, { method: 'POST', body: anchor, headers });
    place.write('src/rows.ts', rows.replace('trim()', 'trimEnd()'));
    const checked = await ask(`documents/${document}/anchors/check`, { method: 'POST', headers });
    const { actual_hash: seen } = checked.json.anchors[0]!.detail;
    expect(checked.json.anchors[0]).toMatchObject({ state: 'stale', detail: { reason: 'body_changed' } });
    const wrong = await ask(`anchors/${json.id}/confirm`, { method: 'POST', body: { hash_seen: 'f'.repeat(64) }, headers });
    expect(wrong).toMatchObject({ status: 409, json: { code: 'anchor-moved', status: 409 } });
    const confirmed = await ask(`anchors/${json.id}/confirm`, { method: 'POST', body: { hash_seen: seen, note: 'read' }, headers });
    expect(confirmed).toMatchObject({ status: 200, json: { changed: true, from: 'stale', state: 'fresh' } });
    expect(await ask(`anchors/${json.id}`, { method: 'DELETE', headers })).toMatchObject({ status: 200, json: { removed: true } });
    const written = place.entries().filter(({ kind }) => String(kind).startsWith('code-anchor'));
    expect(written.map(({ kind }) => kind)).toEqual(['code-anchor', 'code-anchor-confirmation', 'code-anchor-removal']);
    for (const entry of written) expect(entry.body).toMatchObject({ actor: { type: 'external', id: 'Docs bot' } });
  });

  it('writes down what the person at the browser does as that person, and no read writes anything', async () => {
    const { ask, document, place } = await setUp();
    const { json } = await ask(`documents/${document}/anchors`, { method: 'POST', body: anchor });
    expect(place.entries().find(({ kind }) => kind === 'code-anchor')!.body).toMatchObject({ actor: { type: 'human' } });
    place.write('src/rows.ts', rows.replace('trim()', 'trimEnd()'));
    const before = place.lines();
    for (const [path, method] of [
      ['breakdown', 'GET'],
      [`documents/${document}/anchors`, 'GET'],
      [`documents/${document}/anchors/check`, 'POST'],
    ] as const)
      expect((await ask(path, { method })).status).toBe(200);
    expect(place.lines()).toEqual(before);
    expect(json.id).toMatch(/^[0-9a-f-]{36}$/u);
  });

  it('answers nobody else: no cookie, a wrong token, another origin, another host', async () => {
    const { ask, cookie, bearer } = await setUp();
    const refused: [Record<string, string>, number][] = [
      [{}, 401],
      [{ cookie: 'stemma-1=x' }, 401],
      [{ authorization: `${bearer}x` }, 401],
      [{ authorization: 'Bearer ' }, 401],
      [{ authorization: 'Basic eDp5', cookie }, 401],
      [{ authorization: `${bearer}x`, cookie }, 401],
      [{ cookie, origin: 'https://evil.example' }, 403],
      [{ authorization: bearer, origin: 'null' }, 403],
      [{ cookie, host: 'evil.example' }, 403],
    ];
    for (const [headers, status] of refused) {
      const answer = await ask('breakdown', { headers });
      expect([answer.status, answer.json.status], JSON.stringify(headers)).toEqual([status, status]);
    }
  });

  it('gives each bad request a problem and no change', async () => {
    const { ask, document, site, cookie, place } = await setUp();
    const before = place.lines();
    const post = (path: string, body: unknown) => ask(path, { method: 'POST', body });
    const unknown = '00000000-0000-7000-8000-000000000000';
    const answers = [
      [await ask('nothing'), 404],
      [await ask('documents/x/anchors'), 404],
      [await ask(`documents/${unknown}/anchors`), 404],
      [await ask(`documents/${document}/anchors`, { method: 'PUT' }), 405],
      [await ask('breakdown', { method: 'POST' }), 405],
      [await post(`documents/${document}/anchors`, '{'), 400],
      [await post(`documents/${document}/anchors`, {}), 400],
      [await post(`documents/${document}/anchors`, { ...anchor, lines: { start: 1, end: 2 } }), 400],
      [await post(`documents/${document}/anchors`, { ...anchor, extra: 1 }), 400],
      [await post(`documents/${document}/anchors`, { ...anchor, file: 'x'.repeat(70_000) }), 400],
      [await post(`documents/${document}/anchors`, { ...anchor, file: '../secret.ts' }), 403],
      [await post(`documents/${document}/anchors`, { ...anchor, symbol: 'nothing' }), 422],
      [await post(`anchors/${unknown}/confirm`, { hash_seen: 'a' }), 404],
      [await ask(`anchors/${unknown}`, { method: 'DELETE' }), 404],
    ] as const;
    for (const [{ status, json }, expected] of answers) {
      expect([status, json.status, typeof json.detail], JSON.stringify(json)).toEqual([expected, expected, 'string']);
    }
    const form = await site.get(`/api/v1/documents/${document}/anchors`, { cookie, 'content-type': 'text/plain' }, 'POST', '{}');
    expect(form).toMatchObject({ status: 400, headers: { 'content-type': 'application/problem+json; charset=utf-8' } });
    expect(form.headers['access-control-allow-origin']).toBeUndefined();
    expect(place.lines()).toEqual(before);
  });

  it('answers a flood with 429', async () => {
    const { ask } = await setUp();
    const statuses = await Promise.all(Array.from({ length: 120 }, async () => (await ask('nothing')).status));
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });
});
