import { join } from 'node:path';
import { isLink, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import {
  type Contexts,
  contextsFolder,
  findContext,
  type KnownContext,
  lensThrough,
  manifestText,
  readContexts,
} from '#core/workspace/context';
import { hasLedger, vmarkName } from '#core/workspace/place';
import { throughTemporary } from '#core/workspace/temporary';
import type { Workspace } from '#core/workspace/workspace';
import type { Json } from '#kernel/body-field';
import {
  bareDefault,
  changedManifest,
  defaultContextId,
  defaultContextName,
  type Enforcement,
  isContextName,
  type ManifestChange,
  newManifest,
} from '#kernel/context';
import { none } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';
import { Fault, faultFromSystem } from '#protocol';

/** A new context: its name, and what it takes the rest from. */
export interface NewContext {
  readonly name: string;
  /** By name or id; null for none. */
  readonly parent: string | null;
  readonly branch: string | null;
}

/** `name-invalid`: see `isContextName`; `name-taken`; `parent-unusable`: it cannot be walked to its end; `no-ledger`: there is nothing to look at. */
export type ContextMade = { readonly kind: 'made'; readonly context: Uuid } | { readonly kind: ContextRefusal };
type ContextRefusal = 'name-invalid' | 'name-taken' | 'parent-unusable' | 'no-ledger';

/** Makes a context: greenhouse, everything as in its parent. The caller holds the lock. */
export function makeContext(workspace: Workspace, { name, parent, branch }: NewContext): ContextMade {
  const { disk, root, vmark, chance } = workspace;
  if (!hasLedger(disk, root)) return { kind: 'no-ledger' };
  if (!isContextName(name)) return { kind: 'name-invalid' };
  const contexts = readContexts(disk, vmark);
  if (isTaken(contexts, name)) return { kind: 'name-taken' };
  const id = chance.newId(chance.now());
  const raw = changedManifest(newManifest(id, name), {
    ...(parent === null ? {} : { parent: findContext(contexts, parent).manifest.id }),
    ...(branch === null ? {} : { gitBranch: branch }),
  });
  const made = { file: `${name}.json`, manifest: { ...bareDefault, id, name, parent: raw.parent as Uuid | null } };
  if (!isWalkable({ ...contexts, all: [...contexts.all, made] }, made)) return { kind: 'parent-unusable' };
  writeManifest(workspace, made.file, null, raw);
  return { kind: 'made', context: id };
}

/** File names are the same to some systems whatever their case, and a file that cannot be read has its name too. */
function isTaken({ all, unreadable }: Contexts, name: string): boolean {
  const same = (other: string) => other.normalize('NFC').toLowerCase() === name.toLowerCase();
  return (
    all.some((one) => same(one.manifest.name) || same(`${one.file}`.slice(0, -5))) || unreadable.some(({ file }) => same(file.slice(0, -5)))
  );
}

const broken = ['context-cycle', 'context-too-deep', 'context-parent-unknown'];

const isWalkable = (contexts: Contexts, context: KnownContext) =>
  !lensThrough(contexts, context).problems.some(({ code }) => broken.includes(code));

/**
 * `default-enforced`: the default context is always a greenhouse; `parent-unusable`: the chain would lead round, or nowhere, or be
 * too long; `revision-unknown`: a pin on a revision that the document does not have; `no-ledger`. Nothing was changed then.
 */
export type ContextChanged = { readonly kind: 'changed' | 'default-enforced' | 'parent-unusable' | 'revision-unknown' | 'no-ledger' };

/** What a person changes in a context; what is left out stays. Contexts are named by name or id. */
export interface ContextChange {
  readonly context: string;
  readonly parent?: string | null | undefined;
  readonly enforcement?: Enforcement | undefined;
  readonly branch?: string | null | undefined;
  /** Null takes a selection out, so that the parents decide. */
  readonly pins?: ReadonlyMap<Uuid, 'live' | RevisionId | null> | undefined;
  readonly claims?: readonly string[] | undefined;
}

/** Changes a context and keeps all else in its file. The default one gets its file by it. The caller holds the lock. */
export function changeContext(workspace: Workspace, { context: named, parent, ...asked }: ContextChange): ContextChanged {
  const { disk, root, vmark } = workspace;
  if (!hasLedger(disk, root)) return { kind: 'no-ledger' };
  const contexts = readContexts(disk, vmark);
  const context = findContext(contexts, named);
  const change = changeOf(asked, parent == null ? parent : findContext(contexts, parent).manifest.id);
  const isDefault = context.manifest.id === defaultContextId;
  if (isDefault && change.enforcement === 'enforcing') return { kind: 'default-enforced' };
  if (change.parent !== undefined && !canHaveParent(contexts, context, change.parent)) return { kind: 'parent-unusable' };
  if (!arePinsKnown(workspace, change)) return { kind: 'revision-unknown' };
  const file = context.file ?? `${defaultContextName}.json`;
  const before = readManifestBytes(workspace, file);
  if (context.file === null && before !== null) throw new Fault('context-unreadable', { path: placeOf(file) });
  const raw = before === null ? newManifest(context.manifest.id, context.manifest.name) : exactly(manifestText(before));
  writeManifest(workspace, file, before, changedManifest(raw, change));
  return { kind: 'changed' };
}

function changeOf(
  { enforcement, branch, pins, claims }: Omit<ContextChange, 'parent' | 'context'>,
  parent: Uuid | null | undefined,
): ManifestChange {
  return {
    ...(parent === undefined ? {} : { parent }),
    ...(enforcement === undefined ? {} : { enforcement }),
    ...(branch === undefined ? {} : { gitBranch: branch }),
    ...(pins === undefined ? {} : { selections: pins }),
    ...(claims === undefined ? {} : { visibleClaims: claims }),
  };
}

function canHaveParent(contexts: Contexts, context: KnownContext, parent: Uuid | null): boolean {
  const changed = { file: context.file ?? `${defaultContextName}.json`, manifest: { ...context.manifest, parent } };
  const all = contexts.all.map((one) => (one === context ? changed : one));
  // No context that takes from this one may lose its way by it.
  return all.every((one, at) => isWalkable({ ...contexts, all }, one) || (one !== changed && !isWalkable(contexts, contexts.all[at]!)));
}

function arePinsKnown({ replica }: Workspace, { selections }: ManifestChange): boolean {
  const { graph } = replica.reading;
  return [...(selections ?? [])].every(
    ([object, chosen]) => chosen === null || chosen === 'live' || graph.findNode(graph.findObject(object), chosen) !== none,
  );
}

/** `default-kept`: the default context is always there; `is-parent`: another one takes from it. Nothing was removed then. */
export type ContextRemoved = { readonly kind: 'removed' | 'default-kept' | 'is-parent' };

/** Removes the file of a context. Entries that name it stay. The caller holds the lock. */
export function removeContext({ disk, vmark }: Workspace, named: string): ContextRemoved {
  const contexts = readContexts(disk, vmark);
  const { file, manifest } = findContext(contexts, named);
  if (manifest.id === defaultContextId || file === null) return { kind: 'default-kept' };
  if (contexts.all.some((one) => one.manifest.parent === manifest.id)) return { kind: 'is-parent' };
  try {
    disk.unlinkSync(join(contextsFolder(vmark), file));
  } catch (error) {
    throw faultFromSystem(error, placeOf(file));
  }
  return { kind: 'removed' };
}

const placeOf = (file: string) => `${vmarkName}/contexts/${file}`;

function readManifestBytes({ disk, vmark }: Workspace, file: string): Buffer | null {
  try {
    return readIfThere(disk, join(contextsFolder(vmark), file));
  } catch (error) {
    throw faultFromSystem(error, placeOf(file));
  }
}

/** Whole or not at all, and only over what was read; nothing is written through a link. */
function writeManifest(workspace: Workspace, file: string, before: Buffer | null, raw: Json): void {
  const { disk, vmark, chance } = workspace;
  const path = join(contextsFolder(vmark), file);
  if (isLink(disk, contextsFolder(vmark)) || isLink(disk, path)) throw new Fault('not-a-folder', { path: placeOf(file) });
  const refuseConflict = () => {
    const now = readIfThere(disk, path);
    const isSame = now === null || before === null ? now === before : now.equals(before);
    if (!isSame) throw new Fault('conflict-on-disk', { path: placeOf(file) });
  };
  try {
    makeFolder(disk, contextsFolder(vmark));
    const keep = before === null ? undefined : disk.statSync(path);
    const bytes = Buffer.from(`${JSON.stringify(raw, null, 2)}\n`, 'utf8');
    const token = chance.newId(chance.now()).slice(-12);
    throughTemporary(workspace, { target: path, token, isNew: keep === undefined }, (temporary) =>
      writeAtomic(disk, path, bytes, temporary, keep, refuseConflict),
    );
  } catch (error) {
    throw faultFromSystem(error, placeOf(file));
  }
}

/** What newer engines offer and the types do not know yet. */
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, at: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** Parses JSON so that numbers which a double cannot hold are written again as they stood: fields that we do not know are kept. */
function exactly(text: string): Json {
  return exactJson.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? exactJson.rawJSON(source) : value,
  ) as Json;
}
