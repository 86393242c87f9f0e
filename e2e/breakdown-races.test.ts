import { describe, expect, it } from 'vitest';
import { movedOn, tellBreakdownStory } from './breakdown-story.ts';
import { draft, faceOf, recordWhatIsSaved, replace, save } from './fixtures/face.ts';
import { type Book, createBook, rowOf } from './writer.ts';

/** Two chapters, each with a source that went on. */
async function createTwoRows(): Promise<Book> {
  const book = createBook({
    'ines.md': '# Ines\n\nInes is left-handed.\n',
    'north.md': '# The north\n\nNobody has been there since the spring.\n',
    'ferry.md': '# The Ferry\n\nShe wrote with her left hand.\n',
    'road.md': '# The Road\n\nIt had been closed since the spring.\n',
  });
  recordWhatIsSaved(book);
  const { call, close } = await faceOf(book.folder, book.home);
  await draft(call, book, 'ferry.md', ['ines.md']);
  await draft(call, book, 'road.md', ['north.md']);
  await save(call, 'ines.md', replace('left-handed', 'right-handed'));
  await save(call, 'north.md', replace('the spring', 'the summer'));
  await close();
  return book;
}

/** The source moves between showing and acting: nothing is recorded, and the row says so. The other acts: breakdown-late-acts. */
describe('a decision about a version that is not the newest any more', () => {
  const story = tellBreakdownStory(createTwoRows);
  const { button, said, decided, edit, open } = story;
  const row = (artifact: string, source: string) => rowOf(story.page, artifact, source, 'changed');
  const ferry = () => row('ferry.md', 'ines.md');
  const road = () => row('road.md', 'north.md');
  // What waits is written at the next act: nobody has to wait for the ten seconds.
  const waive = async () => {
    await open(road());
    edit('north.md', 'the summer', 'the autumn');
    await button('Waive', road()).click();
    await road().getByRole('textbox', { name: 'Reason' }).fill('It is old.');
    await story.page.keyboard.press('Enter');
    await button('Take back', road()).waitFor();
  };
  const accept = async () => {
    await open(ferry());
    await button('Accept latest', ferry()).click();
    await button('Take back', ferry()).waitFor();
  };

  it('is not recorded by Accept latest', async () => {
    await open(ferry());
    const lines = await decided(async () => {
      edit('ines.md', 'right-handed', 'handless');
      await button('Accept latest', ferry()).click();
      await button('Take back', ferry()).waitFor();
      await waive();
      await ferry().getByText(movedOn).waitFor();
    });
    expect(lines).toEqual([]);
    await ferry().getByText('v1 → v3').waitFor();
    await said(movedOn);
  });

  it('is not recorded by Waive; about the newest version it is', async () => {
    const lines = await decided(async () => {
      await accept();
      await road().getByText(movedOn).waitFor();
      await road().getByText('v1 → v3').waitFor();
      await button('Refresh').click();
      await ferry().waitFor({ state: 'detached' });
    });
    expect(lines.map(({ kind }) => kind)).toEqual(['ratification']);
  });
});
