/** When something happened, as a person would say it: a key of the words under `when`, or only a date. */
export type When = 'this-morning' | 'this-afternoon' | 'this-evening' | 'yesterday' | 'date';

/** How times are written: a language tag, and a zone other than the machine's. */
export interface TimeStyle {
  readonly tag: string;
  readonly timeZone?: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make a format takes longer than to draw a row. One without a zone follows the machine's, and is made anew where that becomes another. */
function formatOf(tag: string, { timeZone }: TimeStyle, parts: Intl.DateTimeFormatOptions, instant: number): Intl.DateTimeFormat {
  const options = timeZone === undefined ? parts : { ...parts, timeZone };
  const key = JSON.stringify([tag, options, timeZone === undefined ? new Date(instant).getTimezoneOffset() : 0]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(tag, options);
  formats.set(key, known);
  return known;
}

/** The hour and minute of an instant (ms since 1970), in the habit of the language. */
export function clockTime(instant: number, style: TimeStyle): string {
  return formatOf(style.tag, style, { timeStyle: 'short' }, instant).format(instant);
}

/** Day and month of an instant, with the year where it is not that of `now`. */
export function dayOf(instant: number, now: number, style: TimeStyle): string {
  const isThisYear = calendarDay(instant, style).slice(0, 4) === calendarDay(now, style).slice(0, 4);
  const year = isThisYear ? {} : { year: 'numeric' as const };
  return formatOf(style.tag, style, { day: 'numeric', month: 'short', ...year }, instant).format(instant);
}

/** How an instant stands to `now`, both in ms since 1970. What lies ahead is only a date. */
export function whenOf(instant: number, now: number, style: TimeStyle): When {
  const day = calendarDay(instant, style);
  if (day === calendarDay(now, style) && instant <= now) return partOfDay(instant, style);
  // Noon of the day before is in that day wherever the clocks change.
  const yesterday = new Date(`${calendarDay(now, style)}T12:00:00Z`);
  yesterday.setUTCDate(yesterday.getUTCDate() - 1);
  return day === yesterday.toISOString().slice(0, 10) ? 'yesterday' : 'date';
}

/** The day of an instant as `2026-11-30`. */
function calendarDay(instant: number, style: TimeStyle): string {
  // Sweden writes its dates as ISO 8601 does.
  return formatOf('sv-SE', style, { dateStyle: 'short' }, instant).format(instant);
}

function partOfDay(instant: number, style: TimeStyle): When {
  const hour = Number(formatOf('sv-SE', style, { hour: 'numeric', hourCycle: 'h23' }, instant).format(instant));
  return hour < 12 ? 'this-morning' : hour < 18 ? 'this-afternoon' : 'this-evening';
}

/** The last moment of a day that was picked as `2026-11-30`, as RFC 3339 in UTC; null for what is no day. */
export function endOfDay(day: string): string | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (parts === null) return null;
  const end = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]), 23, 59, 59, 999);
  return end.getMonth() === Number(parts[2]) - 1 ? end.toISOString() : null;
}
