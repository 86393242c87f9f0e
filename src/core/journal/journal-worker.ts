import { parentPort, workerData } from 'node:worker_threads';
import { createJournal, type JournalOptions } from '#core/journal/journal';
import { type JournalAnswer, type JournalQuestion, replyOf } from '#core/journal/journal-desk';
import { realDisk } from '#core/storage/disk';

/** The program of the thread that keeps journals: it answers each question in turn, and ends with `close`. */
const journal = createJournal(realDisk, workerData as JournalOptions);

parentPort?.on('message', async (question: JournalQuestion) => {
  const reply = await replyOf(journal, question);
  parentPort?.postMessage({ id: question.id, reply } satisfies JournalAnswer);
  if (question.verb === 'close') parentPort?.close();
});
