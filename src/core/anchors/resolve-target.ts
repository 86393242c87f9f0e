import { type CodeReader, type CodeText, createTurn } from '#core/anchors/code-reader';
import { nearestNames } from '#core/anchors/nearest';
import { pinDeclaration, pinRange, type ReadyPin, type Searched } from '#core/anchors/pin';
import { largestFile } from '#core/anchors/source';
import { languageForPath } from '#core/grammars/parse';
import { createCodeIndex } from '#kernel/anchor-index';
import type { LineRange } from '#kernel/anchor-range';
import type { Declaration } from '#kernel/declaration';
import { Fault } from '#protocol';

/** What an anchor is to be tied to. */
export type Target =
  | { readonly kind: 'declaration'; readonly name: string; readonly declared: string | null }
  | { readonly kind: 'lines'; readonly lines: LineRange };

/** Finds what a target names in a file and pins it; what does not resolve is refused with the nearest names. */
export async function resolveTarget(reader: CodeReader, path: string, target: Target): Promise<ReadyPin> {
  if (target.kind === 'lines') return resolveLines(reader, path, target.lines);
  if (languageForPath(path) === null) {
    const looked = await reader.source.look(path);
    if (looked.kind !== 'file') refuseUnread(looked.kind, path);
    throw new Fault('language-unknown', { path });
  }
  const hinted = await reader.hinted(path);
  if (hinted.kind !== 'read') return refuseUnread(hinted.kind, path);
  const declaration = findDeclaration(hinted.file, target);
  return pinFound(reader, hinted.file, declaration);
}

/** Pins a declaration of a file that was read, with what stands elsewhere. */
export async function pinFound(reader: CodeReader, file: CodeText, declaration: Declaration): Promise<ReadyPin> {
  // First of all: looking through everything may take all the time that there is.
  const read = await reader.text(file.path);
  if (read.kind !== 'read' || read.blob !== file.blob) throw new Fault('code-moved', { path: file.path });
  const searched = await searchCode(reader, file);
  return pinDeclaration(file, read.text, declaration, searched, await reader.source.commit());
}

async function searchCode(reader: CodeReader, file: CodeText): Promise<Searched> {
  const { files, complete } = await reader.everything();
  const index = createCodeIndex();
  const turn = createTurn();
  for (const other of files) {
    index.add(other);
    await turn();
  }
  index.add(file);
  return { index, complete };
}

async function resolveLines(reader: CodeReader, path: string, lines: LineRange): Promise<ReadyPin> {
  const read = await reader.text(path);
  if (read.kind !== 'read') return refuseUnread(read.kind, path);
  const ready = await pinRange(read.path, read.text, read.blob, lines, reader);
  if (ready === null) throw new Fault('range-invalid', { path, lines: `${lines.start}-${lines.end}` });
  return ready;
}

function findDeclaration({ path, parsed }: CodeText, { name, declared }: Extract<Target, { kind: 'declaration' }>): Declaration {
  const ofKind = parsed.declarations.filter(({ kind }) => declared === null || kind === declared);
  const exact = ofKind.filter(({ qualifiedName }) => qualifiedName === name);
  const found = exact.length > 0 ? exact : ofKind.filter(({ plainName }) => plainName === name);
  const [only] = found;
  if (only === undefined) {
    const named = parsed.declarations.filter(({ qualifiedName }) => qualifiedName === name);
    const candidates = named.length > 0 ? named.map(nameOf) : nearest(name, parsed.declarations);
    throw new Fault('no-such-declaration', {
      path,
      name: declared === null ? name : `${declared} ${name}`,
      candidates: candidates.join(', '),
    });
  }
  if (found.length > 1) throw new Fault('declaration-ambiguous', { path, name, candidates: found.map(nameOf).join(', ') });
  if (only.damaged) throw new Fault('declaration-damaged', { path, name });
  return only;
}

const nameOf = ({ kind, qualifiedName }: Declaration) => `${kind} ${qualifiedName}`;

function nearest(name: string, declarations: readonly Declaration[]): string[] {
  const near = nearestNames(
    name,
    declarations.map(({ qualifiedName }) => qualifiedName),
    5,
  );
  return near.flatMap((one) => declarations.filter(({ qualifiedName }) => qualifiedName === one).map(nameOf));
}

/** Says why a file cannot be anchored to. */
export function refuseUnread(kind: 'absent' | 'unreadable' | 'too_large' | 'budget', path: string): never {
  if (kind === 'absent') throw new Fault('file-missing', { path });
  if (kind === 'too_large') throw new Fault('file-too-large', { path, bytes: `> ${largestFile}`, limit: largestFile });
  throw new Fault('file-unreadable', { path });
}
