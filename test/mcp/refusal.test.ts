import { describe, expect, it } from 'vitest';
import { createGauge } from '#mcp/gauge';
import { nextAfter } from '#mcp/next';
import { refusalOf, refusalOutput, refused } from '#mcp/result';
import { type FaultCode, faultDetails, faultFrom } from '#protocol';

describe.each(Object.keys(faultDetails) as FaultCode[])('the refusal %s', (code) => {
  it('has its code, a sentence and what to do next', () => {
    const names = faultDetails[code] as readonly string[];
    const detail = Object.fromEntries(names.map((name) => [name, name === 'reason' ? 'git-busy' : name === 'count' ? 2 : name]));
    const result = refused(faultFrom(code, detail));
    const content = refusalOutput.parse(result.structuredContent);
    expect(result.isError).toBe(true);
    expect(content.error).toMatchObject({ code, message: expect.stringMatching(/[.)]$/u), next: nextAfter(code) });
    expect(nextAfter(code)).toMatch(/^[A-Z].{10,}\.$/u);
    expect(nextAfter(code)).not.toMatch(/\b-C\b|npm/u);
  });
});

it('what is no fault is a bug, without its stack', () => {
  const { error } = refusalOf(new TypeError('x is not a function\n    at somewhere'));
  expect(error).toMatchObject({ code: 'bug', detail: { problem: 'x is not a function' } });
});

describe('a gauge', () => {
  const limits = { inFlight: 3, perSecond: 5 } as never;
  const code = (work: () => unknown) => {
    try {
      work();
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('lets so many calls be under way, and another when one has ended', () => {
    const gauge = createGauge(() => 0, limits);
    const [leave] = [gauge.enter(), gauge.enter(), gauge.enter()];
    expect(code(gauge.enter)).toBe('too-many-calls');
    leave();
    expect(code(gauge.enter)).toBeNull();
  });

  it('lets so many calls begin in any second', () => {
    let now = 0;
    const gauge = createGauge(() => now, limits);
    for (let at = 0; at < 5; at++) {
      now = at * 100;
      gauge.enter()();
    }
    expect(code(gauge.enter)).toBe('calls-too-fast');
    now = 1000;
    expect(code(gauge.enter)).toBeNull();
    expect(code(gauge.enter)).toBe('calls-too-fast');
  });
});
