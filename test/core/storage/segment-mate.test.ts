import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realDisk } from '#core/storage/disk';
import { newReading, SegmentReader } from '#core/storage/segment-reader';
import { hashPrefix, listSegments } from '#core/storage/segments';
import { arbitraryHistory, namedUuid } from '../../helpers/history';
import { dumpReading, readSegments } from '../../helpers/reading';
import { createFolder } from '../../helpers/workspace';

/** What a segment may end with, or hold besides: a torn line, a whole one without its newline, a line that no place has room for, bytes that are no text. */
const additions = [
  '',
  '{"format":0,"id":"018f',
  '{"format":0}',
  `{"format":0,"long":"${'x'.repeat(700_000)}"}\n{}\n`,
  '\n\r\n\xff\n',
  `{"format":1,"id":"${namedUuid('a')}","kind":"k","time":"2026-01-01T00:00:00Z","writer":"${namedUuid('w')}","idem":"${namedUuid('i')}","body":1}\n`,
].map((text) => Buffer.from(text, 'latin1'));

const segments = fc.tuple(arbitraryHistory(), fc.array(fc.nat(), { minLength: 8, maxLength: 40 })).map(([{ lines }, dice]) => {
  const dealt = Array.from({ length: 6 }, () => [] as string[]);
  lines.forEach((line, at) => {
    const die = dice[at % dice.length]!;
    dealt[die % 6]!.push(line);
    if (die % 5 === 0) dealt[(die >> 3) % 6]!.push(line);
  });
  return dealt.map((own, at) =>
    Buffer.concat([Buffer.from(own.map((line) => `${line}\n`).join('')), additions[dice[at]! % additions.length]!]),
  );
});

/** What one thread reads, with the numbers that two gave to the segments: they are numbered as they are met. */
function readAlone(all: readonly Buffer[], names: readonly string[]) {
  const byNumber = names.map((name) => all[Number.parseInt(name, 10)]!);
  const reading = readSegments(byNumber.map((bytes) => (bytes.at(-1) === 0x7d ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes)));
  return dumpReading(reading);
}

describe('segments that two threads read', () => {
  it('say what they say to one, each with the hash of what was read of it', async () => {
    await fc.assert(
      fc.asyncProperty(segments, fc.constantFrom(0, 2), async (all, share) => {
        const folder = createFolder('ledger');
        mkdirSync(folder, { recursive: true });
        for (const [number, bytes] of all.entries()) writeFileSync(join(folder, `${number}.jsonl`), bytes);
        let reader = new SegmentReader(realDisk, folder, true, newReading());
        for (let turn = 0; turn === 0 || reader.reading.conflict; turn++) {
          if (turn > 0) reader = new SegmentReader(realDisk, folder, true, newReading(reader.reading.winners));
          await reader.consumeAll(listSegments(realDisk, folder), { worth: 0, share });
        }
        expect(dumpReading(reader.reading)).toEqual(readAlone(all, reader.names));
        for (const { name, offset, prefix } of reader.states()) {
          const bytes = all[Number.parseInt(name, 10)]!;
          expect({ name, offset }).toEqual({ name, offset: bytes.lastIndexOf(0x0a) + 1 });
          expect(prefix).toBe(hashPrefix(realDisk, join(folder, name), offset)?.value());
        }
      }),
      { numRuns: 12 },
    );
  });

  it.each([0, 1])(
    'of which one is gone meanwhile are a failure, as to one, and the rest is not waited for (%i read here)',
    async (share) => {
      const folder = createFolder('ledger');
      for (const number of [0, 1, 2]) writeFileSync(join(folder, `${number}.jsonl`), '{"format":0}\n'.repeat(50));
      const listed = listSegments(realDisk, folder);
      for (const number of [0, 2]) rmSync(join(folder, `${number}.jsonl`));
      const reader = new SegmentReader(realDisk, folder, true, newReading());
      await expect(reader.consumeAll(listed, { worth: 0, share })).rejects.toThrow('ENOENT');
    },
  );
});
