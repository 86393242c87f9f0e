import { z } from 'zod';
import { parseInstant } from '#kernel/instant';
import { inputRole as role } from '#protocol/acceptance';
import type { CodeSummary } from '#protocol/anchor-calls';
import type { Tracking } from '#protocol/document-calls';
import { context, path, revision, uuid } from '#protocol/input-part';
import type { Outputs } from '#protocol/outputs';
import type { Silence } from '#protocol/state';

const edge = z.strictObject({ txf: uuid, input: z.int().min(0) });

const expiry = z
  .string()
  .max(64)
  .refine((said) => parseInstant(said) !== null, 'not RFC 3339');

const decision = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accept') }),
  z.strictObject({ kind: z.literal('waive'), reason: z.string().max(8192), expires: expiry.nullable() }),
]);

const confirmation = z.strictObject({
  object: uuid,
  head: revision,
  inputs: z.array(z.strictObject({ object: uuid, role })).max(512),
});

/** What a face may ask of what rests on what, and what a person decides of it, each with the schema of its input. */
export const breakdownInputs = {
  'breakdown/refresh': z.strictObject({ context }),
  'breakdown/page': z.strictObject({
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    /**
     * `other`: what none of the three before it lets through. `merged`: what the merge that git stands at has touched. `code`: no row of
     * this list; those come by `anchor/page`.
     */
    state: z.enum(['all', 'changed', 'diverged', 'waived', 'other', 'contradicted', 'merged', 'code']),
    search: z.string().max(200),
    context,
  }),
  /** What asks nothing now: rows that are silenced or whose source is gone, and documents that lost their inputs. */
  'breakdown/quiet': z.strictObject({
    group: z.enum(['silenced', 'source-gone', 'provenance-unknown']),
    offset: z.int().min(0),
    limit: z.int().min(1).max(200),
    context,
  }),
  'edge/change': z.strictObject({ edge, context }),
  'edge/resolve': z.strictObject({ edge, against: revision, decision, idem: uuid, context }),
  /** Was it worth showing? */
  'edge/judge': z.strictObject({ edge, judgment: z.enum(['relevant', 'noise', 'unsure']), note: z.string().max(4096), idem: uuid }),
  /** The sections of the source, as the edge pins it. */
  'edge/sections': z.strictObject({ edge, context }),
  /** Narrows an edge to a section of its source; without headings the whole source counts again. */
  'edge/narrow': z.strictObject({ edge, headings: z.array(z.string().max(512)).max(16), idem: uuid, context }),
  /** Marks a document as finished, or reopens it. */
  'document/finish': z.strictObject({ object: uuid, state: z.enum(['finished', 'live']), reason: z.string().max(2048), idem: uuid }),
  'provenance/inputs': z.strictObject({ path }),
  'provenance/confirm': confirmation,
  /** The same for several documents: each is confirmed or refused by itself. */
  'provenance/confirm-several': z.strictObject({ documents: z.array(confirmation).min(1).max(200) }),
  'coherence/document': z.strictObject({ path, context }),
  /** What rests on a document, directly and through others: what would be touched if it changed. */
  'coherence/touch': z.strictObject({ object: uuid, offset: z.int().min(0), limit: z.int().min(1).max(200), context }),
  'coherence/log': z.strictObject({ offset: z.int().min(0), limit: z.int().min(1).max(200) }),
} as const;

/** What an act has recorded: an entry, or nothing and why. */
export type Acted<Refusal extends string> = { readonly kind: 'done'; readonly entry: string } | { readonly kind: Refusal };

/** A row of the breakdown with its artifact, as one list over all groups. */
export type BreakdownRow = Outputs['breakdown']['artifacts'][number]['rows'][number];

/** One group of a page: an artifact, or the part of its rows that the page holds. */
export interface BreakdownGroup {
  readonly object: string;
  readonly path: string | null;
  readonly lifecycle: 'live' | 'finished';
  /** Null where the document has several current versions, or none. */
  readonly origin: DocumentOrigin | null;
  readonly rows: readonly BreakdownRow[];
}

/** How the current version of a document came to be. */
export interface DocumentOrigin {
  readonly agent: 'human' | 'model' | 'external' | 'git';
  readonly by: string | null;
  /** RFC 3339. */
  readonly at: string;
  /** How many documents it rests on. */
  readonly sources: number;
}

/** The breakdown as of a moment, without its rows: they come in pages of at most 200. */
export interface BreakdownSummary {
  /** ms since 1970. */
  readonly asOf: number;
  readonly initialized: boolean;
  readonly setting: 'on' | 'off';
  readonly tracked: number;
  readonly context: Outputs['breakdown']['context'];
  readonly scan: Outputs['breakdown']['scan'];
  readonly counts: Outputs['breakdown']['counts'];
  readonly contradicted: number;
  readonly rows: number;
  /** How many rows ask nothing, by their reasons; they come in pages too, like those below. */
  readonly silenced: Readonly<Record<Silence, number>>;
  /** How many finished documents stand in no row; they come behind the rows that ask nothing. */
  readonly finished: number;
  readonly sourceGone: number;
  readonly provenanceUnknown: number;
  /** What of the code that texts describe was seen; its rows come by `anchor/page`. */
  readonly code: CodeSummary;
  /** How many pairs of documents there are, and how many ask something; they come by `pair/page`. */
  readonly pairs: { readonly waiting: number; readonly fresh: number };
  /** The merge that git stands at, and how many rows it touched. */
  readonly merge: { readonly commit: string; readonly rows: number } | null;
  /** The commit that git stands at: what was dismissed there stays dismissed. */
  readonly commit: string | null;
}

/** A part of what asks nothing: rows, and documents that are finished or whose inputs are unknown. */
export interface QuietPage {
  readonly total: number;
  readonly rows: readonly (SilencedRow | Outputs['breakdown']['sourceGone'][number])[];
  readonly documents: Outputs['breakdown']['provenanceUnknown'];
}

/** A document that rests on another: `distance` 1 directly, else `through` the one before it. */
export interface TouchedDocument {
  readonly object: string;
  readonly path: string | null;
  readonly distance: number;
  readonly through: { readonly object: string; readonly path: string | null } | null;
  /** The section that it rests on, where it is narrowed to one. */
  readonly section: readonly string[] | null;
  readonly lifecycle: 'live' | 'finished';
}

/** What would be touched, near ones first; `total` and `direct` count all. */
export interface TouchedDocuments {
  readonly total: number;
  readonly direct: number;
  readonly documents: readonly TouchedDocument[];
}

/** A page of rows, whole groups in order; `total` counts the rows that the filter lets through. */
export interface BreakdownPage {
  readonly asOf: number;
  readonly total: number;
  readonly groups: readonly BreakdownGroup[];
}

/** One version of a source beside another; `text` null: its content is in no snapshot. */
export interface VersionText {
  readonly revision: string;
  readonly label: string | null;
  readonly time: string | null;
  /** Who made it: `human`, `model`, `external` or `git`. */
  readonly agent: string | null;
  /** The name of who made it, where the ledger has one. */
  readonly by: string | null;
  readonly text: string | null;
}

/** What changed behind a row: the source as it was read and as it is, the artifact as it is. */
export interface EdgeChange {
  readonly before: VersionText;
  readonly now: VersionText | null;
  /** The current versions where the source has several, in the order of their heads; else none. */
  readonly versions: readonly VersionText[];
  readonly artifact: { readonly path: string | null; readonly text: string | null };
  readonly section: readonly string[] | null;
}

/** What became of a decision about a row. */
export type ResolvedEdge =
  | { readonly kind: 'resolved'; readonly entry: string }
  | { readonly kind: 'moved'; readonly current: string }
  | { readonly kind: 'undecidable' | 'gone' | 'blank-reason' | 'no-end' };

/** The heading paths of a source, as an edge pins it, to choose from (null: its text is in no snapshot), and the one that the edge is narrowed to. */
export interface EdgeSections {
  readonly sections: readonly (readonly string[])[] | null;
  readonly section: readonly string[] | null;
}

/** The inputs that the version before the present one had, for *Still rests on these*; `head` is the present version. */
export interface EarlierInputs {
  readonly object: string;
  readonly head: string | null;
  readonly inputs: readonly { readonly object: string; readonly path: string | null; readonly role: 'direct' | 'contextual' }[];
}

/** A row that asks nothing of the writer, with its reason and its artifact. */
export type SilencedRow = Outputs['breakdown']['silenced'][number];

/** What a document rests on and what rests on it, as of a moment; fresh edges too. Rows that ask nothing stand apart. */
export interface DocumentCoherence {
  readonly asOf: number;
  readonly tracking: Tracking;
  readonly restsOn: readonly BreakdownRow[];
  readonly restedBy: readonly { readonly object: string; readonly path: string | null; readonly row: BreakdownRow }[];
  readonly silenced: readonly SilencedRow[];
  /** How many rows are left out: an answer holds at most 200. */
  readonly left: number;
}

/** What became of a confirmation; nothing was recorded but where it is `confirmed`. */
export interface ConfirmedProvenance {
  readonly kind: 'confirmed' | 'moved' | 'undecidable' | 'no-inputs';
}

/** What each call of them answers. */
export interface BreakdownOutputs {
  'breakdown/refresh': BreakdownSummary;
  'breakdown/page': BreakdownPage;
  'breakdown/quiet': QuietPage;
  'edge/change': EdgeChange;
  'edge/resolve': ResolvedEdge;
  'provenance/inputs': EarlierInputs;
  'provenance/confirm': ConfirmedProvenance;
  'provenance/confirm-several': { readonly documents: readonly (ConfirmedProvenance & { readonly object: string })[] };
  'coherence/document': DocumentCoherence;
  'coherence/touch': TouchedDocuments;
  'coherence/log': Outputs['coherence-log'];
  'edge/judge': Acted<'gone' | 'note-too-long'>;
  'edge/sections': EdgeSections;
  'edge/narrow': Acted<'gone' | 'not-found' | 'ambiguous' | 'invalid' | 'content-unavailable'>;
  'document/finish': Acted<'unchanged' | 'not-tracked' | 'reason-too-long'>;
}
