import { digest } from '#core/digest';
import { type Problem, problem } from '#core/workspace/problem';
import type { EdgeRef } from '#kernel/body-field';
import type { Input, Transformation } from '#kernel/body-transformation';
import type { Entry } from '#kernel/entry';
import { revisionId } from '#kernel/revision';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { kind: K }>;
type OnEdge = EntryOf<'ratification' | 'waiver' | 'check-result' | 'flag-judgment' | 'edge-anchor'>;

interface Named {
  readonly object: string;
  readonly revision: string;
}

/** What entries may refer to. */
interface Known {
  readonly transformations: ReadonlyMap<string, Transformation>;
  readonly revisions: ReadonlySet<string>;
  readonly objects: ReadonlySet<string>;
  readonly registered: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  /** Grants by the id of their entries, and by their own. */
  readonly grants: ReadonlySet<string>;
}

const nameOf = ({ object, revision }: Named) => `${object} ${revision}`;

/**
 * What is wrong within entries and between them: revisions that do not follow from what they claim, and whatever names
 * a revision, an edge, a document, a claim or a grant that stands nowhere, because lines were lost or are not merged yet.
 */
export function referenceProblems(entries: readonly Entry[]): Problem[] {
  const known = knownIn(entries);
  return [
    ...repeatedIds(entries),
    ...entries.flatMap((entry) => problemsOf(entry, known)),
    ...circles(entries),
    ...unregistered(entries, known),
  ];
}

function knownIn(entries: readonly Entry[]): Known {
  const transformations = new Map<string, Transformation>();
  const [revisions, objects, registered] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [claims, grants] = [new Set<string>(), new Set<string>()];
  for (const entry of entries) {
    if (entry.kind === 'transformation') {
      transformations.set(entry.id, entry.body);
      for (const output of entry.body.outputs) {
        revisions.add(nameOf(output));
        objects.add(output.object);
      }
    }
    if (entry.kind === 'object-registered') registered.add(entry.body.object);
    if (entry.kind === 'claim') claims.add(entry.id);
    if (entry.kind === 'delegation') for (const id of [entry.id, entry.body.delegation]) grants.add(id);
  }
  return { transformations, revisions, objects, registered, claims, grants };
}

function problemsOf(entry: Entry, known: Known): Problem[] {
  switch (entry.kind) {
    case 'transformation':
      return transformationProblems(entry, known);
    case 'ratification':
    case 'waiver':
      return [...edgeProblems(entry, known), ...grantProblems(entry, known)];
    case 'check-result':
    case 'flag-judgment':
    case 'edge-anchor':
      return edgeProblems(entry, known);
    case 'object-registered':
      return entry.body.derived_from.flatMap((object) => objectProblems(entry, object, known));
    case 'object-lifecycle':
      return objectProblems(entry, entry.body.object, known);
    case 'claim':
      return [
        ...entry.body.established_by.filter((one) => !known.revisions.has(nameOf(one))).map((one) => inputMissing(entry, one)),
        ...supersededProblems(entry, known.claims),
      ];
    case 'delegation':
      return supersededProblems(entry, known.grants);
    default:
      return [];
  }
}

function transformationProblems(entry: EntryOf<'transformation'>, { revisions }: Known): Problem[] {
  const { inputs, outputs } = entry.body;
  return [
    ...outputs
      .filter(({ content_hash, parents, revision }) => revisionId(digest, content_hash, parents) !== revision)
      .map(({ revision }) => problem('revision-mismatch', entry.id, { revision })),
    ...outputs.flatMap(({ object, revision, parents }) =>
      parents
        .filter((parent) => !revisions.has(nameOf({ object, revision: parent })))
        .map((parent) => problem('parent-missing', entry.id, { revision, parent })),
    ),
    ...inputs.filter((input) => !revisions.has(nameOf(input))).map((input) => inputMissing(entry, input)),
  ];
}

const inputMissing = ({ id }: Entry, { revision }: Named) => problem('input-missing', id, { entry: id, revision });

function edgeProblems(entry: OnEdge, { transformations, revisions }: Known): Problem[] {
  const { id } = entry;
  const input = inputOf(entry.body.edge, transformations);
  if (input === null) return [problem('edge-missing', id, { entry: id })];
  if (entry.kind === 'flag-judgment' || entry.kind === 'edge-anchor') return [];
  const [source, against] =
    entry.kind === 'check-result' ? [input.object, entry.body.checked_against] : [entry.body.upstream_object, entry.body.resolved_against];
  return [
    ...(source === input.object && entry.body.pinned === input.revision ? [] : [problem('edge-mismatch', id, { entry: id })]),
    ...(revisions.has(nameOf({ object: source, revision: against }))
      ? []
      : [problem('against-missing', id, { entry: id, revision: against })]),
  ];
}

/** The input that an edge is made of, or null where there is no such edge. */
function inputOf({ txf, input }: EdgeRef, transformations: Known['transformations']): Input | null {
  const found = transformations.get(txf)?.inputs[input];
  return found?.role === 'direct' ? found : null;
}

/** VMark names a grant by its own id, its format page by the entry's. */
function grantProblems({ id, body }: EntryOf<'ratification' | 'waiver'>, { grants }: Known): Problem[] {
  const { actor, delegation } = body;
  if (actor.type === 'human' || (delegation !== null && grants.has(delegation))) return [];
  return [problem('grant-missing', id, { entry: id, grant: delegation ?? '' })];
}

function objectProblems({ id }: Entry, object: string, { objects, registered }: Known): Problem[] {
  return objects.has(object) || registered.has(object) ? [] : [problem('object-missing', id, { entry: id, object })];
}

function supersededProblems({ id, body }: EntryOf<'claim' | 'delegation'>, known: ReadonlySet<string>): Problem[] {
  const { supersedes } = body;
  return supersedes === null || known.has(supersedes) ? [] : [problem('superseded-missing', id, { entry: id, superseded: supersedes })];
}

/** Two acts that say they are one entry: what refers to it may mean either. */
function repeatedIds(entries: readonly Entry[]): Problem[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of entries) (seen.has(id) ? repeated : seen).add(id);
  return [...repeated].sort().map((id) => problem('entry-id-repeated', id, { entry: id }));
}

/** Revisions that are their own ancestors, once for each circle; none of them can follow from its content and parents. */
function circles(entries: readonly Entry[]): Problem[] {
  const made = new Map<string, { readonly entry: string; readonly parents: readonly string[]; readonly revision: string }>();
  for (const entry of entries) {
    if (entry.kind !== 'transformation') continue;
    for (const { object, revision, parents } of entry.body.outputs) {
      const named = parents.map((parent) => nameOf({ object, revision: parent }));
      if (!made.has(nameOf({ object, revision }))) made.set(nameOf({ object, revision }), { entry: entry.id, parents: named, revision });
    }
  }
  return [...circleStarts(made)].map((name) => {
    const { entry, revision } = made.get(name)!;
    return problem('parents-circle', entry, { revision });
  });
}

/** Takes away, again and again, what has no parent left; what stays and is met again on the way up is in a circle. */
function* circleStarts(made: ReadonlyMap<string, { readonly parents: readonly string[] }>): Generator<string> {
  const done = new Set<string>();
  for (const start of made.keys()) {
    const way = new Set<string>();
    const stack = [{ name: start, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      way.add(top.name);
      const parent = made.get(top.name)?.parents[top.next++];
      if (parent === undefined || done.has(top.name)) {
        done.add(top.name);
        way.delete(top.name);
        stack.pop();
      } else if (way.has(parent)) yield parent;
      else if (!done.has(parent)) stack.push({ name: parent, next: 0 });
    }
  }
}

/** Documents with revisions and no registration: nobody can say where they are. */
function unregistered(entries: readonly Entry[], { objects, registered }: Known): Problem[] {
  if (entries.length === 0) return [];
  return [...objects]
    .filter((object) => !registered.has(object))
    .sort()
    .map((object) => problem('registration-missing', object, { object }));
}
