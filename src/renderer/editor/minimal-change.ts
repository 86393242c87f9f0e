import { diff } from '@codemirror/merge';
import { ChangeSet, type Text } from '@codemirror/state';

/** The work that a comparison may do before it takes the rest as replaced: steps, and milliseconds. */
const limits = { scanLimit: 1000, timeout: 200 };

/** The small changes that make `after` of `before`; a cursor outside of what differs keeps its place. */
export function minimalChange(before: Text, after: Text): ChangeSet {
  const changes = diff(before.toString(), after.toString(), limits);
  const specs = changes.map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: after.slice(fromB, toB) }));
  return ChangeSet.of(specs, before.length);
}
