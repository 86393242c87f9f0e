import { join } from 'node:path';
import { type Disk, isMissing } from '#core/storage/disk';
import { vmarkName } from '#core/workspace/place';
import type { Workspace } from '#core/workspace/workspace';
import {
  bareDefault,
  type Chosen,
  type ContextProblem,
  defaultContextId,
  defaultContextName,
  type Lens,
  lensOf,
  type Manifest,
  readManifest,
} from '#kernel/context';
import type { Graph } from '#kernel/graph';
import { none } from '#kernel/key-table';
import { parseUuid, type Uuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';
import type { ContextEntries, ContextEntry } from '#protocol/context-entry';

type Diagnostic = Outputs['breakdown']['scan']['diagnostics'][number];

/** A context with the name of its file in `contexts/`, null for the default one before it is changed. What is wrong with the file is a problem of the manifest. */
export interface KnownContext {
  readonly file: string | null;
  readonly manifest: Manifest;
}

/** The contexts of a workspace, the default one first and the others by name; and files that are none, with the reason. */
export interface Contexts {
  readonly all: readonly KnownContext[];
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

/** The folder of context manifests. */
export const contextsFolder = (vmark: string) => join(vmark, 'contexts');

/** The file of the default context, once it is changed. */
const defaultFile = `${defaultContextName}.json`;
/** A manifest larger than this is none. */
const largest = 4 * 1024 * 1024;

/** Reads every manifest anew. Of two with one id, or one name, the file that sorts first counts, and that is said. */
export function readContexts(disk: Disk, vmark: string): Contexts {
  const known = new Map<Uuid, KnownContext>();
  const unreadable: { file: string; reason: string }[] = [];
  for (const file of manifestFiles(disk, vmark)) {
    const manifest = manifestIn(disk, join(contextsFolder(vmark), file));
    if (typeof manifest === 'string') unreadable.push({ file, reason: manifest });
    else addContext(known, { file, manifest });
  }
  const isBroken = unreadable.some(({ file }) => file === defaultFile);
  const bare = { file: null, manifest: isBroken ? withProblem(bareDefault, 'context-unreadable', defaultFile) : bareDefault };
  const standard = known.get(defaultContextId) ?? bare;
  known.delete(defaultContextId);
  const others = [...known.values()].sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));
  return { all: [standard, ...others], unreadable };
}

function addContext(known: Map<Uuid, KnownContext>, found: KnownContext): void {
  const { id, name } = found.manifest;
  const same = known.get(id);
  const namesake = [...known.values()].find(({ manifest }) => manifest.name === name);
  const code = same === undefined ? 'context-duplicate-name' : 'context-duplicate-id';
  const first = same ?? namesake;
  if (first !== undefined) known.set(first.manifest.id, { ...first, manifest: withProblem(first.manifest, code, found.file!) });
  if (same === undefined) known.set(id, found);
}

function withProblem(manifest: Manifest, code: ContextProblem['code'], subject: string): Manifest {
  return { ...manifest, problems: [...manifest.problems, { code, subject }] };
}

/** Regular files only: a link may lead anywhere. */
function manifestFiles(disk: Disk, vmark: string): string[] {
  // Most workspaces have none, and an error is dear to make.
  if (disk.statSync(contextsFolder(vmark), { throwIfNoEntry: false }) === undefined) return [];
  try {
    const entries = disk.readdirSync(contextsFolder(vmark), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The text of a manifest without the byte order mark that some editors put there. */
export const manifestText = (bytes: Buffer) => bytes.toString('utf8').replace(/^\uFEFF/u, '');

function manifestIn(disk: Disk, path: string): Manifest | string {
  try {
    const bytes = disk.readFileSync(path) as Buffer;
    return bytes.length > largest ? 'it is too large' : readManifest(JSON.parse(manifestText(bytes)));
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not JSON' : 'it could not be read';
  }
}

/** A context by its name or its id; a Fault where there is none, or where its file makes no sense. Without a name the default one. */
export function findContext({ all, unreadable }: Contexts, named: string = defaultContextName): KnownContext {
  const found = all.find(({ manifest }) => manifest.name === named) ?? all.find(({ manifest }) => manifest.id === parseUuid(named));
  if (found !== undefined) return found;
  const broken = unreadable.find(({ file }) => file === `${named}.json`);
  if (broken !== undefined) throw new Fault('context-unreadable', { path: pathOf(broken.file) });
  throw new Fault('context-unknown', { context: named, candidates: all.map(({ manifest }) => manifest.name).join(', ') });
}

const pathOf = (file: string) => `${vmarkName}/contexts/${file}`;

/** What a context shows, with what is wrong in its file and those of its parents. */
export function lensThrough({ all }: Contexts, { manifest }: KnownContext): Lens {
  // The default context without a file is no manifest in a chain of parents.
  const manifests = all.filter((context) => context.file !== null || context.manifest.problems.length > 0);
  return lensOf(manifest, new Map(manifests.map((context) => [context.manifest.id, context.manifest])));
}

const sentences: Readonly<Record<ContextProblem['code'], (subject: string) => string>> = {
  'context-unreadable': (subject) => `${subject} could not be understood, so everything is live in it.`,
  'context-duplicate-id': (subject) => `${subject} has the id of another context and is not used.`,
  'context-duplicate-name': (subject) => `${subject} has the name of another context; it is only found by its id.`,
  'context-cycle': (subject) => `The parents of the context lead round in a circle (${subject}), so everything is live in it.`,
  'context-too-deep': (subject) => `The context has more than 15 parents (${subject} is one too many), so everything is live in it.`,
  'context-parent-unknown': (subject) => `There is no context ${subject}, which is named as a parent, so everything is live in it.`,
  'context-selection-invalid': (subject) => `What is selected for ${subject} is neither live nor a revision; it is taken for live.`,
  'context-enforcement-unknown': (subject) => `The enforcement ${subject} is not known; the context is a greenhouse.`,
  'context-claims-invalid': (subject) => `The claims that the context shows are no list (${subject}); it shows none of its own.`,
};

/** The problems of a context as findings; `file` is that of the context that was asked about. */
function contextFindings(problems: readonly ContextProblem[], file: string | null): Diagnostic[] {
  const path = file === null ? null : pathOf(file);
  return problems.map(({ code, subject }) => ({ code, message: sentences[code](subject), path }));
}

/** What the output says of a context: what it is, and what is wrong with it, if anything is. */
export function contextOutput({ id, name, enforcement, problems }: Lens, file: string | null): Outputs['breakdown']['context'] {
  const found = contextFindings(problems, file);
  return { id, name, enforcement, ...(found.length === 0 ? {} : { problems: found }) };
}

/** Every context as a face lists it, with what is wrong in its chain of parents. */
export function contextEntries({ disk, vmark, replica }: Workspace): ContextEntries {
  const { graph, facts } = replica.reading;
  const contexts = readContexts(disk, vmark);
  const names = new Map(contexts.all.map(({ manifest }) => [manifest.id, manifest.name]));
  const entries = contexts.all.map((context): ContextEntry => {
    const { id, name, parent, enforcement, gitBranch, selections, visibleClaims } = context.manifest;
    return {
      id,
      name,
      parent: parent === null ? null : { id: parent, name: names.get(parent) ?? null },
      enforcement,
      branch: gitBranch,
      pins: [...selections].map(([object, chosen]) => ({ object, path: facts.pathOf(object), chosen: chosenOf(graph, object, chosen) })),
      claims: [...visibleClaims],
      problems: contextFindings(lensThrough(contexts, context).problems, context.file),
    };
  });
  return { contexts: entries, unreadable: contexts.unreadable.map(({ file, reason }) => ({ path: pathOf(file), reason })) };
}

function chosenOf(graph: Graph, object: Uuid, chosen: Chosen): ContextEntry['pins'][number]['chosen'] {
  if (chosen === 'live') return 'live';
  if (chosen === 'invalid') return 'invalid';
  const node = graph.findNode(graph.findObject(object), chosen);
  return { revision: chosen, label: node === none ? null : `v${graph.depth(node)}` };
}
