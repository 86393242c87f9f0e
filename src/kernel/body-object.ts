import { fits, isJson, type Json, looseListOf, optionalText, type Sizes, textOf, uuidOf } from '#kernel/body-field';
import type { Uuid } from '#kernel/uuid';

/** The most bytes that the reason of a lifecycle entry may take. */
export const lifecycleReasonCap = 2048;

/** Where an object is; the latest registration of an object counts, and a later one of another object takes the path over. */
export interface ObjectRegistered {
  readonly object: Uuid;
  readonly path: string;
  readonly schema: string | null;
  readonly derived_from: readonly Uuid[];
}

/** Whether a document is finished (`frozen`) or live; the latest counts. */
export interface ObjectLifecycle {
  readonly object: Uuid;
  readonly state: 'live' | 'frozen';
  readonly reason: string;
}

/** An advisory finding that outlives a restart. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
}

/** A move of git that made no revision; `op` is read whatever it says. */
export interface Navigation {
  readonly git: { readonly op: string; readonly from: string; readonly to: string; readonly ref: string | null };
}

/** The registration, or why it is malformed; an optional field of another type reads as absent. */
export function readObjectRegistered(raw: Json): ObjectRegistered | string {
  const object = uuidOf(raw.object);
  if (object === null) return 'the object is not a UUID';
  const path = textOf(raw.path);
  if (path === null) return 'the path is not text';
  return { object, path, schema: textOf(raw.schema), derived_from: looseListOf(raw.derived_from, uuidOf) };
}

/** The registration as it is written: an absent schema as null, no `derived_from` without one. */
export function writeObjectRegistered({ object, path, schema, derived_from }: ObjectRegistered): Json {
  return { object, path, schema, ...(derived_from.length === 0 ? {} : { derived_from }) };
}

/** The lifecycle entry, or why it is malformed: no other state is read, so that a typo never silences a document. */
export function readObjectLifecycle(raw: Json, sizes: Sizes): ObjectLifecycle | string {
  const object = uuidOf(raw.object);
  if (object === null) return 'the object is not a UUID';
  const { state } = raw;
  if (state !== 'live' && state !== 'frozen') return 'the state is not known';
  const reason = optionalText(raw.reason);
  if (reason === undefined) return 'the reason is not text';
  if (reason !== null && !fits(reason, lifecycleReasonCap, sizes)) return 'the reason is too long';
  return { object, state, reason: reason ?? '' };
}

/** The lifecycle entry as it is written. */
export function writeObjectLifecycle({ object, state, reason }: ObjectLifecycle): Json {
  return { object, state, reason };
}

/** The diagnostic, or why it is malformed; a path of another type reads as absent. */
export function readDiagnostic(raw: Json): Diagnostic | string {
  const code = textOf(raw.code);
  const message = textOf(raw.message);
  if (code === null || message === null) return 'the diagnostic has no code or no message';
  return { code, message, path: textOf(raw.path) };
}

/** The diagnostic as it is written: an absent path left out. */
export function writeDiagnostic({ code, message, path }: Diagnostic): Json {
  return path === null ? { code, message } : { code, message, path };
}

/** The navigation, or why it is malformed. */
export function readNavigation(raw: Json): Navigation | string {
  if (!isJson(raw.git)) return 'the git move is missing';
  const op = textOf(raw.git.op);
  const from = textOf(raw.git.from);
  const to = textOf(raw.git.to);
  const ref = optionalText(raw.git.ref);
  if (op === null || from === null || to === null || ref === undefined) return 'the git move is not valid';
  return { git: { op, from, to, ref } };
}

/** The navigation as it is written: an absent ref left out. */
export function writeNavigation({ git: { op, from, to, ref } }: Navigation): Json {
  return { git: ref === null ? { op, from, to } : { op, from, to, ref } };
}
