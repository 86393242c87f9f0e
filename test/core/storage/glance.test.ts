import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { save } from '#core/workspace/save';
import { scan } from '#core/workspace/scan';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { createHistory } from '../../helpers/history';
import { dumpReading, readSegments } from '../../helpers/reading';
import { createRepository, repositoryAt } from '../../helpers/repository';
import { createTrackingPlace, entriesOf, type Place, savingOf } from '../../helpers/workspace';

const ledgerOf = (place: Place) => join(place.folder, '.vmark', 'ledger');
const segment = (number: number) => `other-${String(number).padStart(4, '0')}.jsonl`;

/** One line for each segment, of a document of its own; `turn` makes another text of it. */
function lineOf(number: number, turn = 0): string {
  const history = createHistory();
  const body = { code: 'symlink-skipped', message: `number ${number}, ${turn}`, path: `${number}-${turn}.md` };
  history.append('diagnostic', body, { idem: history.uuid(`${number} ${turn}`) });
  const entry = JSON.parse(history.lines[0]!) as { id: string };
  return `${JSON.stringify({ ...entry, id: history.uuid(`id ${number} ${turn}`) })}\n`;
}

/** A workspace whose ledger has so many segments, older than anything that a test does, on a disk that counts. */
async function createLedger({ segments, git }: { segments: number; git: boolean }) {
  const place = createTrackingPlace(git ? createRepository().folder : undefined);
  mkdirSync(ledgerOf(place), { recursive: true });
  for (let number = 0; number < segments; number++) {
    writeFileSync(join(ledgerOf(place), segment(number)), lineOf(number));
    utimesSync(join(ledgerOf(place), segment(number)), 1_700_000_000 + number, 1_700_000_000 + number);
  }
  const counting = createFaultyDisk();
  const workspace = await place.assemble({ disk: counting.disk });
  const saveText = async (text: string) => {
    counting.plan(null);
    expect(await save(workspace, savingOf(place, 'a.md', text))).toMatchObject({
      recorded: { kind: 'recorded', entry: expect.any(String) },
    });
    return counting.calls.map(({ name }) => name);
  };
  await saveText('begun\n');
  await saveText('again\n');
  const known = () => workspace.replica.reading.facts.diagnostics.size;
  return { place, workspace, save: saveText, known };
}

describe('the calls to the disk of a save', () => {
  it.each([true, false])('are as many with 500 segments as with 10 (git: %s)', async (git) => {
    const few = await createLedger({ segments: 10, git });
    const many = await createLedger({ segments: 500, git });
    for (const text of ['one\n', 'two\n', 'three\n']) {
      const calls = await few.save(text);
      expect(await many.save(text)).toEqual(calls);
      expect(calls.filter((name) => name === 'readdirSync').length).toBeLessThanOrEqual(1);
    }
  });
});

/** What another program or git may do to the ledger between two saves, and how many lines are known after it. */
const doings: Readonly<Record<string, { act: (place: Place) => void; seen: 'by the save' | 'by the next scan' }>> = {
  'a segment comes': { act: (place) => writeFileSync(join(ledgerOf(place), segment(999)), lineOf(999)), seen: 'by the save' },
  'an old segment is gone': { act: (place) => rmSync(join(ledgerOf(place), segment(3))), seen: 'by the save' },
  'another file takes the place of an old segment': {
    act: (place) => {
      writeFileSync(join(ledgerOf(place), 'new'), lineOf(3, 1) + lineOf(3, 2) + lineOf(3, 3));
      renameSync(join(ledgerOf(place), 'new'), join(ledgerOf(place), segment(3)));
    },
    seen: 'by the save',
  },
  'the newest segment of another program grows': {
    act: (place) => appendFileSync(join(ledgerOf(place), segment(49)), lineOf(49, 1)),
    seen: 'by the save',
  },
  'an old segment grows': { act: (place) => appendFileSync(join(ledgerOf(place), segment(3)), lineOf(3, 1)), seen: 'by the next scan' },
  'an old segment is written over': {
    act: (place) => writeFileSync(join(ledgerOf(place), segment(3)), lineOf(3, 1) + lineOf(3, 2)),
    seen: 'by the next scan',
  },
};

describe('between two saves', () => {
  it.each(Object.entries(doings))('%s: it is seen', async (_, { act, seen }) => {
    const { place, workspace, save: saveText, known } = await createLedger({ segments: 50, git: false });
    act(place);
    const expected = entriesOf(place, 'diagnostic').length;
    expect(expected).not.toBe(known());
    await saveText('then\n');
    if (seen === 'by the next scan') await scan(workspace, { mode: 'append' });
    expect(known()).toBe(expected);
    expect(dumpReading(workspace.replica.reading)).toEqual(dumpReading(readSegments([...place.segments().values()])));
  });

  it('an old segment is written over: it is seen when its turn comes', async () => {
    const { place, workspace, known } = await createLedger({ segments: 50, git: false });
    doings['an old segment is written over']!.act(place);
    for (let turn = 0; turn < 26; turn++) await workspace.replica.glance();
    expect(known()).toBe(51);
  });

  it('git puts an old segment in place of a newer one: it is seen, whatever stands still', async () => {
    const { place, workspace, save: saveText, known } = await createLedger({ segments: 50, git: true });
    const { git } = repositoryAt(place.folder);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'all');
    writeFileSync(join(ledgerOf(place), segment(3)), lineOf(3) + lineOf(3, 1));
    git('commit', '--quiet', '--all', '--message', 'more');
    await scan(workspace, { mode: 'append' });
    expect(known()).toBe(51);
    git('checkout', '--quiet', 'HEAD~1');
    await saveText('then\n');
    expect(known()).toBe(50);
  });
});
