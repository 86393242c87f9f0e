import type { SavedVersion } from '#protocol/history-calls';

/** The versions of one day; `day` as `2026-11-30`. */
export interface VersionDay {
  readonly day: string;
  readonly versions: readonly SavedVersion[];
}

/** The day of an instant (ms since 1970) where the writer is, as `2026-11-30`. */
const dayOf = (instant: number): string => {
  const date = new Date(instant);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

/** Versions by their days, in the order in which they come. */
export function byDay(versions: readonly SavedVersion[]): VersionDay[] {
  const days = new Map<string, SavedVersion[]>();
  for (const version of versions) {
    const day = dayOf(version.at);
    days.set(day, [...(days.get(day) ?? []), version]);
  }
  return [...days].map(([day, list]) => ({ day, versions: list }));
}

/** What a day is called, seen from `now`: today, yesterday, or its date. */
export function dayName(day: string, now: number, locale: string): string {
  const apart = Math.round((Date.parse(`${dayOf(now)}T12:00:00Z`) - Date.parse(`${day}T12:00:00Z`)) / 86_400_000);
  if (apart === 0 || apart === 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-apart, 'day');
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(`${day}T12:00:00Z`));
}
