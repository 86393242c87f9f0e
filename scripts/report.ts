/** What the runner says of one test; `note` is the reason given to a skip. */
export interface TestOutcome {
  readonly file: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly note?: string | undefined;
}

/** The counts of a run. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts tests; `broken` are failures outside any test (a step, a file that did not load). A test that never ended has failed. */
export function tally(outcomes: readonly TestOutcome[], broken: readonly string[]): Tally {
  const count = (...states: TestOutcome['state'][]) => outcomes.filter(({ state }) => states.includes(state)).length;
  return { passed: count('passed'), failed: count('failed', 'pending') + broken.length, skipped: count('skipped') };
}

/** The lines before the last one: what broke outside the tests, and every skipped test with its reason. */
export function remarks(outcomes: readonly TestOutcome[], broken: readonly string[]): string[] {
  const skipped = outcomes.filter(({ state }) => state === 'skipped');
  return [
    ...broken.map((what) => `failed: ${what}`),
    ...skipped.map(({ file, name, note }) => `skipped: ${file}: ${name}: ${note ?? 'no reason was given'}`),
  ];
}

/** The last line of a run, which programs read. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Whether a run may be called good: nothing failed, and something was looked at. */
export function isGood({ passed, failed }: Tally): boolean {
  return failed === 0 && passed > 0;
}
