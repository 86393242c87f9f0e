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

parentPort?.on('message', (task: ParseTask) => {
  const answer = (result: ParseResult) => parentPort?.postMessage(result);
  parseDeclarations(task.bytes, task.path, task.wishes).then(
    (parsed) => answer({ id: task.id, parsed }),
    (error: unknown) => answer({ id: task.id, failure: String(error) }),
  );
});
