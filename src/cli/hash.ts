import { argumentOf, type Call, linesOf, type Run } from '#cli/command';
import type { Outputs, Words } from '#protocol';

/** `stemma hash`: reads one file and opens neither git nor the ledger. */
export const hash: Run = async (call: Call) => {
  const { hashFile } = await import('#core/hash-file');
  const output = hashFile(call.folder, argumentOf(call, 0), call.folder);
  return { output, print: () => ({ text: hashText(output, call.words) }) };
};

/** The hash and the identity, a line each. */
function hashText(output: Outputs['hash'], words: Words): string {
  const { content_hash, id, schema, binary } = output;
  return linesOf([
    words('cli.hash.content', { hash: content_hash }),
    id === null ? words('cli.hash.no-id') : words('cli.hash.id', { id }),
    ...(schema === null ? [] : [words('cli.hash.schema', { schema })]),
    ...(binary ? [words('cli.hash.binary')] : []),
  ]);
}
