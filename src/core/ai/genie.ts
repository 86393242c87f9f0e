import { parse } from 'yaml';
import { z } from 'zod';
import { findFrontmatter } from '#kernel/frontmatter';
import { foldLineEndings } from '#kernel/text';
import { Fault } from '#protocol';
import type { GenieEntry } from '#protocol/ai-calls';

/** A genie: what it is for, and the prompt with its places. */
export interface Genie extends GenieEntry {
  readonly template: string;
  /** SHA-256 of its file in hex: a yes to it is a yes to this text. */
  readonly hash: string;
}

/** The places that a prompt may have. */
export const places = ['content', 'context', 'reads'] as const;

const texts = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string().min(1).max(1000)).max(100));
/** It may stand in an address and among the words that a program is started with, and leads nowhere else there. */
const modelName = /^(?!.*\.\.)[\p{L}\p{N}][\p{L}\p{N}.:_/@+-]*$/u;
const head = z.object({
  description: z.string().trim().min(1).max(500),
  scope: z.enum(['selection', 'block', 'document']).default('selection'),
  category: z.string().trim().max(100).default(''),
  action: z.enum(['replace', 'insert']).default('replace'),
  context: z.union([z.literal(0), z.literal(1), z.literal(2)]).default(0),
  reads: texts.default([]),
  model: z.string().trim().max(200).regex(modelName).nullable().default(null),
});

/** What is known of a genie's file beside its text. */
export interface GenieFile {
  readonly path: string;
  readonly id: string;
  readonly from: GenieEntry['from'];
  readonly hash: string;
}

/** Reads a genie (`spec/ai.md` §2). What is not as it must be is a fault that names the file and what is wrong; unknown fields are let be. */
export function parseGenie(raw: string, { path, ...file }: GenieFile): Genie {
  const text = foldLineEndings(raw.replace(/^\uFEFF/u, ''));
  const front = findFrontmatter(text);
  if (front === null) throw new Fault('genie-unmarked', { path });
  const mapping = mappingIn(text.slice(front.start, front.end));
  if (mapping === null) throw new Fault('genie-unmarked', { path });
  const known = head.safeParse(mapping);
  if (!known.success) throw new Fault('genie-field', { path, field: String(known.error.issues[0]!.path[0] ?? '') });
  const template = text.slice(front.rest).trim();
  if (template === '') throw new Fault('genie-blank', { path });
  const unknown = Array.from(template.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/gu), ([, name]) => name!).find((name) => !isPlace(name));
  if (unknown !== undefined) throw new Fault('genie-place', { path, place: unknown.slice(0, 40) });
  const name = nameOf(path);
  return { ...file, ...known.data, name, template };
}

const isPlace = (name: string) => (places as readonly string[]).includes(name);

function mappingIn(front: string): object | null {
  try {
    const read: unknown = parse(front, { maxAliasCount: 0, prettyErrors: false });
    return typeof read === 'object' && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** `make-it-plain.md` is called “Make it plain”. */
function nameOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.(md|markdown)$/iu, '');
  const words = file.replaceAll(/[-_\s]+/gu, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
