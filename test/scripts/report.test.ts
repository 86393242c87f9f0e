import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closingLine, isGood, remarks, type TestOutcome, tally } from '../../scripts/report';

const outcome: fc.Arbitrary<TestOutcome> = fc.record({
  file: fc.constant('test/a.test.ts'),
  name: fc.string(),
  state: fc.constantFrom('passed', 'failed', 'skipped', 'pending'),
  note: fc.option(fc.string(), { nil: undefined }),
});

it('counts every test and every broken step exactly once', () => {
  fc.assert(
    fc.property(fc.array(outcome), fc.array(fc.string()), (outcomes, broken) => {
      const { passed, failed, skipped } = tally(outcomes, broken);
      expect(passed + failed + skipped).toBe(outcomes.length + broken.length);
    }),
  );
});

it('calls no run good in which a test failed, hung, or none passed', () => {
  const passed: TestOutcome = { file: 'a', name: 'one', state: 'passed' };
  expect(isGood(tally([passed], []))).toBe(true);
  expect(isGood(tally([passed, { ...passed, state: 'failed' }], []))).toBe(false);
  expect(isGood(tally([passed, { ...passed, state: 'pending' }], []))).toBe(false);
  expect(isGood(tally([passed], ['types']))).toBe(false);
  expect(isGood(tally([], []))).toBe(false);
});

it('lists each skipped test with its reason, and says when none was given', () => {
  const skipped: TestOutcome = { file: 'a.test.ts', name: 'links', state: 'skipped', note: 'no symlinks here' };
  expect(remarks([skipped, { ...skipped, note: undefined }], ['lint'])).toEqual([
    'failed: lint',
    'skipped: a.test.ts: links: no symlinks here',
    'skipped: a.test.ts: links: no reason was given',
  ]);
});

it('ends with the three counts', () => {
  expect(closingLine({ passed: 3, failed: 0, skipped: 1 })).toBe('3 passed, 0 failed, 1 skipped');
});
