import ignore from 'ignore';
import { type FoundDocument, passagesOf, type ShownDocument } from '#core/ai/passage';
import { Fault, faultFromSystem } from '#protocol';
import type { AgentOutputs, AgentReading } from '#protocol/agent-calls';
import type { PreparedPrompt, StartedRun } from '#protocol/ai-calls';
import type { CallInput, FileEntry } from '#protocol/calls';
import type { PinnedDocuments } from '#protocol/document-calls';
import type { DropReason } from '#protocol/state';

/** How the documents that a prompt holds are found, read and pinned. */
export interface SourceParts {
  tree(): Promise<{ readonly files: readonly FileEntry[] }>;
  read(path: string): Promise<AgentReading>;
  search(text: string): Promise<AgentOutputs['agent/search']>;
  pin(request: CallInput<'document/pin'>): Promise<PinnedDocuments>;
}

/** A document that a prompt holds something of. */
export interface Source {
  readonly path: string;
  /** What was read; null for the document itself, whose text is the buffer's. */
  readonly hash: string | null;
  readonly role: 'direct' | 'contextual';
}

/** The documents that a prompt needs, as they are on disk: those that the genie names, by path or pattern, and those that the writer named. */
export async function readNamed(
  { tree, read }: SourceParts,
  request: Pick<CallInput<'ai/prepare'>, 'path' | 'reads'>,
  patterns: readonly string[],
): Promise<{ readonly reads: readonly FoundDocument[]; readonly dropped: PreparedPrompt['dropped'] }> {
  const documents = (await tree()).files.filter(({ document }) => document).map(({ path }) => path);
  const named = [...patterns.flatMap((pattern) => matching(pattern, documents)), ...request.reads];
  const reads: FoundDocument[] = [];
  const dropped: { path: string; reason: DropReason }[] = [];
  for (const path of new Set(named)) {
    if (path === request.path) continue;
    const found = await read(path).catch((error: unknown) => faultFromSystem(error, path));
    if (found instanceof Fault) dropped.push({ path, reason: reasons[found.code] ?? 'unreadable' });
    else reads.push({ path: found.answer.path, text: found.answer.text, hash: found.served.hash });
  }
  return { reads, dropped };
}

const reasons: Readonly<Record<string, DropReason>> = {
  'file-missing': 'missing',
  'outside-workspace': 'outside-workspace',
  'path-absolute': 'outside-workspace',
  'path-invalid': 'not-a-document',
  'not-a-document': 'not-a-document',
  'is-a-link': 'link',
  'not-text': 'not-utf8',
  'file-too-large': 'too-large',
};

/** What is kept here is for the program and no text of the writer's. */
const ownFolder = '.stemma/';

/** A pattern is one of `.gitignore`, and means no genies unless it names their folder; what fits nothing stays as it is, so that it is said to be missing. */
function matching(pattern: string, documents: readonly string[]): readonly string[] {
  if (documents.includes(pattern)) return [pattern];
  const rules = ignore({ allowRelativePaths: true }).add(pattern);
  const named = pattern.replace(/^\//u, '').startsWith(ownFolder);
  const found = documents.filter((path) => (named || !path.startsWith(ownFolder)) && rules.ignores(path));
  return found.length === 0 ? [pattern] : found;
}

/** What was looked up: what is shown of it, and the texts that stand in no document. */
export interface LookedUp {
  readonly shown: readonly ShownDocument[];
  readonly unfound: readonly string[];
}

/** What the writer had looked up: of documents that hold it and are not in the prompt as a whole. */
export async function lookUp(
  { search, read }: SourceParts,
  { path, passages }: Pick<CallInput<'ai/prepare'>, 'path' | 'passages'>,
  reads: readonly FoundDocument[],
): Promise<LookedUp> {
  const known = new Set([path, ...reads.map((one) => one.path)]);
  const lists: string[][] = [];
  for (const text of passages) lists.push((await search(text)).answer.hits.map((hit) => hit.path));
  const found: FoundDocument[] = [];
  for (const one of inTurn(lists)) {
    if (known.has(one) || one.startsWith(ownFolder)) continue;
    const reading = await read(one).catch(() => null);
    if (reading !== null) found.push({ path: one, text: reading.answer.text, hash: reading.served.hash });
  }
  const unfound = passages.filter((text) => passagesOf([...reads, ...found], [text]).length === 0);
  return { shown: passagesOf(found, passages), unfound };
}

/** The first of each list, then the second of each, each once: one long list leaves room for the others. */
function inTurn(lists: readonly (readonly string[])[]): Set<string> {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return new Set(Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat());
}

/**
 * How what a prompt holds is recorded (`spec/ai.md` §2): documents that were named are direct, what was looked up is contextual, and so is
 * the document itself where only blocks around the place are sent.
 */
export function sourcesOf(
  { path, content }: Pick<CallInput<'ai/prepare'>, 'path' | 'content'>,
  reads: readonly FoundDocument[],
  shown: readonly ShownDocument[],
): readonly Source[] {
  return [
    { path, hash: null, role: content.trim() === '' ? 'contextual' : 'direct' },
    ...reads.map((one): Source => ({ path: one.path, hash: one.hash, role: 'direct' })),
    ...shown.map((one): Source => ({ path: one.path, hash: one.hash, role: 'contextual' })),
  ];
}

/** Pins the document and all that was read; refuses where one of those is not any more what the prompt holds. */
export async function pinSources({ pin, read }: SourceParts, path: string, sources: readonly Source[]): Promise<Omit<StartedRun, 'run'>> {
  const { inputs, dropped } = await pin({ path, inputs: sources.map((one) => ({ path: one.path, role: one.role })) });
  for (const known of sources) {
    if (known.hash === null) continue;
    const now = await read(known.path).catch(() => null);
    if (now?.served.hash !== known.hash) throw new Fault('ai-moved', { path: known.path });
  }
  return { inputs, isWhole: dropped.length === 0 };
}
