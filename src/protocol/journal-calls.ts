import { z } from 'zod';
import { acceptance } from '#protocol/acceptance';
import { encodings } from '#protocol/encoding';
import { contentHash, fileHash, path, uuid } from '#protocol/input-part';

const base = fileHash.nullable();
const content = contentHash.nullable();
const at = z.int().min(0);
const doc = z.int().min(1);
const text = z.string().max(64 * 1024 * 1024);
/** A selection as CodeMirror writes it. */
const selection = z.strictObject({
  ranges: z
    .array(z.object({ anchor: z.int().min(0), head: z.int().min(0) }))
    .min(1)
    .max(10_000),
  main: z.int().min(0),
});
/** A set of changes as CodeMirror writes it: how many characters stay, and in place of how many which lines come. */
const changes = z.array(z.union([z.int().min(0), z.tuple([z.int().min(0)], z.string())]));
const breaks = z.strictObject({
  majority: z.enum(['\n', '\r\n', '\r']),
  odd: z.array(z.tuple([z.int().min(0), z.enum(['\n', '\r\n', '\r'])])),
  bom: z.boolean(),
});

const step = z.strictObject({
  changes,
  at,
  /** Anchor and head of the main selection before it. */
  cursor: z.tuple([z.int().min(0), z.int().min(0)]),
  event: z.string().max(100).optional(),
  /** It was taken back, or done again, by the history. */
  history: z.enum(['undo', 'redo']).optional(),
  /** It stays out of the history. */
  unseen: z.literal(true).optional(),
  isolate: z.enum(['before', 'after', 'full']).optional(),
  /** What the line breaks are from then on, where they were replaced. */
  breaks: breaks.optional(),
});

/** Text of a model that the writer took and that no save has told of yet; `places`: where it stands, or, empty, where it took something out. */
const taken = acceptance.extend({ places: z.array(z.tuple([z.int().min(0), z.int().min(0)])).max(10_000) });

/** How a text stands to the file: the bytes that it was read from or saved to and how they were read, how it is saved, and whether it differs. */
const standing = {
  path,
  encoding: z.enum(encodings),
  readAs: z.enum(encodings),
  base,
  content,
  descends: content,
  isDirty: z.boolean(),
  /** There was a file, and it was removed. */
  isGone: z.literal(true).optional(),
  taken: z.array(taken).max(512).optional(),
  selection,
  top: z.number().min(0).nullable(),
  at,
};

const record = z.discriminatedUnion('kind', [
  /** A text as it was before the steps that follow, with the history until then; `before`: the text that its base names, where that is another. */
  z.strictObject({ kind: z.literal('text'), doc, ...standing, text, before: text.nullable(), history: z.json() }),
  /** What was done to it since; the standing is that after them. */
  z.strictObject({ kind: z.literal('steps'), doc, ...standing, steps: z.array(step).max(100_000) }),
  z.strictObject({ kind: z.literal('closed'), doc }),
  z.strictObject({
    kind: z.literal('layout'),
    at,
    active: path.nullable(),
    /** The document in the second editor. */
    beside: path.nullable().optional(),
    /** Where the writer was in it; it has a cursor and a scroll of its own. */
    besidePlace: z.strictObject({ selection, top: z.number().min(0) }).optional(),
    tabs: z
      .array(
        z.strictObject({
          path,
          isPreview: z.boolean(),
          isPinned: z.literal(true).optional(),
          mode: z.string().max(20).nullable(),
          selection: selection.nullable(),
          top: z.number().min(0).nullable(),
        }),
      )
      .max(1000),
  }),
  /** The window was left in order. */
  z.strictObject({ kind: z.literal('left'), at }),
]);

/** A text that is what its file holds under its base: it is not sent, and core reads it there. */
const textOfFile = z.strictObject({ kind: z.literal('text-of-file'), doc, ...standing, base: fileHash, history: z.json() });

/** What a window may do with recovery journals, each with the schema of its input. A session is one life of a window. */
export const journalInputs = {
  /** Adds to the journal of a session; `fresh`: these records are all that there is to keep. */
  'journal/append': z.strictObject({
    session: uuid,
    fresh: z.boolean(),
    records: z.array(z.discriminatedUnion('kind', [...record.options, textOfFile])).max(10_000),
  }),
  /** The sessions that no running core writes any more, or this one. */
  'journal/list': z.strictObject({}),
  'journal/read': z.strictObject({ session: uuid }),
  /** Forgets a document of a session, or (null) all of it. */
  'journal/forget': z.strictObject({ session: uuid, doc: doc.nullable() }),
} as const;

/** One record of a journal. */
export type JournalRecord = z.infer<typeof record>;
/** A text in a file that a record begins with. */
export type JournalTextOfFile = z.infer<typeof textOfFile>;
/** What was done to a text, as far as its history must know it. */
export type JournalStep = z.infer<typeof step>;
/** The text of a document that steps follow. */
export type JournalText = Extract<JournalRecord, { kind: 'text' }>;
/** Steps of a document. */
export type JournalSteps = Extract<JournalRecord, { kind: 'steps' }>;
/** Which documents were open, in which order, and where the writer was in them. */
export type JournalLayout = Extract<JournalRecord, { kind: 'layout' }>;
/** Text of a model in a journal. */
export type JournalTaken = z.infer<typeof taken>;
/** A selection in a journal. */
export type JournalSelection = z.infer<typeof selection>;
/** Line breaks in a journal. */
export type JournalBreaks = z.infer<typeof breaks>;

/** Schema of a record, for whoever reads a journal back. */
export const journalRecord = record;

/** A document that a session left. `isDirty`: with text that is not on disk. */
export interface JournaledDocument {
  readonly doc: number;
  readonly path: string;
  readonly base: string | null;
  readonly isDirty: boolean;
  /** ms since 1970, of the last that is known of it. */
  readonly at: number;
}

/** A session that was left behind. `isLeft`: in order, and not by a crash. */
export interface JournaledSession {
  readonly session: string;
  readonly at: number;
  readonly isLeft: boolean;
  readonly documents: readonly JournaledDocument[];
}

/** What a journal holds of a document: its text, and what was done to it. `isWhole` false: what came later could not be read. */
export interface JournaledText {
  readonly doc: number;
  readonly text: JournalText;
  readonly steps: readonly JournalSteps[];
  readonly isWhole: boolean;
}

/** What each call about journals answers. */
export interface JournalOutputs {
  /**
   * `unknown`: this core has not begun the journal of the session; it begins with fresh records. `other`: a file holds another text than
   * its base names; nothing was added, and the texts are to be sent.
   */
  'journal/append': { readonly kind: 'kept' | 'unknown' | 'other' };
  'journal/list': { readonly sessions: readonly JournaledSession[] };
  'journal/read': { readonly layout: JournalLayout | null; readonly documents: readonly JournaledText[] };
  'journal/forget': { readonly kind: 'forgotten' };
}
