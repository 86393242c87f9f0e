import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entriesSince, markOf, parseReflog, type ReflogEntry } from '#core/git/reflog';

const commit = fc.integer({ min: 1, max: 6 }).map((digit) => String(digit).repeat(40));
const message = fc.string().map((text) => text.replace(/[\n\t]/g, ' '));
const line = fc
  .tuple(commit, commit, message, fc.integer({ min: 0, max: 9 }))
  .map(([before, after, text, second]) => ({ before, after, text: `${before} ${after} A <a@b> 179602862${second} +0000\t${text}\n` }));
const log = fc.array(line, { maxLength: 8 });
const textOf = (lines: readonly { text: string }[]) => lines.map((each) => each.text).join('');

it('finds exactly the entries that were written after the mark', () => {
  fc.assert(
    fc.property(log, log, (before, after) => {
      expect(entriesSince(textOf([...before, ...after]), markOf(textOf(before)), null)).toEqual(parseReflog(textOf(after)));
    }),
  );
});

it('finds them too when older lines have expired and the commit before was rewritten', () => {
  fc.assert(
    fc.property(log, line, log, fc.nat(), (older, last, after, cut) => {
      const marked = { ...last, text: last.text.replace('\t', '\tonce: ') };
      const rewritten = { text: marked.text.replace(/^\S+/, '0'.repeat(40)) };
      const kept = older.slice(older.length === 0 ? 0 : cut % (older.length + 1));
      const entries = entriesSince(textOf([...kept, rewritten, ...after]), markOf(textOf([...older, marked])), null);
      expect(entries).toEqual(parseReflog(textOf(after)));
    }),
  );
});

const entry = (before: string, after: string): string =>
  `${before.repeat(40)} ${after.repeat(40)} A <a@b> 1796028620 +0000\tcommit: ${after}\n`;
const shown = (entries: readonly ReflogEntry[]) => entries.map((each) => each.before[0]! + each.after[0]!).join(' ');

it('starts from the commit HEAD stood at when the marked line is gone', () => {
  const mark = markOf(entry('1', '2') + entry('2', '3'));
  const head = '3'.repeat(40);
  expect(shown(entriesSince(entry('3', '4') + entry('4', '5'), mark, head))).toBe('34 45');
  expect(shown(entriesSince(entry('1', '3') + entry('3', '4'), mark, head))).toBe('34');
  expect(shown(entriesSince(entry('7', '8'), mark, head))).toBe('');
  expect(shown(entriesSince('', mark, head))).toBe('');
});

it('takes the whole log when there was none before', () => {
  expect(shown(entriesSince(entry('0', '1') + entry('1', '2'), null, null))).toBe('01 12');
  expect(shown(entriesSince(entry('0', '1'), markOf(''), null))).toBe('01');
});

it('reads names, blank messages and long commit names as git writes them, and leaves the rest', () => {
  const long = 'ab'.repeat(32);
  const text = [
    `${long} ${long} A > 1 +0000 <a@b> 1796028620 -0330\trevert: a\tb > 1796028620 +0000`,
    `${'0'.repeat(40)} ${'1'.repeat(40)} Ana <a@b> 1796028620 +0000`,
    `${'1'.repeat(40)} ${'0'.repeat(40)} Ana <a@b> 1796028620 +0000\tBranch: renamed refs/heads/a to refs/heads/b`,
    'not a line of git',
    `${'1'.repeat(40)} ${'2'.repeat(40)} Ana <a@b> 1796028620 +0000\thalf writ`,
  ].join('\n');
  expect(parseReflog(text)).toEqual([
    { before: long, after: long, message: 'revert: a\tb > 1796028620 +0000' },
    { before: '0'.repeat(40), after: '1'.repeat(40), message: '' },
  ]);
});
