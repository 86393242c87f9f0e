import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands, keysOf } from '#protocol/commands';
import { shownKey } from '#renderer/palette/keys.ts';
import { settingList, wordsKeyOf } from '#renderer/settings/setting-list.ts';
import { wordsIn } from '#renderer/words.ts';

const guide = (name: string) => readFileSync(`docs/guide/${name}.md`, 'utf8');
/** The first cells of every table of a text. */
const firstCells = (text: string) => Array.from(text.matchAll(/^\| (.*?) +\|/gmu), ([, cell]) => cell!);

describe('the guide', () => {
  it('has every key of every command', () => {
    // A mark or a blank follows a key: Ctrl+1 is not Ctrl+10.
    const keys = new Set(firstCells(guide('keyboard')).flatMap((cell) => cell.split(/(?<!\+)[;,]? +|[()]/u)));
    const wanted = commands.flatMap((command) => keysOf(command, 'other').map((key) => `${shownKey(key, false)} (${command.id})`));
    expect(wanted.filter((key) => !keys.has(key.replace(/ \(.*/u, '').replaceAll('\\', '\\\\')))).toEqual([]);
  });

  it('has the key of a Mac where it is not the same with ⌘', () => {
    const text = guide('keyboard');
    const apart = commands.filter(({ mac, keys }) => mac !== undefined && mac[0] !== keys[0]);
    const missing = apart.filter((command) => !text.includes(shownKey(keysOf(command, 'mac')[0]!, true)));
    expect(missing.map((command) => `${shownKey(keysOf(command, 'mac')[0]!, true)} (${command.id})`)).toEqual([]);
  });

  it('has every setting under its section, and no other', () => {
    const say = wordsIn('en');
    const cells = firstCells(guide('settings')).flatMap((cell) => {
      const [section, names] = cell.split(' → ');
      return (names ?? '').split(', ').map((name) => `${section} → ${name}`);
    });
    const known = settingList.map(({ key, section }) => `${say(`settings.section-${section}`)} → ${say(`${wordsKeyOf(key)}.name`)}`);
    expect(known.filter((name) => !cells.includes(name))).toEqual([]);
    expect(cells.filter((name) => !name.endsWith(' → ') && !known.includes(name))).toEqual([]);
  });
});
