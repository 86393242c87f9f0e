import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, laterInstant, parseInstant } from '#kernel/instant';

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');
const instant = fc.integer({ min: earliest, max: latest });
const two = (value: number) => String(value).padStart(2, '0');

describe('an instant', () => {
  it('reads back what it writes', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        expect(parseInstant(formatInstant(ms))).toBe(ms);
      }),
    );
  });

  it('is written in order: later instants are greater texts', () => {
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        expect(formatInstant(a) < formatInstant(b)).toBe(a < b);
      }),
    );
  });

  it('is the same under every offset', () => {
    const day = 86_400_000;
    const offset = fc.record({ sign: fc.constantFrom(1, -1), hours: fc.nat(23), minutes: fc.nat(59) });
    fc.assert(
      fc.property(fc.integer({ min: earliest + day, max: latest - day }), offset, (ms, { sign, hours, minutes }) => {
        const local = formatInstant(ms + sign * (hours * 60 + minutes) * 60_000).slice(0, -1);
        expect(parseInstant(`${local}${sign === 1 ? '+' : '-'}${two(hours)}:${two(minutes)}`)).toBe(ms);
      }),
    );
  });

  it('cuts digits finer than a millisecond off', () => {
    fc.assert(
      fc.property(instant, fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 30 }), (ms, more) => {
        expect(parseInstant(formatInstant(ms).replace('Z', `${more}Z`))).toBe(ms);
      }),
    );
  });

  it.each([
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04t05:06:07.5z', '2026-03-04T05:06:07.500Z'],
    ['2026-03-04T05:06:07.0429999Z', '2026-03-04T05:06:07.042Z'],
    ['2026-03-04T05:06:07-00:00', '2026-03-04T05:06:07.000Z'],
    ['2024-02-29T00:30:00+01:00', '2024-02-28T23:30:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60.25Z', '2017-01-01T00:00:00.250Z'],
    ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
  ])('reads %s as %s', (text, written) => {
    expect(formatInstant(parseInstant(text)!)).toBe(written);
  });

  it.each([
    '',
    '2026-03-04',
    '2026-03-04T05:06Z',
    '2026-03-04T05:06:07',
    '2026-03-04 05:06:07Z',
    '2026-03-04T05:06:07.Z',
    '2026-03-04T05:06:07,5Z',
    '2026-03-04T05:06:07Z\n',
    ' 2026-03-04T05:06:07Z',
    '2026-03-04T05:06:07+0100',
    '2026-03-04T05:06:07+01',
    '2026-03-04T05:06:07+24:00',
    '2026-03-04T05:06:07+01:60',
    '2026-00-04T05:06:07Z',
    '2026-13-04T05:06:07Z',
    '2026-03-00T05:06:07Z',
    '2026-04-31T05:06:07Z',
    '2026-02-29T05:06:07Z',
    '1900-02-29T05:06:07Z',
    '2026-03-04T24:00:00Z',
    '2026-03-04T05:60:07Z',
    '2026-03-04T05:06:61Z',
    '2026-03-04T05:06:60Z',
    '2016-12-31T23:59:60+01:00',
    '+02026-03-04T05:06:07Z',
    '26-03-04T05:06:07Z',
    '２０２６-03-04T05:06:07Z',
  ])('is not read from %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('is not written where RFC 3339 has no year for it', () => {
    for (const ms of [earliest - 1, latest + 1, Number.NaN]) expect(() => formatInstant(ms)).toThrow(RangeError);
  });

  it('of a new entry is now, but always after the newest', () => {
    fc.assert(
      fc.property(instant, instant, (now, newest) => {
        const later = laterInstant(now, newest);
        expect(later).toBeGreaterThan(newest);
        expect(later === now || later === newest + 1).toBe(true);
        if (now > newest) expect(later).toBe(now);
      }),
    );
    expect(laterInstant(5, null)).toBe(5);
  });
});
