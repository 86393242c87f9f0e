import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { createFaultyDisk, type Plan } from '../../helpers/faulty-disk.ts';
import { createTrackingPlace, entriesOf, type Place } from '../../helpers/workspace.ts';

const by = { type: 'external', id: 'a test' } as const;
const target = { kind: 'declaration' as const, name: 'read', declared: null };
const code = (body: string) => `export function read(text: string): string {\n  const cut = text.trim();\n  return ${body};\n}\n`;
const deaths: readonly Omit<Plan, 'at'>[] = [
  { failure: 'killed', onlyChanges: true, path: /\.vmark/u },
  { failure: 'torn', kind: 'writeSync', path: /\.vmark/u },
];

/** Runs `act` once for every call by which it changes the ledger, and ends the process there. */
async function dieAtEveryCall(place: Place, act: (core: Core) => Promise<unknown>, look: (core: Core, where: string) => Promise<void>) {
  const restore = place.keep();
  let died = 0;
  for (const death of deaths) {
    for (let at = 0; ; at++, died++) {
      const faulty = createFaultyDisk();
      const core = await place.open({ disk: faulty.disk, git: false });
      faulty.plan({ ...death, at });
      await act(core).catch(() => null);
      await core.close();
      if (!faulty.hasFailed) break;
      const next = await place.open({ git: false });
      await look(next, `${death.failure} at ${at}: ${faulty.failed!.name} ${faulty.failed!.path}`);
      await next.close();
      restore();
    }
    restore();
  }
  return died;
}

async function prepared(): Promise<[Place, Core, string]> {
  const place = createTrackingPlace();
  place.write('a.md', '# A\n');
  place.write('code.ts', code('cut'));
  const core = await place.open({ git: false });
  const { id } = await core.anchors.add({ document: 'a.md', section: [], repository: null, file: 'code.ts', target, by });
  return [place, core, id];
}

const sound = async (core: Core, where: string) => {
  const { problems } = await core.verify({ restoreLines: false });
  expect(
    problems.filter(({ code: problem }) => problem !== 'line-malformed' && problem !== 'line-torn'),
    where,
  ).toEqual([]);
};

describe('a process that dies while it writes', () => {
  it('a confirmation leaves the old baseline or the new one', async () => {
    const [place, core, id] = await prepared();
    place.write('code.ts', code('cut.toUpperCase()'));
    await core.anchors.check({ document: null, observe: true });
    const died = await dieAtEveryCall(
      place,
      (mortal) => mortal.anchors.confirm({ id, hashSeen: null, note: '', by }),
      async (next, where) => {
        await sound(next, where);
        const [anchor] = (await next.anchors.check({ document: null, observe: false })).anchors;
        const isConfirmed = entriesOf(place, 'code-anchor-confirmation').length === 1;
        expect(anchor?.state, where).toBe(isConfirmed ? 'fresh' : 'stale');
        if (!isConfirmed) await next.anchors.confirm({ id, hashSeen: null, note: '', by });
        expect(entriesOf(place, 'code-anchor-confirmation'), where).toHaveLength(1);
      },
    );
    expect(died).toBeGreaterThan(5);
  });

  it('an anchor leaves it whole or not at all', async () => {
    const [place] = await prepared();
    place.write('code.ts', `${code('cut')}${code('cut.length').replace('read', 'size')}`);
    const other = { ...target, name: 'size' };
    const died = await dieAtEveryCall(
      place,
      (mortal) => mortal.anchors.add({ document: 'a.md', section: [], repository: null, file: 'code.ts', target: other, by }),
      async (next, where) => {
        await sound(next, where);
        const { anchors } = await next.anchors.check({ document: null, observe: false });
        expect(
          anchors.map(({ state }) => state),
          where,
        ).toEqual(anchors.length === 1 ? ['fresh'] : ['fresh', 'fresh']);
      },
    );
    expect(died).toBeGreaterThan(5);
  });
});
