import { describe, expect, it } from 'vitest';
import { createTrackingPlace, savingOf } from '../../helpers/workspace';

describe('taking ids out of files', () => {
  it('shows the lines first and removes nothing else: line breaks, byte order mark and foreign frontmatter stay', async () => {
    const place = createTrackingPlace();
    const texts = { 'a.md': '# A\r\n\r\ntext\r\n', 'b.md': '---\ntitle: B\n---\n\ntext' };
    const core = await place.open();
    for (const [path, text] of Object.entries(texts)) await core.save(savingOf(place, path, text));
    place.write('plain.md', 'no id\n');
    const before = place.entries().length;
    const documents = await core.stampedDocuments();
    expect(documents.map(({ path, lines }) => [path, lines.map((line) => line.replace(/id: .*/u, 'id'))])).toEqual([
      ['a.md', ['---', 'vmark:', '  id', '---']],
      ['b.md', ['vmark:', '  id']],
    ]);
    const outcomes = await core.takeOutIds(documents);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done']);
    for (const [path, text] of Object.entries(texts)) expect(place.text(path)).toBe(text);
    expect(place.entries()).toHaveLength(before);
    expect(await core.info()).toMatchObject({ setting: 'off' });
    // The next save puts none in again.
    await core.save(savingOf(place, 'a.md', '# A\r\n\r\nmore\r\n'));
    expect(place.text('a.md')).toBe('# A\r\n\r\nmore\r\n');
  });

  it('lists what is known by its path, in which there is nothing to take out, and leaves alone what is not named', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    for (const path of ['a.md', 'b.md', 'mark.md']) await core.save(savingOf(place, path, path === 'mark.md' ? '\ufeff# Mark\n' : '# A\n'));
    const documents = await core.stampedDocuments();
    expect(documents.map(({ path, lines }) => [path, lines.length])).toEqual([
      ['a.md', 4],
      ['b.md', 4],
      ['mark.md', 0],
    ]);
    const before = place.text('b.md');
    expect(await core.takeOutIds(documents.filter(({ path }) => path === 'a.md'))).toMatchObject([{ path: 'a.md', kind: 'done' }]);
    expect([place.text('a.md'), place.text('b.md'), place.text('mark.md')]).toEqual(['# A\n', before, '\ufeff# Mark\n']);
  });

  it('leaves a document alone that was changed since it was shown', async () => {
    const place = createTrackingPlace();
    const core = await place.open();
    await core.save(savingOf(place, 'a.md', 'one\n'));
    const documents = await core.stampedDocuments();
    const theirs = place.text('a.md').replace('one', 'two');
    place.write('a.md', theirs);
    expect(await core.takeOutIds(documents)).toMatchObject([{ path: 'a.md', kind: 'conflict' }]);
    expect(place.text('a.md')).toBe(theirs);
  });
});
