import type { Words } from '#protocol/words';
import { problemWords } from '#renderer/words.ts';
import type { DrawingWords } from './drawing.ts';
import type { ReadingWords } from './markdown.ts';

const calloutKinds = [
  'note',
  'tip',
  'important',
  'warning',
  'caution',
  'info',
  'abstract',
  'summary',
  'todo',
  'success',
  'question',
  'failure',
  'danger',
  'bug',
  'example',
  'quote',
];

/** What a text that is read puts in by itself, in a language. */
export const readingWordsOf = (words: Words): ReadingWords => ({
  footnotes: words('reading.footnotes'),
  back: words('reading.back'),
  callouts: Object.fromEntries(calloutKinds.map((kind) => [kind, words(`reading.callouts.${kind}`)])),
});

/** What a drawn text says in place of pictures and tasks, in a language. */
export const drawingWordsOf = (words: Words): DrawingWords => ({
  showPicture: (from) => words('reading.show-picture', { host: from }),
  noPicture: words('reading.no-picture'),
  problem: problemWords,
  task: words('reading.task'),
});
