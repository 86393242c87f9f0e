import { describe, expect, it } from 'vitest';
import { fits, reviewOf } from '#renderer/editor/suggestion/review.ts';
import { createTrackingPlace } from '../../../helpers/workspace.ts';
import { openDesk } from './desk.ts';

const text = 'The lamp was very old.\n\nIt stood on the shelf for years.\n\nNobody lit it.\n';
const answer = 'The lamp was old.\n\nIt stood on the sill for years.\n\nNobody lit it.';

async function begin() {
  const place = createTrackingPlace();
  place.setting(false);
  place.write('a.md', text);
  const desk = await openDesk(await place.open(), 'a.md');
  const ask = (about = text.trimEnd(), said = answer) => desk.end(desk.begin({ original: about, start: text.indexOf(about) }), said);
  return { ...desk, ask };
}

describe('suggestions', () => {
  it('are taken and left one by one, whatever the order; undo and redo bring each back', async () => {
    const { ask, pending, accept, reject, undo, redo, text: now } = await begin();
    ask();
    expect(pending().map(({ removed, inserted }) => [removed.trim(), inserted.trim()])).toEqual([
      ['very', ''],
      ['shelf', 'sill'],
    ]);
    expect(now()).toBe(text);
    accept(1);
    expect(now()).toBe(text.replace('shelf', 'sill'));
    reject(0);
    expect([pending(), now()]).toEqual([[], text.replace('shelf', 'sill')]);
    undo();
    expect(pending()).toHaveLength(1);
    undo();
    expect([pending().length, now()]).toEqual([2, text]);
    redo();
    redo();
    expect([pending().length, now()]).toEqual([0, text.replace('shelf', 'sill')]);
    undo();
    accept();
    expect(now()).toBe(text.replace('shelf', 'sill').replace('very ', ''));
    undo();
    undo();
    expect([pending().length, now()]).toEqual([2, text]);
  });

  it('of two answers about the same words are not both taken at once; the other does not fit any more', async () => {
    const { ask, pending, accept, undo, text: now } = await begin();
    const about = 'The lamp was very old.';
    ask(about, 'The lamp was rather new.');
    ask(about, 'The lamp was a very ancient thing.');
    ask(about, 'Gone.');
    accept();
    expect(['The lamp was rather new.', 'The lamp was a very ancient thing.', 'Gone.']).toContain(now().split('\n', 1)[0]);
    const taken = now();
    while (accept(...pending().keys()));
    expect(now()).toBe(taken);
    undo();
    expect(now()).toBe(text);
  });

  it('of several answers stand beside each other, and taking all is one step', async () => {
    const { ask, pending, accept, undo, text: now } = await begin();
    ask('Nobody lit it.', 'No one lit it.');
    ask('The lamp was very old.', 'The lantern was very old.');
    expect(pending().map(({ inserted }) => inserted)).toEqual(['lantern', 'No one']);
    accept();
    expect(now()).toBe(text.replace('lamp', 'lantern').replace('Nobody', 'No one'));
    undo();
    expect(now()).toBe(text);
  });

  it('move along with what is typed elsewhere, while the answer comes and after', async () => {
    const { begin: ask, end, type, pending, accept, text: now } = await begin();
    const id = ask({ original: text.trimEnd(), start: 0 });
    type(0, '# A\n\n');
    end(id, answer);
    type(0, 'x');
    expect(pending().every((one) => one.status === 'pending')).toBe(true);
    accept();
    expect(now()).toBe(`x# A\n\n${answer}\n`);
  });

  it('are never applied over text that was changed, and fit again once it is as it was', async () => {
    const { begin: ask, end, type, pending, accept, undo, buffer, text: now } = await begin();
    const id = ask({ original: text.trimEnd(), start: 0 });
    const shelf = text.indexOf('shelf');
    type(shelf, 'rack', shelf + 5);
    end(id, answer);
    expect(pending().map((one) => fits(buffer().state, one))).toEqual([true, false]);
    expect(accept(1)).toBe(false);
    accept();
    expect(now()).toBe(text.replace('shelf', 'rack').replace('very ', ''));
    undo();
    ask;
    const other = await begin();
    other.ask();
    other.type(shelf + 2, 'X');
    expect(other.accept(1)).toBe(false);
    other.undo();
    expect(other.accept(1)).toBe(true);
    // An answer to an earlier text does not bring back what the writer took back (FR-032).
    other.undo();
    other.ask('Nobody lit it.', 'No one lit it.');
    other.accept(2);
    expect(other.text()).toBe(text.replace('Nobody', 'No one'));
  });

  it('that were taken and cut away by hand do not stand; undo makes them stand again', async () => {
    const { ask, accept, type, undo, buffer } = await begin();
    ask();
    accept(1);
    const standing = () => reviewOf(buffer().state).suggestions.filter(({ status, from, to }) => status === 'accepted' && to > from);
    const { from, to } = standing()[0]!;
    type(from - 3, '', to + 3);
    expect(standing()).toEqual([]);
    undo();
    expect(standing()).toMatchObject([{ from, to }]);
  });

  it('that only add text go behind what was asked about', async () => {
    const { begin: ask, end, accept, text: now } = await begin();
    end(ask({ original: 'Nobody lit it.', start: text.indexOf('Nobody'), action: 'insert' }), '```\nIt went on.\n```\n');
    accept();
    expect(now()).toBe(`${text.trimEnd()}\n\nIt went on.\n`);
  });

  it('are none where the answer is the text', async () => {
    const { ask, pending, buffer } = await begin();
    ask(text.trimEnd(), `\n${text}\n`);
    expect([pending(), reviewOf(buffer().state).runs]).toEqual([[], []]);
  });
});
