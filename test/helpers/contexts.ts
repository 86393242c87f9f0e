import fc from 'fast-check';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { nil, type PlainManifest } from '../reference/context.ts';
import { type History, namedUuid } from './history.ts';

/** Three contexts of a history that pin some documents to some of their revisions, one on top of the other, at times in a circle. */
export function contextsOf(history: History) {
  const ids = [namedUuid('one'), namedUuid('two'), nil];
  const revisions = history.documents.flatMap(({ object, revisions: own }) => own.map((revision) => [object, revision] as const));
  const pin = fc.constantFrom(...revisions);
  const manifest = (id: Uuid, name: string) =>
    fc.record({
      id: fc.constant(id),
      name: fc.constant(name),
      parent: fc.constantFrom(null, ...ids.filter((other) => other !== id)),
      selections: fc
        .array(fc.tuple(pin, fc.constantFrom('pin', 'pin', 'pin', 'live', 'foreign')), { maxLength: 4 })
        .map((pins) => Object.fromEntries(pins.map(([[object, revision], how]) => [object, wordOf(how, revision)]))),
      enforcement: fc.constantFrom('greenhouse', 'enforcing', 'strict'),
      visible_claims: fc.constant([] as string[]),
    }) as fc.Arbitrary<PlainManifest>;
  return fc.tuple(manifest(ids[0]!, 'one'), manifest(ids[1]!, 'two'), manifest(nil, 'default'));
}

const wordOf = (how: string, revision: RevisionId) => (how === 'pin' ? revision : how === 'live' ? 'live' : `rev1:${'e'.repeat(64)}`);
