import { isJson, type Json, looseId, textOf, uuidOf } from '#kernel/body-field';
import type { Graph } from '#kernel/graph';
import { none } from '#kernel/key-table';
import { live, type Select, type Selection } from '#kernel/projection';
import { parseRevisionId, type RevisionId } from '#kernel/revision';
import { parseUuid, type Uuid } from '#kernel/uuid';

/** The id of the default context, which is always there and has no file until it is changed. */
export const defaultContextId = '00000000-0000-0000-0000-000000000000' as Uuid;
/** The name of the default context. */
export const defaultContextName = 'default';
/** The most manifests that a context is looked up in, its own included (vmark.md §8.6). */
const chainCap = 16;

/** What a verdict of a check is in a context: advice, or a violation. */
export type Enforcement = 'greenhouse' | 'enforcing';
/** What a context takes for current of one object: the head that there is, or a revision. `invalid`: what stands there is neither. */
export type Chosen = 'live' | 'invalid' | RevisionId;

/** A context manifest: a named view of the workspace (`spec/format.md` §7). `raw` is the whole of it, with the fields that are not known. */
export interface Manifest {
  readonly id: Uuid;
  readonly name: string;
  readonly parent: Uuid | null;
  readonly selections: ReadonlyMap<Uuid, Chosen>;
  readonly enforcement: Enforcement;
  readonly visibleClaims: readonly string[];
  readonly gitBranch: string | null;
  readonly problems: readonly ContextProblem[];
  readonly raw: Json;
}

/** What is wrong with a context; it works all the same, with less. `subject` is the id, the word or the object that is meant. */
export interface ContextProblem {
  readonly code:
    | 'context-unreadable'
    | 'context-duplicate-id'
    | 'context-duplicate-name'
    | 'context-cycle'
    | 'context-too-deep'
    | 'context-parent-unknown'
    | 'context-selection-invalid'
    | 'context-enforcement-unknown'
    | 'context-claims-invalid';
  readonly subject: string;
}

/** The default context as long as it has no file. */
export const bareDefault: Manifest = {
  id: defaultContextId,
  name: defaultContextName,
  parent: null,
  selections: new Map(),
  enforcement: 'greenhouse',
  visibleClaims: [],
  gitBranch: null,
  problems: [],
  raw: {},
};

/**
 * The manifest that a parsed JSON value holds, or why it is none (a short phrase). An enforcement that is not known is
 * greenhouse, a selection that is none is live, and both are said.
 */
export function readManifest(value: unknown): Manifest | string {
  if (!isJson(value)) return 'it is not a JSON object';
  const { format = 0 } = value;
  if (format !== 0) return typeof format === 'number' ? 'it is of a newer format' : 'its format is no number';
  const id = uuidOf(value.id);
  if (id === null) return 'it has no id';
  const name = textOf(value.name);
  if (name === null || name === '') return 'it has no name';
  const parent = parentOf(value.parent);
  if (parent === undefined) return 'its parent is not an id';
  const problems: ContextProblem[] = [];
  return {
    id,
    name: id === defaultContextId ? defaultContextName : name,
    parent,
    selections: selectionsOf(value.selections, problems),
    enforcement: id === defaultContextId ? 'greenhouse' : enforcementOf(value.enforcement, problems),
    visibleClaims: claimsOf(value.visible_claims, problems),
    gitBranch: textOf(value.git_branch),
    problems,
    raw: value,
  };
}

/** Undefined where it is something else than a parent. The default context may also be named. */
function parentOf(value: unknown): Uuid | null | undefined {
  if (value === undefined || value === null) return null;
  if (value === defaultContextName) return defaultContextId;
  return uuidOf(value) ?? undefined;
}

function enforcementOf(value: unknown, problems: ContextProblem[]): Enforcement {
  if (value === 'enforcing' || value === 'greenhouse') return value;
  if (value !== undefined && value !== null) problems.push({ code: 'context-enforcement-unknown', subject: shown(value) });
  return 'greenhouse';
}

function selectionsOf(value: unknown, problems: ContextProblem[]): Map<Uuid, Chosen> {
  const selections = new Map<Uuid, Chosen>();
  if (value === undefined || value === null) return selections;
  if (!isJson(value)) problems.push({ code: 'context-selection-invalid', subject: shown(value) });
  else {
    for (const [key, text] of Object.entries(value)) {
      const object = parseUuid(key);
      const chosen = text === 'live' ? 'live' : typeof text === 'string' ? (parseRevisionId(text) ?? 'invalid') : 'invalid';
      if (object !== null) selections.set(object, chosen);
      if (object === null || chosen === 'invalid') problems.push({ code: 'context-selection-invalid', subject: key });
    }
  }
  return selections;
}

function claimsOf(value: unknown, problems: ContextProblem[]): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.filter((claim): claim is string => typeof claim === 'string').map(looseId);
  problems.push({ code: 'context-claims-invalid', subject: shown(value) });
  return [];
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100);

/** A context with all that it takes from its parents. A chain that cannot be walked to its end gives it nothing, and is said. */
export interface Lens {
  readonly id: Uuid;
  readonly name: string;
  readonly enforcement: Enforcement;
  readonly selections: ReadonlyMap<Uuid, Chosen>;
  readonly visibleClaims: readonly string[];
  readonly problems: readonly ContextProblem[];
}

/**
 * Looks a context up in the chain of its parents: of each object the nearest selection, an explicit `live` included;
 * the claims of all, its own first; its own enforcement. A cycle, a parent that is not there and more than 16
 * manifests make it show everything live and no claims.
 */
export function lensOf(manifest: Manifest, others: ReadonlyMap<Uuid, Manifest>): Lens {
  const { id, name, enforcement } = manifest;
  const chain = chainOf(manifest, others);
  if (!Array.isArray(chain)) {
    const problems = [chain, ...manifest.problems];
    return { id, name, enforcement, selections: new Map(), visibleClaims: [], problems };
  }
  const selections = new Map<Uuid, Chosen>();
  for (const link of chain) for (const [object, chosen] of link.selections) if (!selections.has(object)) selections.set(object, chosen);
  const visibleClaims = [...new Set(chain.flatMap((link) => link.visibleClaims))];
  return { id, name, enforcement, selections, visibleClaims, problems: chain.flatMap((link) => link.problems) };
}

/** The manifest and its parents, nearest first, or why they cannot be walked. The default context without a file is no manifest. */
function chainOf(manifest: Manifest, others: ReadonlyMap<Uuid, Manifest>): Manifest[] | ContextProblem {
  const chain = [manifest];
  for (let parent = manifest.parent; parent !== null; parent = chain.at(-1)!.parent) {
    const next = others.get(parent);
    if (chain.some((link) => link.id === parent)) return { code: 'context-cycle', subject: parent };
    if (next === undefined && parent === defaultContextId) return chain;
    if (next === undefined) return { code: 'context-parent-unknown', subject: parent };
    if (chain.length === chainCap) return { code: 'context-too-deep', subject: parent };
    chain.push(next);
  }
  return chain;
}

const nothing: Selection = { kind: 'none' };

/** What is current of each object as a context selects it; a revision that the object never had is nothing. */
export function selecting(graph: Graph, selections: ReadonlyMap<Uuid, Chosen>): Select {
  const rest = live(graph);
  const chosen = new Map<number, Selection>();
  for (const [id, selected] of selections) {
    const object = graph.findObject(id);
    if (object === none || selected === 'live' || selected === 'invalid') continue;
    const node = graph.findNode(object, selected);
    chosen.set(object, node === none ? nothing : { kind: 'one', node });
  }
  return chosen.size === 0 ? rest : (object) => chosen.get(object) ?? rest(object);
}

/** What a person may change in a manifest; what is left out stays. Of a selection null takes it out, so that the parents decide. */
export interface ManifestChange {
  readonly parent?: Uuid | null;
  readonly enforcement?: Enforcement;
  readonly gitBranch?: string | null;
  readonly selections?: ReadonlyMap<Uuid, 'live' | RevisionId | null>;
  readonly visibleClaims?: readonly string[];
}

/** A new manifest as its file holds it: greenhouse, everything live, its parents' claims. */
export function newManifest(id: Uuid, name: string): Json {
  return { format: 0, id, name, parent: null, selections: {}, enforcement: 'greenhouse', visible_claims: [] };
}

/** A manifest's JSON with a change made; every other field stays as it is, also in selections. */
export function changedManifest(raw: Json, { parent, enforcement, gitBranch, selections, visibleClaims }: ManifestChange): Json {
  return {
    ...raw,
    ...(parent === undefined ? {} : { parent }),
    ...(enforcement === undefined ? {} : { enforcement }),
    ...(gitBranch === undefined ? {} : { git_branch: gitBranch }),
    ...(selections === undefined ? {} : { selections: changedSelections(raw.selections, selections) }),
    ...(visibleClaims === undefined ? {} : { visible_claims: visibleClaims }),
  };
}

function changedSelections(raw: unknown, changes: ReadonlyMap<Uuid, 'live' | RevisionId | null>): Json {
  const kept = isJson(raw) ? Object.entries(raw).filter(([key]) => !changes.has(parseUuid(key) ?? (key as Uuid))) : [];
  const set = [...changes].filter((pair): pair is [Uuid, 'live' | RevisionId] => pair[1] !== null);
  return Object.fromEntries([...kept, ...set]);
}

const longestName = 64;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/iu;

/** Whether a new context may be called so: letters, digits, `-` and `_`, at most 64, so that its file can have its name on every system. */
export function isContextName(name: string): boolean {
  return /^[\p{L}\p{M}\p{N}_-]+$/u.test(name) && name.length <= longestName && name === name.normalize('NFC') && !reserved.test(name);
}

/** A name for the context of a git branch, or of anything: what a name may not have becomes `-`. */
export function contextNameFrom(text: string): string {
  const safe = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-');
  const within = [...safe].reduce((name, character) => (name.length + character.length > longestName ? name : name + character), '');
  const name = within.replace(/^-+|-+$/gu, '');
  return name === '' ? 'context' : isContextName(name) ? name : `${name}-context`;
}
