import { setImmediate } from 'node:timers/promises';
import type { Budget } from '#core/anchors/budget';
import type { CodeCache } from '#core/anchors/code-cache';
import { blobId, type CodeFile, type CodeSource, decodeSource, isPointer, type ReadBytes } from '#core/anchors/source';
import { languageForPath, parseDeclarations } from '#core/grammars/parse';
import { parseInThreads } from '#core/grammars/pool';
import { isMinorPath, type ReadFile } from '#kernel/anchor-index';
import type { HintedFile } from '#kernel/anchor-ladder';
import type { Language, ParsedFile } from '#kernel/declaration';

/** A file with what it declares. */
export interface CodeText extends ReadFile {
  readonly blob: string;
}

/** A file that an anchor names: what it declares, or why that is not known. */
export type HintedCode = { readonly kind: 'read'; readonly file: CodeText } | { readonly kind: Exclude<HintedFile, 'read'> };

/** A file as text, for ranges: its lines, or why they are not known. */
export type HintedText =
  | { readonly kind: 'read'; readonly path: string; readonly text: string; readonly blob: string }
  | { readonly kind: Exclude<HintedFile, 'read'> };

/** Every file of a repository that declares something; `unseen`: why some are missing, where `complete` is false. */
export interface AllCode {
  readonly files: readonly CodeText[];
  readonly complete: boolean;
  readonly unseen: 'budget' | 'unreadable';
}

/** Reads code of one source within a budget, through the cache. */
export interface CodeReader {
  readonly source: CodeSource;
  /** The declarations of a file that an anchor names. */
  hinted(path: string): Promise<HintedCode>;
  /** The text of a file that an anchor names. */
  text(path: string): Promise<HintedText>;
  /** Whether a file is known, without reading it, to have this content still. */
  isStill(path: string, blob: string): Promise<boolean>;
  /** The declarations of every file that git would not ignore, with trigrams; `complete`: none was left out. */
  everything(): Promise<AllCode>;
  /** The texts of every file that git would not ignore; binary ones are passed over. */
  everyText(): AsyncGenerator<{ readonly path: string; readonly text: string; readonly blob: string }, { readonly complete: boolean }>;
}

/** A reader for one check: what it has read stays as it was read. */
export function createCodeReader(source: CodeSource, cache: CodeCache, budget: Budget): CodeReader {
  const hintedFiles = new Map<string, Promise<HintedCode>>();
  const texts = new Map<string, Promise<HintedText>>();
  const counted = new Set<string>();
  let everything: ReturnType<CodeReader['everything']> | null = null;

  /** A file that is looked at twice is paid for once. */
  const affords = ({ path, size }: CodeFile, isHinted: boolean): boolean => {
    if (!budget.takes(counted.has(path) ? 0 : size, isHinted)) return false;
    counted.add(path);
    return true;
  };

  const readCode = async (file: CodeFile): Promise<ReadBytes> => {
    const read = await source.read(file);
    return read.kind === 'bytes' && isPointer(read.bytes) ? { kind: 'unreadable' } : read;
  };

  const bytesOf = async (file: CodeFile) => {
    const read = await readCode(file);
    if (read.kind !== 'bytes') return read;
    budget.read(read.bytes.length);
    const blob = file.blob ?? blobId(read.bytes);
    cache.keepBlob(source.key, file.path, read.stamp, blob);
    return { kind: 'bytes' as const, bytes: read.bytes, blob };
  };

  /** Null: the file is no text. */
  const declarations = async (file: CodeFile, language: Language, withTrigrams: boolean) => {
    const known = file.blob ?? cache.blobAt(source.key, file.path, file.stamp);
    const cached = known === null ? null : cache.parsed(known, language, withTrigrams);
    if (cached !== null) return { kind: 'read' as const, file: codeText(file.path, cached, known!) };
    const read = await bytesOf(file);
    if (read.kind !== 'bytes') return read;
    const parsed = cache.parsed(read.blob, language, withTrigrams) ?? (await parse(read.bytes, read.blob, file.path, language));
    return parsed === null ? { kind: 'unreadable' as const } : { kind: 'read' as const, file: codeText(file.path, parsed, read.blob) };
  };

  let parsedHere = 0;
  const parse = async (bytes: Buffer, blob: string, path: string, language: Language): Promise<ParsedFile | null> => {
    // Starting threads takes longer than a few small files do; many files, or a large one, would keep others waiting.
    const isQuick = bytes.length <= quickBytes && parsedHere++ < quickFiles;
    const parsed = await (isQuick ? parseDeclarations(bytes, path, { trigrams: true }) : parseElsewhere(bytes, path));
    if (parsed !== null) cache.keep(blob, language, parsed);
    return parsed;
  };

  /** Systems spell one name in two ways (NFC, NFD), and git may keep the one while the disk has the other. */
  const look = async (path: string) => {
    const looked = await source.look(path);
    const others = [path.normalize('NFC'), path.normalize('NFD')].filter((other) => other !== path);
    for (const other of looked.kind === 'absent' ? others : []) {
      const found = await source.look(other);
      if (found.kind !== 'absent') return found;
    }
    return looked;
  };

  const readHinted = async (path: string): Promise<HintedCode> => {
    const looked = await look(path);
    if (looked.kind !== 'file') return looked;
    const language = languageForPath(path);
    if (language === null) return { kind: 'unreadable' };
    if (!affords(looked.file, true)) return { kind: 'budget' };
    return declarations(looked.file, language, false);
  };

  const readText = async (path: string): Promise<HintedText> => {
    const looked = await look(path);
    if (looked.kind !== 'file') return looked;
    if (!affords(looked.file, true)) return { kind: 'budget' };
    const read = await bytesOf(looked.file);
    if (read.kind !== 'bytes') return read;
    const text = decodeSource(read.bytes);
    return text === null ? { kind: 'unreadable' } : { kind: 'read', path: looked.file.path, text, blob: read.blob };
  };

  const readEverything = async (): Promise<AllCode> => {
    const listing = await source.list((path) => languageForPath(path) !== null, budget.filesLeft(), budget.isExpired);
    if (listing.more) budget.spend('repository_files');
    const files: CodeText[] = [];
    let isUnreadable = !listing.complete;
    let isSpent = listing.more || budget.isExpired();
    await inParallel(listing.files, source.atOnce, async (file) => {
      if (isSpent || !affords(file, false)) {
        isSpent = true;
        return;
      }
      const read = await declarations(file, languageForPath(file.path)!, true);
      if (read.kind === 'read') files.push(read.file);
      // What cannot be read may hold anything; what is no text is no code that could be anchored.
      else if (read.kind === 'unreadable' && (await readCode(file)).kind === 'unreadable') isUnreadable = true;
    });
    return { files, complete: !isSpent && !isUnreadable, unseen: isSpent ? 'budget' : 'unreadable' };
  };

  return {
    source,
    hinted: (path) => once(hintedFiles, path, readHinted),
    text: (path) => once(texts, path, readText),
    async isStill(path, blob) {
      const looked = await look(path);
      if (looked.kind !== 'file') return false;
      const known = looked.file.blob ?? cache.blobAt(source.key, looked.file.path, looked.file.stamp);
      return known === blob && affords(looked.file, true);
    },
    everything: () => (everything ??= readEverything()),
    async *everyText() {
      const listing = await source.list(() => true, budget.filesLeft(), budget.isExpired);
      if (listing.more) budget.spend('repository_files');
      const turn = createTurn();
      for (const file of listing.files) {
        if (!affords(file, false)) return { complete: false };
        const read = await bytesOf(file);
        const text = read.kind === 'bytes' && !read.bytes.subarray(0, 8000).includes(0) ? decodeSource(read.bytes) : null;
        if (read.kind === 'bytes' && text !== null) yield { path: file.path, text, blob: read.blob };
        await turn();
      }
      return { complete: listing.complete && !listing.more };
    },
  };
}

const quickBytes = 32 * 1024;
const quickFiles = 8;

async function parseElsewhere(bytes: Buffer, path: string): Promise<ParsedFile | null> {
  try {
    return await parseInThreads(bytes, path, { trigrams: true });
  } catch {
    // No thread could be started.
    return parseDeclarations(bytes, path, { trigrams: true });
  }
}

function codeText(path: string, parsed: ParsedFile, blob: string): CodeText {
  return { path, parsed, blob, isMinor: parsed.generated || isMinorPath(path) };
}

function once<T>(kept: Map<string, Promise<T>>, path: string, read: (path: string) => Promise<T>): Promise<T> {
  const known = kept.get(path) ?? read(path);
  kept.set(path, known);
  return known;
}

async function inParallel<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  // One for all: lanes that go on in the same turn of the loop would each take their time in it.
  const turn = createTurn();
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) {
      await work(items[at]!);
      await turn();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Lets others have their turn when this one has taken long enough. */
export function createTurn(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < 15) return;
    await setImmediate();
    since = performance.now();
  };
}
