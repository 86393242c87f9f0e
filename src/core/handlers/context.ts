import type { Core } from '#core/core';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import type { CallInput, Handlers } from '#protocol/calls';

/** Contexts, the claims that hold in them, what agents were allowed, and what a merge brought. */
export function contextHandlers(core: Core) {
  return {
    'workspace/merge': async () => ({ merge: await core.landedMerge() }),
    'context/list': () => core.contexts(),
    'context/make': (input) => core.makeContext(input),
    'context/change': ({ pins, ...change }) => core.changeContext({ ...change, pins: pinsOf(pins) }),
    'context/remove': ({ context }) => core.removeContext(context),
    'claim/list': async ({ context }) => ({ claims: await core.claims(context) }),
    'grant/list': async () => ({ grants: await core.grants() }),
    'grant/give': ({ idem, ...input }) => core.giveGrant({ ...input, idem: idem as Uuid }),
    'grant/revoke': ({ grant, idem }) => core.revokeGrant({ grant, idem: idem as Uuid }),
  } satisfies Partial<Handlers>;
}

function pinsOf(pins: CallInput<'context/change'>['pins']) {
  return pins && new Map(pins.map(({ object, chosen }) => [object as Uuid, chosen as 'live' | RevisionId | null]));
}
