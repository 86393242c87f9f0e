import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const rows = read('docs/code-anchor-weaknesses.md')
  .split('\n')
  .filter((line) => /^\| W\d+/u.test(line));

it('has a row for each of the forty-two weaknesses', () => {
  expect(rows.map((row) => Number(/W(\d+)/u.exec(row)![1]))).toEqual(Array.from({ length: 42 }, (_, at) => at + 1));
});

it.each(rows.map((row) => [/W\d+/u.exec(row)![0], row]))('%s names cases and tests that exist', (_, row) => {
  const shown = row
    .split('|')[4]!
    .match(/`[^`]+`/gu)!
    .map((name) => name.slice(1, -1));
  const cases = read('test/vectors/code-anchors.json');
  const missing = shown.filter((name) => (name.includes('/') ? !existsSync(join(root, name)) : !cases.includes(`"${name}"`)));
  expect(missing).toEqual([]);
  expect(shown.length).toBeGreaterThan(0);
});
