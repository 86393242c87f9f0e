import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakdown, breakdownInTurns } from '#core/workspace/breakdown';
import { arbitraryHistory } from '../../helpers/history.ts';
import { placeOf, readPlace } from '../../helpers/ledger-place.ts';

const now = '2026-07-18T12:00:00.000Z';
const asked = { all: true, scanned: null };

describe('a breakdown in turns', () => {
  it('is what it is at once', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryHistory(), async (history) => {
        const workspace = await readPlace(placeOf(history), now);
        expect(await breakdownInTurns(workspace, asked, { rest: async () => undefined })).toEqual(breakdown(workspace, asked));
      }),
      { numRuns: 25 },
    );
  });

  it('is of one moment, whatever is written while it rests, and however often', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryHistory(), fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 12 }), async (history, pieces) => {
        const first = Math.ceil(history.lines.length / 2);
        const place = placeOf({ ...history, lines: history.lines.slice(0, first) });
        const workspace = await readPlace(place, now);
        const late = history.lines.slice(first);
        const rest = async () => {
          const lines = late.splice(0, pieces.shift() ?? 0);
          if (lines.length === 0) return;
          appendFileSync(join(place.folder, '.vmark/ledger/other.jsonl'), lines.map((line) => `${line}\n`).join(''));
          await workspace.replica.refresh();
        };
        expect(await breakdownInTurns(workspace, asked, { rest })).toEqual(breakdown(workspace, asked));
      }),
      { numRuns: 25 },
    );
  });
});
