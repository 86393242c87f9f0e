const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/**
 * Reads an RFC 3339 timestamp as milliseconds since the epoch, finer digits cut off; null for anything else, impossible dates and times included.
 * A leap second stands only at 23:59:60 UTC and is the instant after it, as POSIX counts.
 */
export function parseInstant(text: string): number | null {
  const match = rfc3339.exec(text);
  if (match === null) return null;
  const part = (index: number): number => Number(match[index] ?? 0);
  const second = part(6);
  if (!isDate(part(1), part(2), part(3))) return null;
  if (part(4) > 23 || part(5) > 59 || second > 60 || part(9) > 23 || part(10) > 59) return null;
  const offset = (match[8] === '-' ? -1 : 1) * (part(9) * 60 + part(10)) * 60_000;
  const minute = Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:00.000Z`) - offset;
  if (second === 60 && !new Date(minute).toISOString().includes('T23:59:')) return null;
  return minute + second * 1000 + Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
}

/** Writes milliseconds since the epoch as the ledger does: RFC 3339 in UTC, three digits, `Z`. Only for the years 0000 to 9999. */
export function formatInstant(ms: number): string {
  if (!(ms >= earliest && ms <= latest)) throw new RangeError('BUG: an instant outside the years that RFC 3339 can write.');
  return new Date(ms).toISOString();
}

/** The time of a new entry, in milliseconds: now, but always after the newest one seen about its subject (format.md §5). */
export function laterInstant(now: number, newest: number | null): number {
  return newest === null ? now : Math.max(now, newest + 1);
}
