import { isUtf8 } from 'node:buffer';
import type { Core } from '#core/core';
import { conflictOf, savedOf } from '#core/handlers/document';
import { bytesHash } from '#core/workspace/save';
import type { ContentHash, RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import type { CallInput, Handlers } from '#protocol/calls';

/** What a person does with versions: puts one back, joins several, tells copies from documents. */
export function versionHandlers(core: Core) {
  return {
    'document/restore': async ({ path, revision, base, idem }) => {
      const outcome = await core.restore({ path, revision, base, idem: idem as Uuid });
      return outcome.kind === 'conflict' ? conflictOf(path, outcome) : savedOf(core, path, outcome);
    },
    'document/copies': () => core.copies(),
    'document/make-new': async (input) => {
      const { object, derivedFrom, bytes } = await core.makeNewDocument(input);
      return { object, derivedFrom, text: bytes.toString('utf8'), base: bytesHash(bytes) };
    },
    'document/propose-join': (input) => core.proposeJoin(input),
    'document/join': (input) => join(core, input),
  } satisfies Partial<Handlers>;
}

async function join(core: Core, { heads, content, result, idem, ...asked }: CallInput<'document/join'>) {
  const wanted = 'text' in result ? result : { take: result.take as ContentHash };
  const named = { heads: heads as RevisionId[], content: content as ContentHash | null, idem: idem as Uuid };
  const joined = await core.join({ ...asked, ...named, result: wanted });
  if (joined.kind === 'moved') return joined;
  const { revision, bytes, base } = joined;
  return { kind: joined.kind, revision, text: isUtf8(bytes) ? bytes.toString('utf8') : null, base };
}
