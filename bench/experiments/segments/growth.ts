import * as fs from 'node:fs';
import { join } from 'node:path';
import { layouts, newLine, ownSegments, record, writer } from './layout.ts';
import { commitAll, copied, folderSize, must, root, table, timed } from './repository.ts';

function grow(world: string, layout: string): number[] {
  const dir = join(copied(world), 'desk');
  const repository = join(dir, '.git');
  const before = folderSize(repository);
  for (let round = 0; round < 200; round += 1) {
    record(layout, dir);
    commitAll(dir);
  }
  const loose = folderSize(repository) - before;
  must(dir, 'gc', '-q');
  return [ownSegments(dir, writer).length, Math.round(loose / 1024), Math.round(folderSize(repository) / 1024)];
}

function readingRow(count: number): string[] {
  const many = join(root, `many-${count}`);
  const lines = Array.from({ length: count }, () => newLine(writer).line);
  fs.mkdirSync(many);
  for (const [at, line] of lines.entries()) fs.writeFileSync(join(many, `${writer}-${String(at).padStart(16, '0')}.jsonl`), line);
  const big = join(root, `big-${count}.jsonl`);
  fs.writeFileSync(big, lines.join(''));
  const each = (work: (file: string) => unknown) =>
    timed(() => {
      for (const name of fs.readdirSync(many)) work(join(many, name));
    });
  const times = [each((file) => fs.readFileSync(file)), each((file) => fs.statSync(file)), timed(() => void fs.readFileSync(big))];
  return [String(count), ...times.map((time) => time.toFixed(2))];
}

/** How many segments and how large a repository many commits make, and what many segments cost a reader. */
export function compareGrowth(worlds: ReadonlyMap<string, string>): void {
  const grown = layouts.map((layout) => grow(worlds.get(layout)!, layout));
  const labels = ['own segments', '.git grew by, loose (KiB)', '.git after gc (KiB)'];
  console.log('\n## 200 × record, `add -A`, commit');
  table(
    ['', ...layouts],
    labels.map((label, at) => [label, ...grown.map((row) => row[at]!)]),
  );
  console.log('\n## Reading n segments of one line beside one file of n lines (ms, median of 5, warm)');
  table(['n', 'open, read, close each', 'stat each', 'one file'], [1, 200, 2000, 20000].map(readingRow));
}
