import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Facts } from '#kernel/facts';
import { namedUuid } from '../helpers/history.ts';

const objects = ['a', 'b', 'c'].map(namedUuid);
const registrations = fc.array(
  fc.record({ object: fc.constantFrom(...objects), path: fc.constantFrom('1.md', '2.md', '3.md', '4.md'), time: fc.nat({ max: 9 }) }),
);

it('the paths that an object owns are those that no other was registered at later, whenever they are asked for', () => {
  fc.assert(
    fc.property(registrations, fc.nat({ max: 8 }), (given, asked) => {
      const facts = new Facts();
      for (const [at, { object, path, time }] of given.entries()) {
        if (at === asked) facts.pathsOwnedBy(objects[0]!);
        facts.register({ time, id: namedUuid(`${at}`), value: { object, path, schema: null, derived_from: [] } });
      }
      for (const object of objects) {
        const owned = [...facts.owners].filter(([, { value }]) => value === object).map(([path]) => path);
        expect(facts.pathsOwnedBy(object).sort()).toEqual(owned.sort());
      }
    }),
  );
});
