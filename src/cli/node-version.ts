/** The oldest Node that this program runs on, as `engines` in package.json says it. */
export const neededNode = '22.22';

/** Whether a version is older than another; numbers are compared part by part, and a missing part is 0. */
export function isOlder(found: string, needed: string): boolean {
  const [have, want] = [found, needed].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let part = 0; part < 3; part++) {
    const difference = (have?.[part] ?? 0) - (want?.[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
