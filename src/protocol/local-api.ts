import { z } from 'zod';
import type { Outputs } from '#protocol/outputs';

/** Who asks by HTTP: the person whose browser was let in, or the agent whose token was sent. */
export type ApiAsker = { readonly type: 'human' } | { readonly type: 'external'; readonly id: string };

const text = (most: number) => z.string().min(1).max(most);

/** The body of `POST …/documents/{id}/anchors`: a declaration by `symbol`, or `lines` of a file. */
export const anchorRequest = z
  .strictObject({
    file: text(4096),
    symbol: text(4096).optional(),
    kind: text(200).optional(),
    lines: z.strictObject({ start: z.int().positive(), end: z.int().positive() }).optional(),
    section: z.array(z.string().max(512)).max(16).default([]),
    repository: text(200).nullable().default(null),
  })
  .refine(({ symbol, lines }) => (symbol === undefined) !== (lines === undefined), 'either symbol or lines')
  .refine(({ symbol, kind }) => kind === undefined || symbol !== undefined, 'kind goes with symbol');

/** The body of `POST …/anchors/{id}/confirm`. */
export const confirmRequest = z.strictObject({ hash_seen: text(256), note: z.string().max(4096).default('') });

/** What the local HTTP API asks of a workspace (`spec/interfaces.md` §4); answers are those of the command line. Ids are those of objects and anchors. */
export interface LocalApi {
  /** Whose a bearer token is; null where it is nobody's. */
  whose(token: string): string | null;
  breakdown(): Promise<Outputs['breakdown']>;
  anchors(document: string): Promise<Outputs['anchors-list']>;
  check(document: string): Promise<Outputs['anchors-check']>;
  add(document: string, request: z.infer<typeof anchorRequest>, by: ApiAsker): Promise<Outputs['anchors-add']>;
  confirm(anchor: string, request: z.infer<typeof confirmRequest>, by: ApiAsker): Promise<Outputs['anchors-confirm']>;
  remove(anchor: string, by: ApiAsker): Promise<Outputs['anchors-remove']>;
}
