/** What follows the death of a core: another start after a pause in ms, or none, because it keeps dying. */
export type Restart = { readonly kind: 'after'; readonly pause: number } | { readonly kind: 'give-up' };

/** The span in ms in which deaths are counted. */
export const countedSpan = 60_000;
/** How many deaths in that span are too many. */
export const mostDeaths = 5;

const pauses = [0, 250, 1000, 3000] as const;

/** Decides after a death. `deaths` are the moments of all deaths so far, this one last, in ms of one clock. */
export function restartAfter(deaths: readonly number[]): Restart {
  const now = deaths.at(-1) ?? 0;
  const recent = deaths.filter((moment) => now - moment < countedSpan).length;
  if (recent >= mostDeaths) return { kind: 'give-up' };
  return { kind: 'after', pause: pauses[Math.max(recent, 1) - 1] ?? pauses[3] };
}
