import fc from 'fast-check';
import { expect, it } from 'vitest';
import { none } from '#kernel/key-table';
import { listedEdges, listedFrom, live, type Select } from '#kernel/projection';
import { arbitraryHistory } from '../helpers/history.ts';
import { readSegments } from '../helpers/reading.ts';

it('the listed edges of one source are those of all listed edges that rest on it, however the ledger grows', () => {
  let met = 0;
  fc.assert(
    fc.property(arbitraryHistory(), fc.nat(), fc.nat({ max: 3 }), ({ lines }, die, pinned) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const cut = bytes.lastIndexOf(0x0a, die % bytes.length) + 1;
      const reading = readSegments([bytes.subarray(0, cut)]);
      const { graph } = reading;
      // A context that shows the first revision of one document, where it has any.
      const select: Select = (object) => {
        const first = object === pinned ? [...graph.revisions(object)].at(-1) : undefined;
        return first === undefined ? live(graph)(object) : { kind: 'one', node: first };
      };
      const check = () => {
        const all = [...listedEdges(graph, select)];
        for (let source = 0; source < graph.objects.size; source++) {
          const wanted = all.filter((edge) => graph.edgeSource.at(edge) === source);
          expect([...listedFrom(graph, select, source)].sort()).toEqual(wanted.sort());
          met += wanted.length;
        }
        expect([...listedFrom(graph, select, none)]).toEqual([]);
      };
      check();
      reading.read(bytes.subarray(cut), 0, cut);
      check();
    }),
  );
  expect(met).toBeGreaterThan(50);
});
