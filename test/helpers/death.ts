import { expect } from 'vitest';
import type { Core } from '#core';
import { createFaultyDisk, type Plan } from './faulty-disk';
import type { Place } from './workspace';

type Death = Omit<Plan, 'at'>;
/** The process ends before a call that may change the disk. */
export const killed: Death = { failure: 'killed', onlyChanges: true };
/** The process ends in the middle of a write. */
export const torn: Death = { failure: 'torn', kind: 'writeSync' };

/** Runs `act` once for every call that it makes of the disk, and ends the process at that call; then the workspace is as `keep` had it. */
export async function dieAtEveryCall<T>(
  place: Place,
  act: (core: Core) => Promise<T>,
  check: (answer: T | null, where: string) => Promise<void>,
  deaths: readonly Death[] = [killed, torn],
) {
  const restore = place.keep();
  const alive = async (core: Core) => act(core);
  let deathsDied = 0;
  for (const death of deaths) {
    for (let at = 0; ; at++, deathsDied++) {
      const faulty = createFaultyDisk();
      const core = await place.open({ disk: faulty.disk, git: false });
      faulty.plan({ ...death, at });
      const answer = await alive(core).catch(() => null);
      await core.close();
      if (!faulty.hasFailed) break;
      const { name, path } = faulty.failed!;
      await check(answer, `${death.failure} at ${at}: ${name} ${path}`);
      restore();
    }
    restore();
  }
  return counted(`${deaths.map(({ failure }) => failure).join(', ')}: ${deathsDied} deaths`, deathsDied);
}

/** Says a count, for `docs/reliability.md`, where `STEMMA_COUNTS` is set. */
export function counted(words: string, count: number): number {
  if (process.env.STEMMA_COUNTS !== undefined) console.log(`counted: ${expect.getState().currentTestName}: ${words}`);
  return count;
}

/** Nothing that stood in the ledger is gone, and what was added is whole lines and at most one unfinished one. */
export function expectPrefix(place: Place, before: ReadonlyMap<string, Buffer>, where: string) {
  const after = place.segments();
  let unfinished = 0;
  for (const [name, bytes] of before) expect(after.get(name)?.subarray(0, bytes.length), where).toEqual(bytes);
  for (const [name, bytes] of after) {
    const added = bytes
      .subarray(before.get(name)?.length ?? 0)
      .toString('utf8')
      .split('\n');
    for (const line of added.slice(0, -1)) expect(() => JSON.parse(line), where).not.toThrow();
    if (added.at(-1) !== '') unfinished++;
  }
  expect(unfinished, where).toBeLessThan(2);
}

/** A new process looks: it heals what can be healed (`held` stays so), finds nothing the second time, and knows of nothing that is missing. */
export async function heal(place: Place, where: string, held: readonly string[] = []): Promise<Core> {
  const core = await place.open({ git: false });
  await core.scan();
  const healed = place.segments();
  expect(await core.scan(), where).toMatchObject({ complete: true, external: 0, adopted: 0, moved: 0, held });
  expect(place.segments(), where).toEqual(healed);
  const { problems } = await core.verify({ restoreLines: false });
  expect(
    // An act that was cut short may leave a line that the next write closes.
    problems.filter(({ code }) => code !== 'line-malformed' && code !== 'line-torn'),
    where,
  ).toEqual([]);
  return core;
}
