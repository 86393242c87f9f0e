import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import type { Resolution } from '#kernel/body-act';
import { parseLine } from '#kernel/entry';
import { lineAt, lineKinds, packedEntry, wordsOf } from '#kernel/line-batch';
import { scanLine } from '#kernel/line-scanner';
import { arbitraryDamage, arbitraryLine } from '../helpers/lines';

/** Whether a line is one that need not be parsed: its bytes are plain, and no agent resolved, nor until a day that only a parser can read. */
function isShort(text: string): boolean {
  if (!/^[\x20-\x7e]*$/u.test(text) || text.includes('\\')) return false;
  const { kind, body } = JSON.parse(text) as { kind: string; body: Partial<Resolution> };
  if (kind === 'transformation') return true;
  const isOurs = body.expires === null || /^(?!0)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u.test(body.expires ?? '');
  return body.actor?.type === 'human' && body.delegation === undefined && isOurs;
}

function scan(bytes: Buffer): Uint32Array | null {
  const words = new Uint32Array(wordsOf(bytes.length));
  // As in a segment: something stands before the line and after it.
  const source = Buffer.concat([Buffer.from('{}\n'), bytes, Buffer.from('\n{"format":0')]);
  const size = scanLine(source, 3, 3 + bytes.length, words, 0);
  return size === 0 ? null : words.slice(0, size);
}

function parsed(text: string): Uint32Array | null {
  const outcome = parseLine(text, digest);
  if (outcome.kind !== 'entry') return null;
  const packed = packedEntry(outcome.entry, { offset: 0, length: 0 });
  return packed[lineAt.kind] === lineKinds.other ? null : packed;
}

describe('the line of a transformation or a resolution', () => {
  it('is scanned in both orders of keys when its texts are plain, and says what the parser says', () => {
    fc.assert(
      fc.property(arbitraryLine(), (text) => {
        const scanned = scan(Buffer.from(text));
        expect(scanned !== null).toBe(isShort(text));
        if (scanned !== null) expect(scanned).toEqual(parsed(text));
      }),
      { numRuns: 500 },
    );
  });

  it('with one byte changed, left out or put in is scanned only where the parser says the same', () => {
    fc.assert(
      fc.property(arbitraryLine(), arbitraryDamage(), (text, damage) => {
        const changed = damage(Buffer.from(text));
        const scanned = changed.includes(0x0a) ? null : scan(changed);
        if (scanned === null) return;
        const expected = parsed(changed.toString('utf8'));
        expect(expected).not.toBeNull();
        expect(scanned).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
