import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import type { AgentWrite } from '#protocol/agent-calls';
import type { CallInput } from '#protocol/calls';
import { createFaultyDisk, type Plan } from '../../helpers/faulty-disk';
import { createTrackingPlace, entriesOf, type Place } from '../../helpers/workspace';

const source = '# A\n\nGreen eyes.\n';
const moved = '# B\n\nGrey eyes.\n';

type Request = CallInput<'agent/write'>;

/** Two documents that nobody tracks, the second changed since it was read, and a write in a new folder that rests on both. */
async function createStory() {
  const place = createTrackingPlace();
  place.write('a.md', source);
  place.write('b.md', '# B\n\nGreen eyes.\n');
  const core = await place.open({ git: false });
  const reads: Request['reads'] = [];
  for (const path of ['a.md', 'b.md']) {
    const { answer, served } = await core.agents.read(path);
    reads.push({ ...served, role: 'direct', text: answer.text });
  }
  place.write('b.md', moved);
  await core.close();
  const change = { action: 'create', text: 'written\n' } as const;
  const request: Request = { path: 'new/one.md', change, reads, leftOut: 0, credential: null, idem: randomUUID() };
  return { place, request };
}

const writesIn = (place: Place) => entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'mcp-document-write');
const isStamped = (place: Place, path: string) => place.text(path).startsWith('---\nvmark:\n');

/** The one write, resting on both at what was read, and every text as it was, with an id. */
function expectWhole(place: Place, where: string) {
  const writes = writesIn(place);
  expect(writes, where).toHaveLength(1);
  const paths = new Map(entriesOf(place, 'object-registered').map(({ body }) => [body.object, body.path]));
  const roots = entriesOf(place, 'transformation').flatMap(({ body }) => body.outputs.filter(({ parents }) => parents.length === 0));
  const inputs = writes[0]!.body.inputs.map(({ object, revision }) => [
    paths.get(object),
    roots.some((root) => root.revision === revision),
  ]);
  expect(inputs, where).toEqual([
    ['a.md', true],
    ['b.md', true],
  ]);
  expect(
    ['a.md', 'b.md', 'new/one.md'].map((path) => isStamped(place, path)),
    where,
  ).toEqual([true, true, true]);
  expect(
    [place.text('a.md'), place.text('b.md')].map((text) => text.split('---\n').at(-1)),
    where,
  ).toEqual([source, moved]);
  expect(place.text('new/one.md').endsWith('---\nwritten\n'), where).toBe(true);
}

/** Runs the write once for every third call by which it changes the disk, which ends as the plan says; answers how many there were. */
async function atEveryChange(plan: Omit<Plan, 'at'>, check: (settled: Settled, place: Place, where: string) => Promise<void>) {
  const { place, request } = await createStory();
  const restore = place.keep();
  for (let at = 0; ; at += 3) {
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk, git: false });
    faulty.plan({ onlyChanges: true, ...plan, at });
    const [answer] = await Promise.allSettled([core.agents.write(request)]);
    await core.close();
    if (!faulty.hasFailed) return at;
    const again = () => place.open({ git: false }).then((healthy) => healthy.agents.write(request));
    await check({ answer: answer!, again }, place, `${plan.failure} at ${at}: ${faulty.failed?.name} ${faulty.failed?.path}`);
    restore();
  }
}

interface Settled {
  readonly answer: PromiseSettledResult<AgentWrite>;
  /** The same write, asked of a core that works. */
  again(): Promise<AgentWrite>;
}

describe('a write that rests on documents which nobody tracked', () => {
  it('takes them all in with one append', async () => {
    const { place, request } = await createStory();
    const faulty = createFaultyDisk();
    const core: Core = await place.open({ disk: faulty.disk, git: false });
    const outcome = await core.agents.write(request);
    expect(outcome).toMatchObject({ kind: 'written', answer: { inputs: [{ path: 'a.md' }, { path: 'b.md' }], left_out: [] } });
    expectWhole(place, 'written');
    const appends = faulty.calls.filter(({ name, path }) => name === 'writeSync' && path.includes('/ledger/'));
    expect(appends).toHaveLength(1);
    expect(await core.scan()).toMatchObject({ complete: true, external: 0, adopted: 0, moved: 0 });
  });

  it('is made once by who asks again, wherever the first core died', async () => {
    const died = await atEveryChange({ failure: 'killed' }, async ({ again }, place, where) => {
      expect((await again()).kind, where).toBe('written');
      expectWhole(place, where);
    });
    expect(died).toBeGreaterThan(30);
  });

  it('on a full disk is refused with nothing changed, or is on disk and says that it is not recorded', async () => {
    let refused = 0;
    await atEveryChange({ failure: 'ENOSPC', kind: 'writeSync', lasting: true }, async ({ answer, again }, place, where) => {
      expect(
        [place.text('a.md'), place.text('b.md')].map((text) => text.split('---\n').at(-1)),
        where,
      ).toEqual([source, moved]);
      if (answer.status === 'fulfilled') {
        // Full only when the ids are put in: what was read is tracked by its path.
        const isRecorded = writesIn(place).length === 1;
        const recorded = isRecorded ? { kind: 'recorded' } : { kind: 'failed', code: 'disk-full' };
        const { answer: said } = answer.value as Extract<AgentWrite, { kind: 'written' }>;
        expect(said, where).toMatchObject({ inputs: isRecorded ? [{ path: 'a.md' }, { path: 'b.md' }] : [], recorded });
        return;
      }
      expect([writesIn(place), isStamped(place, 'a.md')], where).toEqual([[], false]);
      refused++;
      expect(answer.reason.code, where).toBe('disk-full');
      expect(
        [...place.tree().keys()].filter((path) => !path.startsWith('.vmark')),
        where,
      ).toEqual(['a.md', 'b.md']);
      expect((await again()).kind, where).toBe('written');
      expectWhole(place, where);
    });
    expect(refused).toBeGreaterThan(0);
  });
});
