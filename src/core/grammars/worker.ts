import { parentPort } from 'node:worker_threads';
import { type ParseWishes, parseDeclarations } from '#core/grammars/parse';
import type { ParsedFile } from '#kernel/declaration';

/** One file to be parsed in a worker. */
export interface ParseTask {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly wishes: ParseWishes;
}

/** What became of a task; `failure` where parsing itself failed, which is our mistake and not the file's. */
export type ParseResult = { readonly id: number; readonly parsed: ParsedFile | null } | { readonly id: number; readonly failure: string };

async function parse({ id, bytes, path, wishes }: ParseTask): Promise<ParseResult> {
  try {
    return { id, parsed: await parseDeclarations(bytes, path, wishes) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}

// One at a time, though a grammar may have to be loaded first: a file that ends the thread is the first that has no answer.
let before: Promise<void> = Promise.resolve();
parentPort?.on('message', (task: ParseTask) => {
  before = before.then(async () => parentPort?.postMessage(await parse(task)));
});
