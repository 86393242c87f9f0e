const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How far apart versions stand that are kept, by their age, in ms; 0: every one is. */
const steps = [
  // Every one: what was saved a moment ago is what is looked for most.
  { upTo: hour, apart: 0 },
  { upTo: day, apart: 5 * minute },
  { upTo: 30 * day, apart: hour },
  { upTo: 365 * day, apart: day },
  { upTo: Number.POSITIVE_INFINITY, apart: 7 * day },
] as const;

/** For so long what an earlier version was put in the place of is kept, in ms. */
const regret = 30 * day;

/**
 * The versions that are kept of a document, oldest first as they are given: of each stretch of time the last one, and the
 * stretches grow with age. The newest is always kept, and the first, which is what was there before; and for a month what an earlier version was put in the place of.
 */
export function thinned<Version extends { readonly at: number; readonly isReplaced?: true | undefined }>(
  versions: readonly Version[],
  now: number,
): Version[] {
  const apartOf = ({ at }: Version) => steps.find(({ upTo }) => Math.max(0, now - at) <= upTo)!.apart;
  const placeOf = (version: Version) => `${apartOf(version)} ${Math.floor(version.at / apartOf(version))}`;
  const isLast = (version: Version, index: number) => {
    const next = versions[index + 1];
    const isRegretted = version.isReplaced === true && now - version.at <= regret;
    return isRegretted || index === 0 || next === undefined || apartOf(version) === 0 || placeOf(next) !== placeOf(version);
  };
  return versions.filter(isLast);
}
