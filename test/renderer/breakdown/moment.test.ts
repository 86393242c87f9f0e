import { describe, expect, it } from 'vitest';
import { clockTime, dayOf, endOfDay, whenOf } from '#renderer/breakdown/moment.ts';

const lima = { tag: 'en-GB', timeZone: 'America/Lima' };
const at = (time: string) => Date.parse(time);

describe('when something happened', () => {
  it.each([
    ['2026-03-10T09:12:00-05:00', 'this-morning'],
    ['2026-03-10T12:00:00-05:00', 'this-afternoon'],
    ['2026-03-10T18:30:00-05:00', 'this-evening'],
    ['2026-03-09T23:59:00-05:00', 'yesterday'],
    ['2026-03-09T00:00:00-05:00', 'yesterday'],
    ['2026-03-08T23:59:00-05:00', 'date'],
    ['2026-03-10T22:00:00-05:00', 'date'],
  ])('%s is %s in the evening of 10 March in Lima', (time, when) => {
    expect(whenOf(at(time), at('2026-03-10T21:00:00-05:00'), lima)).toBe(when);
  });

  it('is yesterday over a day of 23 hours', () => {
    const madrid = { tag: 'es-ES', timeZone: 'Europe/Madrid' };
    expect(whenOf(at('2026-03-28T12:00:00+01:00'), at('2026-03-29T23:30:00+02:00'), madrid)).toBe('yesterday');
  });

  it('is written in the habit of the language, with the year where it is another', () => {
    const now = at('2026-03-10T21:00:00-05:00');
    expect(clockTime(now, lima)).toBe('21:00');
    expect(dayOf(at('2026-01-14T12:00:00Z'), now, lima)).toBe('14 Jan');
    expect(dayOf(at('2024-01-14T12:00:00Z'), now, { ...lima, tag: 'es' })).toBe('14 ene 2024');
  });
});

describe('the end of a picked day', () => {
  it('is its last moment here', () => {
    const end = new Date(endOfDay('2026-02-28')!);
    expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours(), end.getMilliseconds()]).toEqual([2026, 1, 28, 23, 999]);
  });

  it.each(['', '2026-02-30', '2026-13-01', 'tomorrow'])('is none for "%s"', (day) => {
    expect(endOfDay(day)).toBeNull();
  });
});
