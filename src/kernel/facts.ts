import type { Delegation } from '#kernel/body-act';
import type {
  CodeAnchor,
  CodeAnchorConfirmation,
  CodeAnchorObservation,
  CodeAnchorRemoval,
  CodeAnchorRetirement,
} from '#kernel/body-anchor';
import type { CheckResult, Claim } from '#kernel/body-check';
import type { EdgeAnchor, FlagJudgment } from '#kernel/body-edge';
import type { EdgeRef } from '#kernel/body-field';
import type { Diagnostic, ObjectLifecycle, ObjectRegistered } from '#kernel/body-object';
import type { DocumentPair, DocumentPairConfirmation, DocumentPairRemoval } from '#kernel/body-pair';

/** A fact with the (time, id) of the entry that states it; the largest decides. */
export interface Dated<T> {
  readonly time: number;
  readonly id: string;
  readonly value: T;
}

/** The (entry, input) that names an edge, as a key. */
export const edgeKey = (edge: EdgeRef) => `${edge.txf} ${edge.input}`;

/** What makes two diagnostics the same finding. */
export const diagnosticKey = (finding: Pick<Diagnostic, 'code' | 'path'>) => `${finding.code}\n${finding.path ?? ''}`;

/** What an observation is about: one anchor, as one baseline has it. */
export const observationKey = ({ anchor, baseline }: Pick<CodeAnchorObservation, 'anchor' | 'baseline'>) => `${anchor} ${baseline}`;

/** The low-volume facts of a ledger: of each subject the newest, whatever order they arrive in. */
export class Facts {
  readonly registrations = new Map<string, Dated<ObjectRegistered>>();
  readonly owners = new Map<string, Dated<string>>();
  readonly lifecycles = new Map<string, Dated<ObjectLifecycle>>();
  readonly judgments = new Map<string, Dated<FlagJudgment>>();
  readonly anchors = new Map<string, Dated<EdgeAnchor>>();
  readonly checks = new Map<string, Dated<CheckResult>[]>();
  /** By the id of the entry: which of a claim's entries counts depends on all of them. */
  readonly claims = new Map<string, Dated<Claim>>();
  /** By the id of the entry, like claims. */
  readonly delegations = new Map<string, Dated<Delegation>>();
  readonly diagnostics = new Map<string, Dated<Diagnostic>>();
  /** Of code anchors, by their id; observations by `observationKey`. */
  readonly codeAnchors = new Map<string, Dated<CodeAnchor>>();
  readonly codeConfirmations = new Map<string, Dated<CodeAnchorConfirmation>>();
  readonly codeObservations = new Map<string, Dated<CodeAnchorObservation>>();
  readonly codeRetirements = new Map<string, Dated<CodeAnchorRetirement>>();
  readonly codeRemovals = new Map<string, Dated<CodeAnchorRemoval>>();
  /** Of paired documents, by the id of the pair. */
  readonly pairs = new Map<string, Dated<DocumentPair>>();
  readonly pairConfirmations = new Map<string, Dated<DocumentPairConfirmation>>();
  readonly pairRemovals = new Map<string, Dated<DocumentPairRemoval>>();

  /** Paths by what they are without composition and case; made when it is asked for. */
  #spellings: Map<string, string[]> | null = null;
  /** Every path that an object was registered at, by object; made when it is asked for. */
  #paths: Map<string, Set<string>> | null = null;

  /** An object said to live at a path; a later registration of another object takes the path over. */
  register(dated: Dated<ObjectRegistered>): void {
    const { object, path } = dated.value;
    if (this.#spellings !== null && !this.owners.has(path)) addSpelling(this.#spellings, path);
    if (this.#paths !== null) addPath(this.#paths, object, path);
    latest(this.registrations, object, dated);
    latest(this.owners, path, { time: dated.time, id: dated.id, value: object });
  }

  /** Keeps `dated` under `key` if it is the newest there. */
  keep<T>(kept: Map<string, Dated<T>>, key: string, dated: Dated<T>): void {
    latest(kept, key, dated);
  }

  /** Adds a check; all are kept, oldest first, because which one is live depends on what is asked. */
  check(dated: Dated<CheckResult>): void {
    const key = edgeKey(dated.value.edge);
    const checks = this.checks.get(key) ?? [];
    checks.push(dated);
    this.checks.set(
      key,
      checks.sort((a, b) => (isNewer(a, b) ? 1 : -1)),
    );
  }

  /** The registered path of an object, or null. */
  pathOf(object: string): string | null {
    return this.registrations.get(object)?.value.path ?? null;
  }

  /** The object that is registered at a path now, or null. */
  objectAt(path: string): string | null {
    const owner = this.owners.get(path)?.value;
    return owner !== undefined && this.pathOf(owner) === path ? owner : null;
  }

  /** The paths that an object was the last to be registered at, of which it is at one now. */
  pathsOwnedBy(object: string): string[] {
    this.#paths ??= pathsOf(this.owners);
    return [...(this.#paths.get(object) ?? [])].filter((path) => this.owners.get(path)?.value === object);
  }

  /** The other paths that documents are registered at now and that differ from `path` in composition or case only. */
  spelledLike(path: string): string[] {
    this.#spellings ??= spellingsOf(this.owners.keys());
    const paths = this.#spellings.get(spellingKey(path)) ?? [];
    return paths.filter((other) => other !== path && this.objectAt(other) !== null);
  }

  /** Everything as plain data, sorted so that the same facts give the same text. */
  toJSON(): Record<string, [string, unknown][]> {
    const entries = Object.entries(this).filter((pair): pair is [string, Map<string, unknown>] => pair[1] instanceof Map);
    return Object.fromEntries(entries.map(([name, map]) => [name, [...map].sort(([a], [b]) => (a < b ? -1 : 1))]));
  }

  /** Takes over what `toJSON` gave earlier. */
  fill(saved: Record<string, [string, unknown][]>): void {
    this.#spellings = null;
    this.#paths = null;
    for (const [name, pairs] of Object.entries(saved)) {
      const map = this[name as keyof Facts];
      if (map instanceof Map) for (const [key, value] of pairs) (map as Map<string, unknown>).set(key, value);
    }
  }
}

const spellingKey = (path: string) => path.normalize('NFC').toLowerCase();

function spellingsOf(paths: Iterable<string>): Map<string, string[]> {
  const spellings = new Map<string, string[]>();
  for (const path of paths) addSpelling(spellings, path);
  return spellings;
}

function pathsOf(owners: ReadonlyMap<string, Dated<string>>): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>();
  for (const [path, { value }] of owners) addPath(paths, value, path);
  return paths;
}

function addPath(paths: Map<string, Set<string>>, object: string, path: string): void {
  const known = paths.get(object);
  if (known === undefined) paths.set(object, new Set([path]));
  else known.add(path);
}

function addSpelling(spellings: Map<string, string[]>, path: string): void {
  const key = spellingKey(path);
  const known = spellings.get(key);
  if (known === undefined) spellings.set(key, [path]);
  else known.push(path);
}

function latest<T>(kept: Map<string, Dated<T>>, key: string, dated: Dated<T>): void {
  const before = kept.get(key);
  if (before === undefined || isNewer(dated, before)) kept.set(key, dated);
}

/** When the newest entry about a code anchor was made, or 0: a later one must be later in time to count. */
export function newestAboutAnchor(facts: Facts, anchor: string): number {
  const kept = [facts.codeAnchors, facts.codeConfirmations, facts.codeRetirements, facts.codeRemovals].map(
    (map) => map.get(anchor)?.time ?? 0,
  );
  const seen = [...facts.codeObservations].filter(([key]) => key.startsWith(`${anchor} `)).map(([, { time }]) => time);
  return Math.max(0, ...kept, ...seen);
}

/** When the newest entry about a pair was made, or 0. */
export function newestAboutPair(facts: Facts, pair: string): number {
  return Math.max(0, ...[facts.pairs, facts.pairConfirmations, facts.pairRemovals].map((map) => map.get(pair)?.time ?? 0));
}

/** Whether `a` comes after `b` in reader order. */
export function isNewer(a: { time: number; id: string }, b: { time: number; id: string }): boolean {
  return a.time !== b.time ? a.time > b.time : a.id > b.id;
}
