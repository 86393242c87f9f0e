import { readDocument } from '#core/document';
import { maskIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';

/** The bytes of a copy of a document: without its identity block, so that no id stands in two files. Everything else stays as it is. */
export function withoutIdentity(bytes: Buffer, path: string): Buffer {
  const { text, identity } = readDocument(bytes, path);
  if (text === null || identity === null) return bytes;
  const canonical = canonicalText(text);
  const masked = maskIdentity(canonical).split('\n');
  const lines = canonical.split('\n');
  const raw = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/gu) ?? [];
  const first = lines.findIndex((line, at) => line !== masked[at]);
  const removed = lines.length - masked.length;
  const isOneStretch = [...lines.slice(0, first), ...lines.slice(first + removed)].join('\n') === masked.join('\n');
  if (!isOneStretch) return Buffer.from(masked.join('\n'), 'utf8');
  const bom = first === 0 && text.startsWith('\ufeff') ? '\ufeff' : '';
  return Buffer.from(bom + [...raw.slice(0, first), ...raw.slice(first + removed)].join(''), 'utf8');
}

/** A free name for a copy of `path`: `Ferry 2.md`, `Ferry 3.md`. `isTaken` knows the names of its folder; letter case does not tell them apart. */
export function copyPath(path: string, isTaken: (path: string) => boolean): string {
  const slash = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const [stem, ending] = dot > slash ? [path.slice(0, dot), path.slice(dot)] : [path, ''];
  const [, words = stem, number] = /^(.*) (\d{1,6})$/su.exec(stem) ?? [];
  for (let next = number === undefined ? 2 : Number(number) + 1; ; next++) {
    const candidate = `${words} ${next}${ending}`;
    if (!isTaken(candidate)) return candidate;
  }
}
