import { describe, expect, it } from 'vitest';
import { isYes, trackText } from '#cli/track';
import { type Outputs, wordsFor } from '#protocol';

type Tracking = Outputs['track'];

const object = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const tracked = { outcome: 'tracked', object, revision: null, reason: null } as const;
const output: Tracking = {
  dry_run: false,
  documents: [
    { ...tracked, path: 'a.md', tracked_by: 'id' },
    { ...tracked, path: 'b.md', tracked_by: 'path', reason: 'bom' },
    { ...tracked, path: 'c.md', tracked_by: 'id', outcome: 'already-tracked' },
    { ...tracked, path: 'd.txt', tracked_by: null, outcome: 'refused', object: null, reason: 'not-a-document' },
    { ...tracked, path: 'e.md', tracked_by: null, outcome: 'refused', object: null, reason: 'a-reason-of-the-future' },
  ],
  counts: { tracked: 2, 'already-tracked': 1, refused: 2 },
};

describe('what became of each document', () => {
  it('is said for those that were named', () => {
    expect(trackText(output, false, wordsFor('en'))).toMatchInlineSnapshot(`
      {
        "notes": [
          "d.txt was not tracked. It is not a document.",
          "e.md was not tracked. a-reason-of-the-future",
        ],
        "text": "a.md is tracked by its id.
      b.md is tracked by its path. It starts with a byte order mark.
      c.md was already tracked.
      2 documents are newly tracked.
      ",
      }
    `);
  });

  it('leaves out those that were tracked before when all were meant', () => {
    expect(trackText(output, true, wordsFor('es')).text).toMatchInlineSnapshot(`
      "a.md se sigue por su id.
      b.md se sigue por su ruta. Empieza con una marca de orden de bytes.
      2 documentos nuevos en seguimiento.
      "
    `);
  });

  it('is what would become of it in a preview', () => {
    expect(trackText({ ...output, dry_run: true }, true, wordsFor('en')).text).toMatchInlineSnapshot(`
      "a.md would be tracked by its id.
      b.md would be tracked by its path. It starts with a byte order mark.
      2 documents would be newly tracked. Nothing was changed.
      "
    `);
  });

  it('says that there is nothing to track', () => {
    const none = { ...output, documents: [], counts: { tracked: 0, 'already-tracked': 0, refused: 0 } };
    expect(trackText(none, true, wordsFor('en')).text).toBe('There is no document here to track.\n');
  });
});

describe('an answer', () => {
  it.each(['y', 'Y', 'yes', ' s ', 'si', 'sí', 'si\u0301', 'Sí'])('%j is a yes', (answer) => {
    expect(isYes(answer)).toBe(true);
  });

  it.each(['', 'n', 'no', 'yn', 'yes please', 'x'])('%j is a no', (answer) => {
    expect(isYes(answer)).toBe(false);
  });
});
