import { type AnchorReason, type AnchorState, anchorReasons, anchorStates, type Twin } from '#kernel/anchor';
import {
  fits,
  hashOf,
  isJson,
  type Json,
  listOf,
  looseListOf,
  optionalText,
  type Sizes,
  textOf,
  unsigned32,
  uuidOf,
} from '#kernel/body-field';
import type { ContentHash } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** The most bytes that a name, a kind or a path of code may take. */
const anchorNameCap = 4096;
/** The most bytes that a note or a reason about an anchor may take. */
export const anchorNoteCap = 4096;
/** The most twins, and the most names beside, that one baseline records. */
export const anchorTwinsCap = 256;

/** Who anchored, confirmed or removed: a person, or another program under the name it gave. */
export interface AnchorActor {
  readonly type: 'human' | 'external';
  readonly id: string;
}

/** Code as it was when a person or a program last said that a text describes it (code-anchors §6). */
export interface CodePin {
  /** `none` for lines of a file whose declarations cannot be read. */
  readonly language: string;
  readonly kind: string;
  readonly qualified_name: string;
  readonly base_name: string;
  /** Without what tells overloads apart by types or order. */
  readonly plain_name: string;
  /** The qualified name of what it stands in, '' at the top of a file. */
  readonly container: string;
  readonly visibility: string;
  /** Where to look first: a path in the repository, with `/`. */
  readonly file_hint: string;
  readonly hashes: { readonly token: string; readonly body: string; readonly signature: string; readonly shape: string };
  readonly body_tokens: number;
  /** What made the hashes: `recipe:language:grammar version`. */
  readonly recipe: string;
  /** Whether it is a range of lines, for want of a declaration. */
  readonly fallback: boolean;
  readonly lines: { readonly start: number; readonly end: number };
  /** The bytes of its text, in `snapshots/`. */
  readonly snapshot: ContentHash;
  /** The name that git gives to the whole file. */
  readonly blob: string;
  /** The commit that HEAD stood at, where there was one. */
  readonly commit: string | null;
  /** `kind plain_name` of all in the same container with its base name, itself included. */
  readonly names: readonly string[];
  /** What stood elsewhere and is nobody's successor; `complete`: all files were looked at. */
  readonly twins: { readonly complete: boolean; readonly found: readonly Twin[] };
  /** Of a range: which of how many equal ones in its file, from 0. */
  readonly occurrence: { readonly index: number; readonly count: number } | null;
}

/** A text said to describe code. The latest entry of an anchor counts: a later one binds it to other code. */
export interface CodeAnchor extends CodePin {
  readonly anchor: Uuid;
  readonly document: Uuid;
  /** A heading path; empty for the whole document. */
  readonly section: readonly string[];
  /** The name of a linked repository; null for the workspace itself. */
  readonly repository: string | null;
  readonly actor: AnchorActor;
}

/** Somebody looked at changed code and said that the text is right: the code as it was then is the new baseline. */
export interface CodeAnchorConfirmation extends CodePin {
  readonly anchor: Uuid;
  /** The state that it was in. */
  readonly from: AnchorState;
  /** The hash of the code that was looked at. */
  readonly hash_seen: string;
  readonly note: string;
  readonly actor: AnchorActor;
}

/** A check saw an anchor in another state than before. It says so of one baseline, and nothing once there is a newer one. */
export interface CodeAnchorObservation {
  readonly anchor: Uuid;
  /** The entry that made the baseline. */
  readonly baseline: Uuid;
  readonly state: AnchorState;
  readonly reason: AnchorReason;
  readonly file: string;
  readonly moved_to: string | null;
  readonly renamed_to: string | null;
  readonly actual_hash: string | null;
  readonly body_changed: boolean;
  readonly signature_changed: boolean;
  readonly commit: string | null;
}

/** The text is said to describe code that is gone (`retired`), or not any more; the latest counts. */
export interface CodeAnchorRetirement {
  readonly anchor: Uuid;
  readonly state: 'retired' | 'live';
  readonly reason: string;
  readonly actor: AnchorActor;
}

/** An anchor taken away, for good. */
export interface CodeAnchorRemoval {
  readonly anchor: Uuid;
  readonly actor: AnchorActor;
}

/** The anchor, or why it is malformed. */
export function readCodeAnchor(raw: Json, sizes: Sizes): CodeAnchor | string {
  const anchor = uuidOf(raw.anchor);
  const document = uuidOf(raw.document);
  if (anchor === null || document === null) return 'the anchor or the document is not a UUID';
  const section = listOf(raw.section, (heading) => capped(heading, 512, sizes));
  if (section === null || section.length > 16) return 'the section is not valid';
  const repository = optionalText(raw.repository);
  if (repository === undefined || (repository !== null && !fits(repository, anchorNameCap, sizes))) return 'the repository is not text';
  const actor = anchorActorOf(raw.actor, sizes);
  if (actor === null) return 'the actor is not valid';
  const pin = readPin(raw, sizes);
  return typeof pin === 'string' ? pin : { anchor, document, section, repository, ...pin, actor };
}

/** The anchor as it is written. */
export function writeCodeAnchor(body: CodeAnchor): Json {
  const { anchor, document, section, repository, actor } = body;
  return { anchor, document, section, repository, ...writePin(body), actor: writeActor(actor) };
}

/** The confirmation, or why it is malformed. */
export function readCodeAnchorConfirmation(raw: Json, sizes: Sizes): CodeAnchorConfirmation | string {
  const anchor = uuidOf(raw.anchor);
  if (anchor === null) return 'the anchor is not a UUID';
  const from = wordOf(raw.from, anchorStates);
  if (from === null) return 'the state is not known';
  const hash_seen = capped(raw.hash_seen, 256, sizes);
  if (hash_seen === null) return 'the hash that was seen is missing';
  const note = noteOf(raw.note, sizes);
  if (note === null) return 'the note is not text, or too long';
  const actor = anchorActorOf(raw.actor, sizes);
  if (actor === null) return 'the actor is not valid';
  const pin = readPin(raw, sizes);
  return typeof pin === 'string' ? pin : { anchor, from, hash_seen, ...pin, note, actor };
}

/** The confirmation as it is written. */
export function writeCodeAnchorConfirmation(body: CodeAnchorConfirmation): Json {
  const { anchor, from, hash_seen, note, actor } = body;
  return { anchor, from, hash_seen, ...writePin(body), note, actor: writeActor(actor) };
}

/** The observation, or why it is malformed. */
export function readCodeAnchorObservation(raw: Json, sizes: Sizes): CodeAnchorObservation | string {
  const anchor = uuidOf(raw.anchor);
  const baseline = uuidOf(raw.baseline);
  if (anchor === null || baseline === null) return 'the anchor or its baseline is not a UUID';
  const state = wordOf(raw.state, anchorStates);
  const reason = wordOf(raw.reason, anchorReasons);
  if (state === null || reason === null) return 'the state or its reason is not known';
  const file = capped(raw.file, anchorNameCap, sizes);
  if (file === null) return 'the file is not text';
  const [moved_to, renamed_to] = [optionalText(raw.moved_to), optionalText(raw.renamed_to)];
  const [actual_hash, commit] = [optionalText(raw.actual_hash), optionalText(raw.commit)];
  if (moved_to === undefined || renamed_to === undefined || actual_hash === undefined || commit === undefined) {
    return 'a place or a hash is not text';
  }
  const flags = { body_changed: raw.body_changed === true, signature_changed: raw.signature_changed === true };
  return { anchor, baseline, state, reason, file, moved_to, renamed_to, actual_hash, ...flags, commit };
}

/** The observation as it is written. */
export function writeCodeAnchorObservation(body: CodeAnchorObservation): Json {
  const { anchor, baseline, state, reason, file, moved_to, renamed_to, actual_hash, body_changed, signature_changed, commit } = body;
  return { anchor, baseline, state, reason, file, moved_to, renamed_to, actual_hash, body_changed, signature_changed, commit };
}

/** The retirement, or why it is malformed: no other state is read, so that a typo silences nothing. */
export function readCodeAnchorRetirement(raw: Json, sizes: Sizes): CodeAnchorRetirement | string {
  const anchor = uuidOf(raw.anchor);
  if (anchor === null) return 'the anchor is not a UUID';
  const state = wordOf(raw.state, ['retired', 'live'] as const);
  if (state === null) return 'the state is not known';
  const reason = noteOf(raw.reason, sizes);
  if (reason === null) return 'the reason is not text, or too long';
  const actor = anchorActorOf(raw.actor, sizes);
  return actor === null ? 'the actor is not valid' : { anchor, state, reason, actor };
}

/** The retirement as it is written. */
export function writeCodeAnchorRetirement({ anchor, state, reason, actor }: CodeAnchorRetirement): Json {
  return { anchor, state, reason, actor: writeActor(actor) };
}

/** The removal, or why it is malformed. */
export function readCodeAnchorRemoval(raw: Json, sizes: Sizes): CodeAnchorRemoval | string {
  const anchor = uuidOf(raw.anchor);
  if (anchor === null) return 'the anchor is not a UUID';
  const actor = anchorActorOf(raw.actor, sizes);
  return actor === null ? 'the actor is not valid' : { anchor, actor };
}

/** The removal as it is written. */
export function writeCodeAnchorRemoval({ anchor, actor }: CodeAnchorRemoval): Json {
  return { anchor, actor: writeActor(actor) };
}

function readPin(raw: Json, sizes: Sizes): CodePin | string {
  const names = pinNames(raw, sizes);
  if (names === null) return 'a name is missing, or too long';
  if (!isJson(raw.hashes)) return 'the hashes are missing';
  const [token, body] = [capped(raw.hashes.token, 256, sizes), textOf(raw.hashes.body)];
  const [signature, shape] = [textOf(raw.hashes.signature), textOf(raw.hashes.shape)];
  if (token === null || body === null || signature === null || shape === null) return 'a hash is not text';
  const snapshot = hashOf(raw.snapshot);
  if (snapshot === null) return 'the snapshot is not valid';
  const lines = linesOf(raw.lines);
  if (lines === null) return 'the lines are not valid';
  const commit = optionalText(raw.commit);
  if (commit === undefined) return 'the commit is not text';
  const hashes = { token, body, signature, shape };
  const rest = { body_tokens: unsigned32(raw.body_tokens) ?? 0, fallback: raw.fallback === true, lines, snapshot, commit };
  const around = { names: beside(raw.names), twins: twinsOf(raw.twins), occurrence: occurrenceOf(raw.occurrence) };
  return { ...names, hashes, ...rest, ...around };
}

type Names = Pick<
  CodePin,
  'language' | 'kind' | 'qualified_name' | 'base_name' | 'plain_name' | 'container' | 'visibility' | 'file_hint' | 'recipe' | 'blob'
>;

function pinNames(raw: Json, sizes: Sizes): Names | null {
  const required = (value: unknown) => capped(value, anchorNameCap, sizes);
  const [language, kind, qualified_name] = [required(raw.language), required(raw.kind), required(raw.qualified_name)];
  const file_hint = required(raw.file_hint);
  if (language === null || kind === null || qualified_name === null || file_hint === null) return null;
  const [base_name, plain_name] = [textOf(raw.base_name) ?? '', textOf(raw.plain_name) ?? qualified_name];
  const container = textOf(raw.container) ?? '';
  const [visibility, recipe, blob] = [textOf(raw.visibility) ?? '', textOf(raw.recipe) ?? '', textOf(raw.blob) ?? ''];
  const all = { language, kind, qualified_name, base_name, plain_name, container, visibility, file_hint, recipe, blob };
  return Object.values(all).every((text) => fits(text, anchorNameCap, sizes)) ? all : null;
}

function writePin(pin: CodePin): Json {
  const { hashes, lines, twins, occurrence } = pin;
  return {
    language: pin.language,
    kind: pin.kind,
    qualified_name: pin.qualified_name,
    base_name: pin.base_name,
    plain_name: pin.plain_name,
    container: pin.container,
    visibility: pin.visibility,
    file_hint: pin.file_hint,
    hashes: { token: hashes.token, body: hashes.body, signature: hashes.signature, shape: hashes.shape },
    body_tokens: pin.body_tokens,
    recipe: pin.recipe,
    fallback: pin.fallback,
    lines: { start: lines.start, end: lines.end },
    snapshot: pin.snapshot,
    blob: pin.blob,
    commit: pin.commit,
    names: pin.names,
    twins: { complete: twins.complete, found: twins.found.map(writeTwin) },
    ...(occurrence === null ? {} : { occurrence: { index: occurrence.index, count: occurrence.count } }),
  };
}

const writeTwin = ({ file, kind, name, match, token_hash, similarity }: Twin): Json => ({
  file,
  kind,
  name,
  match,
  token_hash,
  similarity,
});

/** A list of twins that cannot be read is not complete: then nothing elsewhere is known to be new. */
function twinsOf(value: unknown): CodePin['twins'] {
  const raw = isJson(value) ? value : {};
  const found = looseListOf(raw.found, twinOf);
  const isWhole = Array.isArray(raw.found) && raw.found.length === found.length && found.length <= anchorTwinsCap;
  return { complete: raw.complete === true && isWhole, found: found.slice(0, anchorTwinsCap) };
}

function twinOf(value: unknown): Twin | null {
  if (!isJson(value)) return null;
  const [file, kind, name] = [textOf(value.file), textOf(value.kind), textOf(value.name)];
  const match = wordOf(value.match, ['identity', 'body', 'near'] as const);
  const token_hash = textOf(value.token_hash);
  if (file === null || kind === null || name === null || match === null || token_hash === null) return null;
  const { similarity } = value;
  const isShare = typeof similarity === 'number' && similarity >= 0 && similarity <= 1;
  return { file, kind, name, match, token_hash, similarity: isShare ? similarity : 1 };
}

const beside = (value: unknown) => looseListOf(value, textOf).slice(0, anchorTwinsCap);

function linesOf(value: unknown): CodePin['lines'] | null {
  if (!isJson(value)) return null;
  const [start, end] = [unsigned32(value.start), unsigned32(value.end)];
  return start === null || end === null || start < 1 || end < start ? null : { start, end };
}

function occurrenceOf(value: unknown): CodePin['occurrence'] {
  if (!isJson(value)) return null;
  const [index, count] = [unsigned32(value.index), unsigned32(value.count)];
  return index === null || count === null || index >= count ? null : { index, count };
}

/** Who did it, or null where that is not valid. */
export function anchorActorOf(value: unknown, sizes: Sizes): AnchorActor | null {
  if (!isJson(value)) return null;
  const type = wordOf(value.type, ['human', 'external'] as const);
  const id = capped(value.id, anchorNameCap, sizes);
  return type === null || id === null ? null : { type, id };
}

/** An actor as it is written. */
export const writeActor = ({ type, id }: AnchorActor) => ({ type, id });

function noteOf(value: unknown, sizes: Sizes): string | null {
  const note = optionalText(value);
  if (note === undefined) return null;
  return note === null || fits(note, anchorNoteCap, sizes) ? (note ?? '') : null;
}

/** A text that says something and takes at most `cap` bytes. */
function capped(value: unknown, cap: number, sizes: Sizes): string | null {
  return typeof value === 'string' && value !== '' && fits(value, cap, sizes) ? value : null;
}

function wordOf<const W extends string>(value: unknown, words: readonly W[]): W | null {
  return words.find((word) => word === value) ?? null;
}
