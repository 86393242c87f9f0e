import { describe, expect, it } from 'vitest';
import { readDocument } from '#core/document';
import type { PinnedInput } from '#core/workspace/capture';
import type { SaveOutcome } from '#core/workspace/save';
import { dieAtEveryCall, expectPrefix, heal } from '../../helpers/death';
import { createTrackingPlace, entriesOf, inputOf, type Place, recording, savingFrom, savingOf } from '../../helpers/workspace';

const hashIn = (place: Place, path: string) => readDocument(place.read(path), path).contentHash;
const isThere = (place: Place, path: string) => place.tree().has(path);

describe('a process that dies at any call of the disk', () => {
  it('in a save with inputs leaves the old file or the new one with its one entry', async () => {
    const place = createTrackingPlace();
    const setting = await place.open({ git: false });
    await setting.save(savingOf(place, 'source.md', 'source\n'));
    await setting.save(savingOf(place, 'a.md', 'one\n'));
    await setting.save(savingOf(place, 'other.md', 'other\n'));
    const input = await inputOf(setting, 'source.md');
    const before = place.segments();
    const [old, next] = [place.text('a.md'), place.text('a.md').replace('one', 'two')];
    const died = await dieAtEveryCall(
      place,
      (core) => core.save(savingFrom(place, 'a.md', next, [input])),
      async (answer, where) => {
        expectPrefix(place, before, where);
        const core = await heal(place, where);
        expect([old, next], where).toContain(place.text('a.md'));
        expectEntryOf(place, next, input, answer, where);
        const again = await core.save(savingFrom(place, 'a.md', next.replace('two', 'three'), [input]));
        expect(again, where).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
        expect((await core.logFile('a.md')).heads, where).toHaveLength(1);
      },
    );
    expect(died).toBeGreaterThan(20);
  });

  it('in the very first save of a workspace leaves no file, or the whole one with its one entry', async () => {
    const place = createTrackingPlace();
    const died = await dieAtEveryCall(
      place,
      (core) => core.save(savingOf(place, 'a.md', 'one\n', { base: null })),
      async (answer, where) => {
        expectPrefix(place, new Map(), where);
        if (!isThere(place, 'a.md')) expect(answer, where).toBeNull();
        const core = await heal(place, where);
        const made = entriesOf(place, 'transformation');
        if (!isThere(place, 'a.md')) {
          expect(made, where).toEqual([]);
          return;
        }
        expect(place.text('a.md'), where).toMatch(/^---\nvmark:\n {2}id: [0-9a-f-]{36}\n---\none\n$/u);
        expect(
          made.map(({ body }) => [body.agent.type, body.outputs[0]!.content_hash]),
          where,
        ).toEqual([['human', hashIn(place, 'a.md')]]);
        expect((await core.logFile('a.md')).revisions, where).toHaveLength(1);
      },
    );
    expect(died).toBeGreaterThan(20);
  });

  it('in a record that stamps document and source leaves each as it was or whole, and nothing acknowledged is lost', async () => {
    const place = createTrackingPlace();
    const setting = await place.open({ git: false });
    await setting.save(savingOf(place, 'other.md', 'other\n'));
    place.write('out.md', '# Out\r\n');
    place.write('source.md', 'source\n');
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (core) => core.record(recording('out.md', 'source.md')),
      async (answer, where) => {
        expectPrefix(place, before, where);
        for (const [path, text] of [
          ['out.md', '# Out\r\n'],
          ['source.md', 'source\n'],
        ] as const) {
          expect(place.text(path), where).toMatch(new RegExp(`^(---\r?\nvmark:\r?\n {2}id: [0-9a-f-]{36}\r?\n---\r?\n)?${text}$`, 'u'));
        }
        const isStamped = place.text('out.md') !== '# Out\r\n';
        const core = await heal(place, where);
        const made = entriesOf(place, 'transformation').filter(({ body }) => body.outputs[0]!.content_hash === hashIn(place, 'out.md'));
        if (isStamped) expect(made, where).toHaveLength(1);
        for (const { body } of made) expect([body.agent.type, body.inputs.length], where).toEqual(['model', 1]);
        if (answer !== null)
          expect(
            made.map(({ id }) => id),
            where,
          ).toEqual([answer.entry]);
        const again = await core.record(recording('out.md', 'source.md'));
        expect(again, where).toMatchObject({ dropped: [], inputs: [{ path: 'source.md' }] });
        expect((await core.logFile('source.md')).revisions, where).toHaveLength(1);
      },
    );
    expect(died).toBeGreaterThan(40);
  });

  it('in a scan leaves each edit seen once, or yet to be seen', async () => {
    const place = createTrackingPlace();
    const setting = await place.open({ git: false });
    await setting.save(savingOf(place, 'a.md', 'one\n'));
    await setting.save(savingOf(place, 'b.md', 'one\n'));
    place.write('a.md', place.text('a.md').replace('one', 'two'));
    place.write('parts/b.md', place.text('b.md').replace('one', 'two'));
    place.remove('b.md');
    const before = place.segments();
    const died = await dieAtEveryCall(
      place,
      (core) => core.scan(),
      async (_, where) => {
        expectPrefix(place, before, where);
        const core = await heal(place, where);
        expect((await core.logFile('a.md')).revisions, where).toHaveLength(2);
        expect((await core.logFile('parts/b.md')).revisions, where).toHaveLength(2);
        expect(entriesOf(place, 'object-registered'), where).toHaveLength(3);
      },
    );
    expect(died).toBeGreaterThan(10);
  });
});

/** The new text is recorded once, with what it was made from, if the file has it or the writer was told so; else nowhere. */
function expectEntryOf(place: Place, text: string, input: PinnedInput, answer: SaveOutcome | null, where: string) {
  const hash = readDocument(Buffer.from(text), 'a.md').contentHash;
  const made = entriesOf(place, 'transformation').filter(({ body }) => body.outputs.some((output) => output.content_hash === hash));
  if (answer !== null) expect(place.text('a.md'), where).toBe(text);
  if (place.text('a.md') !== text) {
    expect(made, where).toEqual([]);
    return;
  }
  expect(made, where).toHaveLength(1);
  const { id, body } = made[0]!;
  expect([body.agent, body.confidence], where).toEqual([{ type: 'model', id: 'a-model' }, 'exact']);
  expect(
    body.inputs.map(({ object, revision }) => [object, revision]),
    where,
  ).toEqual([[input.object, input.revision]]);
  if (answer?.kind === 'saved' && answer.recorded.kind === 'recorded') expect(answer.recorded.entry, where).toBe(id);
}
