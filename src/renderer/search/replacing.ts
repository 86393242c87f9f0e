import { saveTouched } from '#renderer/explorer/acts.ts';
import type { Studio } from '#renderer/ui/studio.ts';
import { problemWords, say } from '#renderer/words.ts';
import { replacementsOf } from './search-store.ts';

/** Replaces what is ticked. A document with unsaved text is saved first, which makes it another one than was found: then nothing is replaced yet. */
export async function replaceTicked(studio: Studio): Promise<void> {
  const { connection, search, view, documents } = studio;
  const { wanted } = search.store.getState();
  const files = replacementsOf(search.store.getState());
  if (files.length === 0) return;
  try {
    const isDirty = (path: string) => documents.tabs.getState().tabs.some((tab) => tab.path === path && tab.isDirty);
    if (files.some(({ path }) => isDirty(path))) {
      await saveTouched(studio, (path) => files.some((file) => file.path === path));
      await search.ask();
      return view.notify(say('search.saved-first'));
    }
    const { text, isExpression, matchesCase, wholeWords, replacement } = wanted;
    const query = { text, isExpression, matchesCase, wholeWords };
    const { files: outcomes, undo } = await connection.call('search/replace', { query, replacement, files });
    const done = outcomes.filter((outcome) => outcome.kind === 'done');
    const count = done.reduce((sum, outcome) => sum + outcome.count, 0);
    const left = outcomes.filter((outcome) => outcome.kind !== 'done').map(({ path }) => path);
    const sentence = [
      say('search.replaced', { count, documents: say('counted.documents', { count: done.length, shown: done.length }) }),
      left.length > 0 && say('search.left', { paths: left.join(', ') }),
    ];
    view.notify(sentence.filter(Boolean).join(' '), undo);
    view.announce(sentence.filter(Boolean).join(' '));
    await search.ask();
  } catch (error) {
    view.notify(problemWords(error));
  }
}
