import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createJournal } from '#core/journal/journal';
import { createJournalDesk } from '#core/journal/journal-desk';
import { type Disk, realDisk } from '#core/storage/disk';
import type { JournalRecord, JournalSteps, JournalText } from '#protocol/journal-calls';
import { createFaultyDisk } from '../../helpers/faulty-disk';
import { temporaryFolder } from '../../helpers/temporary';

const session = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';
const selection = { ranges: [{ anchor: 0, head: 0 }], main: 0 };
const standing = {
  path: 'a.md',
  encoding: 'utf-8' as const,
  readAs: 'utf-8' as const,
  base: null,
  content: null,
  descends: null,
  selection,
  top: null,
};
const text = (doc: number, said: string, isDirty = true): JournalText => ({
  kind: 'text',
  doc,
  ...standing,
  isDirty,
  at: 1000,
  text: said,
  before: null,
  history: null,
});
const steps = (doc: number, insert: string, at = 2000): JournalSteps => ({
  kind: 'steps',
  doc,
  ...standing,
  isDirty: true,
  at,
  steps: [{ changes: [[0, insert]], at, cursor: [0, 0] }],
});

function openIn(folder = join(temporaryFolder(), 'recovery'), owner = 'a-core', disk: Disk = realDisk, now = () => 0) {
  const journal = createJournal(disk, { folder, owner, now });
  const append = (records: JournalRecord[], fresh = false) => journal.append({ session, fresh, records });
  return { folder, journal, append, file: join(folder, `${session}.journal`) };
}
/** What a later core reads: of each document its text and what was put in since. */
const left = (folder: string) => {
  const later = createJournal(realDisk, { folder, owner: 'later' });
  const { documents } = later.read(session);
  later.close();
  return documents.map((document) => ({
    doc: document.doc,
    text: document.text.text,
    added: document.steps.flatMap((record) => record.steps.map((step) => (step.changes[0] as [number, string])[1])),
    isWhole: document.isWhole,
  }));
};

describe('a journal', () => {
  it('gives back each text with the steps that followed it, and nothing of what was closed', () => {
    const { folder, journal, append } = openIn();
    append([text(1, 'one'), text(2, 'two')], true);
    append([steps(1, 'x')]);
    append([steps(1, 'y'), { kind: 'closed', doc: 2 }]);
    expect(left(folder)).toEqual([{ doc: 1, text: 'one', added: ['x', 'y'], isWhole: true }]);
    journal.close();
  });

  it('begins anew where it is asked to, and only then', () => {
    const { folder, journal, append } = openIn();
    expect(append([text(1, 'one')])).toEqual({ kind: 'unknown' });
    append([text(1, 'one')], true);
    append([steps(1, 'x')]);
    append([text(1, 'xone')], true);
    expect(left(folder)).toEqual([{ doc: 1, text: 'xone', added: [], isWhole: true }]);
    journal.close();
  });

  it('is for its owner only', () => {
    const { folder, journal, append, file } = openIn();
    append([text(1, 'one')], true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    journal.forget(session, 2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    journal.close();
  });

  it('says what was left, when, and whether in order', () => {
    const { journal, append } = openIn();
    append([text(1, 'one'), steps(1, 'x'), text(2, 'two', false)], true);
    const documents = [
      { doc: 1, path: 'a.md', base: null, isDirty: true, at: 2000 },
      { doc: 2, path: 'a.md', base: null, isDirty: false, at: 1000 },
    ];
    expect(journal.list()).toEqual({ sessions: [{ session, at: 1000, isLeft: false, documents }] });
    append([{ kind: 'left', at: 3000 }]);
    expect(journal.list().sessions).toMatchObject([{ at: 3000, isLeft: true }]);
    append([steps(1, 'y', 4000)]);
    expect(journal.list().sessions).toMatchObject([{ at: 4000, isLeft: false }]);
    journal.close();
  });

  it('forgets one document, or all', () => {
    const { folder, journal, append, file } = openIn();
    append([text(1, 'secret'), text(2, 'two')], true);
    journal.forget(session, 1);
    expect(left(folder)).toEqual([{ doc: 2, text: 'two', added: [], isWhole: true }]);
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
    journal.forget(session, null);
    expect(readdirSync(folder).filter((name) => name.endsWith('.journal'))).toEqual([]);
    journal.close();
  });

  it('is not offered while the core that writes it lives, and is once that is gone', () => {
    const { folder, journal, append } = openIn();
    append([text(1, 'one')], true);
    const elsewhere = createJournal(realDisk, { folder, owner: 'b-core' });
    elsewhere.append({ session: other, fresh: true, records: [text(1, 'two')] });
    expect(journal.list().sessions.map((one) => one.session)).toEqual([session]);
    expect(elsewhere.list().sessions.map((one) => one.session)).toEqual([other]);
    elsewhere.close();
    expect(
      journal
        .list()
        .sessions.map((one) => one.session)
        .sort(),
    ).toEqual([session, other]);
    journal.close();
  });

  it('is flushed to the disk at most once a second, and at the end', () => {
    vi.useFakeTimers();
    try {
      const faulty = createFaultyDisk();
      const { journal, append } = openIn(undefined, undefined, faulty.disk, () => Date.now());
      const flushes = () => faulty.calls.filter(({ name }) => name === 'fdatasyncSync').length;
      append([text(1, 'one')], true);
      const first = flushes();
      for (let turn = 0; turn < 40; turn++) {
        append([steps(1, 'x')]);
        vi.advanceTimersByTime(100);
      }
      expect(flushes() - first).toBe(4);
      append([steps(1, 'x')]);
      journal.close();
      expect(flushes() - first).toBe(5);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a journal that is damaged', () => {
  const words = ['eins', 'zwei', 'drei', 'vier', 'fünf'];
  const written = () => {
    const opened = openIn();
    opened.append([text(1, 'one'), text(2, 'two')], true);
    for (const word of words) opened.append([steps(1, word), steps(2, word)]);
    opened.journal.close();
    return { ...opened, bytes: readFileSync(opened.file) };
  };
  const isPrefix = (added: readonly string[]) => added.every((word, at) => word === words[at]);

  it('gives back all that came before the place where it is cut', () => {
    const { folder, file, bytes } = written();
    fc.assert(
      fc.property(fc.nat(bytes.length), (length) => {
        writeFileSync(file, bytes.subarray(0, length));
        const lines = bytes.subarray(0, length).toString('latin1').split('\n').length - 1;
        const found = left(folder);
        expect(found.every(({ added, isWhole }) => isWhole && isPrefix(added))).toBe(true);
        expect(found.length + found.reduce((sum, { added }) => sum + added.length, 0)).toBe(Math.max(0, lines - 1));
      }),
    );
  });

  it('does no step to a text that it was not made on, whatever is wrong in the middle', () => {
    const { folder, file, bytes } = written();
    const damage = fc.record({ at: fc.nat(bytes.length - 1), bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }), remove: fc.nat(200) });
    fc.assert(
      fc.property(damage, ({ at, bytes: garbage, remove }) => {
        writeFileSync(file, Buffer.concat([bytes.subarray(0, at), garbage, bytes.subarray(at + remove)]));
        for (const { added, isWhole } of left(folder)) {
          expect(isPrefix(added)).toBe(true);
          if (isWhole) expect(words.slice(0, added.length)).toEqual(added);
        }
      }),
    );
  });

  it('that is no journal at all is left where it is', () => {
    const { folder, journal, file } = openIn();
    journal.append({ session: other, fresh: true, records: [text(1, 'two')] });
    writeFileSync(file, 'no journal');
    expect(journal.list().sessions.map((one) => one.session)).toEqual([other]);
    expect(readdirSync(folder)).toContain(`${session}.journal`);
    journal.close();
  });
});

describe('a core that dies or meets a bad disk while it keeps a journal', () => {
  it('leaves what was there or what was to be there, whichever call is its last', () => {
    const states = [
      ['one', 0],
      ['one', 1],
      ['two', 0],
    ] as const;
    for (const failure of ['killed', 'torn', 'ENOSPC', 'EIO', 'short'] as const) {
      for (let at = 0; ; at++) {
        const faulty = createFaultyDisk();
        const { folder, journal, append } = openIn(undefined, undefined, faulty.disk);
        append([text(1, 'one')], true);
        faulty.plan({ at, failure, onlyChanges: true });
        let kept = 0;
        try {
          append([steps(1, 'x')]);
          kept = 1;
          append([text(1, 'two')], true);
          kept = 2;
        } catch {
          // Said to the window, which keeps what it has and tries again.
        }
        const [found] = left(folder);
        const state = states.findIndex(([said, count]) => said === found?.text && count === found.added.length);
        expect(state, `${failure} at ${at}`).toBeGreaterThanOrEqual(kept);
        if (!faulty.hasFailed) break;
        faulty.plan(null);
        if (failure === 'killed' || failure === 'torn') continue;
        expect(append([text(1, 'three')], true)).toEqual({ kind: 'kept' });
        expect(left(folder)).toEqual([{ doc: 1, text: 'three', added: [], isWhole: true }]);
        journal.close();
      }
    }
  });
});

describe('the thread that keeps journals', () => {
  it('does what is asked, says what is wrong, and ends', async () => {
    const folder = join(temporaryFolder(), 'recovery');
    const desk = createJournalDesk({ disk: realDisk, folder, owner: 'a-core' });
    expect(await desk.append({ session, fresh: true, records: [text(1, 'one')] })).toEqual({ kind: 'kept' });
    expect((await desk.list()).sessions).toHaveLength(1);
    expect((await desk.read(session)).documents[0]?.text.text).toBe('one');
    await desk.close();
    writeFileSync(join(temporaryFolder(), 'file'), '');
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const blocked = createJournalDesk({ disk: realDisk, folder: join(file, 'recovery'), owner: 'a-core' });
    await expect(blocked.append({ session, fresh: true, records: [] })).rejects.toMatchObject({ code: 'not-a-folder' });
    await blocked.close();
  });
});
