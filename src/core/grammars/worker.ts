import { parentPort } from 'node:worker_threads';
import { type PackedFile, packFile } from '#core/grammars/packed';
import { type ParseWishes, parseDeclarations } from '#core/grammars/parse';
import type { Language } from '#kernel/declaration';

/** One file to be parsed in a worker. */
export interface ParseTask {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly wishes: ParseWishes;
}

/** What became of a task; `failure` where parsing itself failed, which is our mistake and not the file's. */
export type ParseResult =
  | { readonly id: number; readonly parsed: (PackedFile & { readonly language: Language }) | null }
  | { readonly id: number; readonly failure: string };

parentPort?.on('message', ({ id, bytes, path, wishes }: ParseTask) => {
  const answer = (result: ParseResult, given: ArrayBuffer[] = []) => parentPort?.postMessage(result, given);
  parseDeclarations(bytes, path, wishes).then(
    (parsed) => {
      if (parsed === null) return answer({ id, parsed });
      const packed = packFile(parsed);
      return answer({ id, parsed: { ...packed, language: parsed.language } }, [packed.trigrams.buffer]);
    },
    (error: unknown) => answer({ id, failure: String(error) }),
  );
});
