/** A time of the ledger as `2026-11-30 08:47`, in the zone of the machine or in `timeZone`; what is no time stays as it is. */
export function momentOf(time: string, timeZone?: string): string {
  const instant = new Date(time);
  if (Number.isNaN(instant.getTime())) return time;
  // Sweden writes its dates as ISO 8601 does.
  const zone = timeZone === undefined ? {} : { timeZone };
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', ...zone }).format(instant);
}
