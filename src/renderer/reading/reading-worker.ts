import { type Block, type ReadingWords, readBlocks } from '#renderer/reading/markdown.ts';

/** What the worker is asked; `id` comes back with the answer. */
export interface ReadingRequest {
  readonly id: number;
  readonly text: string;
  readonly words: ReadingWords;
}

/** What the worker answers; `problem`: the text could not be read. */
export interface ReadingAnswer {
  readonly id: number;
  readonly blocks: readonly Block[];
  readonly problem: string | null;
}

self.addEventListener('message', ({ data }: MessageEvent<ReadingRequest>) => {
  self.postMessage(answer(data));
});

function answer({ id, text, words }: ReadingRequest): ReadingAnswer {
  try {
    return { id, blocks: readBlocks(text, words), problem: null };
  } catch (error) {
    return { id, blocks: [], problem: String(error) };
  }
}
