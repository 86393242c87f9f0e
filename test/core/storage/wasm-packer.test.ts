import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { packerSource } from '#core/storage/line-packer-module';
import { isQuick, quickPacker } from '#core/storage/wasm-packer';
import { bytesOf, inputAt, LineBatch, lineAt, lineKinds, outputAt, resolutionAt, writeAt } from '#kernel/line-batch';
import { linePacker } from '#kernel/line-packer';
import { packerSources, sourceHash } from '../../../scripts/packer-sources';
import { arbitraryHistory } from '../../helpers/history';
import { arbitraryDamage, arbitraryLine } from '../../helpers/lines';

/** So many newlines that packing is worth the module. */
const filling = Buffer.alloc(65_536, '\n');

/** What is packed of bytes: each line as its words, without what stands in the room that it has for numbers. */
function linesOf({ words, end }: LineBatch): unknown[] {
  const lines: unknown[] = [];
  for (let line = 0; line < end; line += words[line + lineAt.size]!) {
    const kind = words[line + lineAt.kind]!;
    const [offset, length] = [words[line + lineAt.offset], words[line + lineAt.length]];
    if (kind === lineKinds.other) lines.push({ offset, length, bytes: Buffer.from(bytesOf(words, line)) });
    else lines.push(withoutRoom(words.slice(line, line + words[line + lineAt.size]!)));
  }
  return lines;
}

function withoutRoom(line: Uint32Array): Uint32Array {
  if (line[lineAt.kind] === lineKinds.resolution) {
    line[resolutionAt.node] = 0;
    return line;
  }
  let at: number = writeAt.lists;
  for (let left = line[writeAt.inputs]!; left > 0; left--, at += inputAt.size) line[at + inputAt.node] = 0;
  for (let left = line[writeAt.outputs]!; left > 0; left--) {
    line[at + outputAt.node] = 0;
    const parents = line[at + outputAt.parents]!;
    at += outputAt.list;
    for (let parent = 0; parent < parents; parent++, at += outputAt.parent) line[at] = 0;
  }
  return line;
}

/** What the module makes of bytes, and what the kernel does; with `room` for so many words. */
function packedBoth(source: Buffer, base: number, room?: number) {
  const packers = [quickPacker(room !== undefined), linePacker(digest, room !== undefined)];
  return packers.map((pack) => {
    const batch = new LineBatch(new Uint32Array(room ?? 1024));
    return { taken: pack(source, base, batch), end: batch.end, lines: linesOf(batch) };
  });
}

const lines = fc.oneof(
  fc.array(
    fc.tuple(arbitraryLine(), fc.option(arbitraryDamage(), { nil: undefined })).map(([text, damage]) => {
      const bytes = Buffer.from(text);
      return damage === undefined ? bytes : damage(bytes);
    }),
    { maxLength: 8 },
  ),
  arbitraryHistory().map(({ lines }) => lines.map((line) => Buffer.from(line))),
);

const segment = fc
  .tuple(lines, fc.uint8Array({ maxLength: 80 }))
  .map(([lines, torn]) => Buffer.concat([...lines.flatMap((line) => [line, Buffer.from('\n')]), filling, torn]));

describe('the module that packs lines', () => {
  it('was made of the sources that are here (npm run packer)', () => {
    expect(packerSource).toBe(sourceHash(packerSources()));
    quickPacker()(filling, 0, new LineBatch());
    expect(isQuick()).toBe(true);
  });

  it('gives the words that the kernel gives, of whole lines and of damaged ones', () => {
    fc.assert(
      fc.property(segment, fc.constantFrom(0, 1_000_000, 3_000_000_000), (bytes, base) => {
        const [quick, plain] = packedBoth(bytes, base);
        expect(quick).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('ends before the same line where there is no room for more', () => {
    fc.assert(
      fc.property(segment, fc.integer({ min: 0, max: 3000 }), (bytes, room) => {
        const [quick, plain] = packedBoth(bytes, 0, room);
        expect(quick).toEqual(plain);
      }),
      { numRuns: 100 },
    );
  });

  it('packs what has more words than it has room for, and more bytes', () => {
    for (const bytes of ['x\n'.repeat(65_536), `${'x'.repeat(999)}\n`.repeat(300)]) {
      const [quick, plain] = packedBoth(Buffer.from(bytes), 0);
      expect(quick).toEqual(plain);
      expect(quick!.taken).toBe(bytes.length);
    }
  });

  it('knows every day that there is, and no other', () => {
    const days = fc.tuple(fc.integer({ min: 1969, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }));
    const two = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(arbitraryLine(), fc.array(days, { minLength: 20, maxLength: 20 }), (text, dates) => {
        const dated = dates.map(([year, month, day]) => text.replace(/"time":".{10}/, `"time":"${year}-${two(month)}-${two(day)}`));
        const [quick, plain] = packedBoth(Buffer.concat([Buffer.from(`${dated.join('\n')}\n`), filling]), 0);
        expect(quick).toEqual(plain);
      }),
      { numRuns: 100 },
    );
  });
});
