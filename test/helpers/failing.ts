import { expect } from 'vitest';
import type { Core } from '#core';
import { counted } from './death';
import { createFaultyDisk, type Failure, type Plan } from './faulty-disk';
import { type Place, savingOf } from './workspace';

const failures: readonly Failure[] = ['ENOSPC', 'EIO', 'EROFS', 'EACCES'];

/** What is said of a failure is a sentence, and not that the program is wrong. */
export function expectSentence(said: { readonly code: string; readonly message: string }, where: string) {
  expect(said.code, where).not.toBe('bug');
  expect(said.message, where).toMatch(/^\S.*\.$/su);
}

/** Runs `act` once for every call that it makes of the disk; that call fails, in turn with each way that a disk fails. Answers how many there were. */
export async function failAtEveryCall(
  place: Place,
  act: (core: Core) => Promise<unknown>,
  which: Pick<Plan, 'onlyChanges' | 'kind'>,
  check: (settled: PromiseSettledResult<unknown>, core: Core, where: string) => Promise<void>,
  how: readonly Failure[] = failures,
) {
  const restore = place.keep();
  for (let at = 0; ; at++) {
    const faulty = createFaultyDisk();
    const core = await place.open({ disk: faulty.disk, git: false });
    const failure = how[at % how.length]!;
    faulty.plan({ ...which, at, failure });
    const [settled] = await Promise.allSettled([(async () => act(core))()]);
    const { hasFailed, failed } = faulty;
    faulty.plan(null);
    if (!hasFailed) return counted(`${how.join(', ')}: ${at} calls`, at);
    await check(settled!, core, `${failure} at ${at}: ${failed?.name} ${failed?.path}`);
    await core.close();
    restore();
  }
}

/** The disk is well again: the same core saves and records, and nothing is left to be found. */
export async function expectGoesOn(place: Place, core: Core, where: string) {
  const saved = await core.save(savingOf(place, 'a.md', `${place.text('a.md')}more\n`));
  expect(saved, where).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded', entry: expect.any(String) } });
  expect(await core.scan(), where).toMatchObject({ complete: true, external: 0 });
  expect((await core.logFile('a.md')).heads, where).toHaveLength(1);
  const { problems } = await core.verify({ restoreLines: false });
  expect(
    problems.filter(({ code }) => code !== 'line-malformed'),
    where,
  ).toEqual([]);
}
