/** Of `names` those that are most like `wanted`, the nearest first: by how many characters must change, of long names a third at most, then by what holds it. */
export function nearestNames(wanted: string, names: readonly string[], limit: number): string[] {
  const plain = wanted.toLowerCase();
  const last = lastPart(plain);
  const scored = [...new Set(names)].map((name) => {
    const lower = name.toLowerCase();
    const distance = Math.min(distanceOf(plain, lower), distanceOf(last, lastPart(lower)) + 1);
    const holds = lower.includes(last) || last.includes(lastPart(lower));
    return { name, distance, isNear: holds || distance <= Math.max(2, plain.length / 3) };
  });
  const near = scored.filter(({ isNear }) => isNear);
  return near
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** The name after its containers, without labels and parameters. */
const lastPart = (name: string) => name.replace(/\(.*$/su, '').split('.').at(-1)!;

/** Levenshtein's distance, of the first 200 characters. */
function distanceOf(left: string, right: string): number {
  const [a, b] = [left.slice(0, 200), right.slice(0, 200)];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
