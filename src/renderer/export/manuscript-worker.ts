import type { ReadingWords } from '#renderer/reading/markdown.ts';
import { type Chapter, type Manuscript, manuscriptOf } from './manuscript.ts';

/** What the worker is asked, once. */
export interface ManuscriptRequest {
  readonly chapters: readonly Chapter[];
  readonly words: ReadingWords;
}

/** What it answers; a problem: the chapters could not be read. */
export type ManuscriptAnswer = { readonly manuscript: Manuscript } | { readonly problem: string };

self.addEventListener('message', ({ data }: MessageEvent<ManuscriptRequest>) => self.postMessage(answer(data)));

function answer({ chapters, words }: ManuscriptRequest): ManuscriptAnswer {
  try {
    return { manuscript: manuscriptOf(chapters, words) };
  } catch (error) {
    return { problem: String(error) };
  }
}
