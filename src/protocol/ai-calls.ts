import { z } from 'zod';
import { providerIds } from '#protocol/ai-provider';
import type { FaultDetail } from '#protocol/fault';
import { path, uuid } from '#protocol/input-part';
import type { DropReason } from '#protocol/state';

const provider = z.enum(providerIds);
const passage = z.string().max(4_000_000);

/** What a face may ask about models, each with the schema of its input. Keys go in by one call and never come out. */
export const aiInputs = {
  'ai/providers': z.strictObject({}),
  /** Looks for Ollama on this machine and for installed programs; nothing else is looked for, and never unasked. */
  'ai/find': z.strictObject({}),
  'ai/keep-key': z.strictObject({ provider, key: z.string().min(1).max(4096).nullable() }),
  'ai/genies': z.strictObject({}),
  /**
   * Fills a prompt and sends nothing. `genie` null: only what the writer asks for. `content` is the text that it is about, as it stands in
   * the buffer, `before` and `after` the blocks around it.
   */
  'ai/prepare': z.strictObject({
    path,
    genie: z.string().min(1).max(1000).nullable(),
    ask: z.string().max(100_000),
    content: passage,
    before: passage,
    after: passage,
    reads: z.array(path).max(200),
    /** Texts: the blocks of other documents that hold them are shown to the model, which does not rest on them. */
    passages: z.array(z.string().trim().min(1).max(200)).max(8),
  }),
  /** Sends what was prepared, as it was prepared. `seen`: the writer has looked at it and said yes. */
  'ai/ask': z.strictObject({ prepared: uuid, seen: z.boolean() }),
  /** Waits for more of an answer than `from` characters. */
  'ai/next': z.strictObject({ run: uuid, from: z.int().min(0) }),
  'ai/cancel': z.strictObject({ run: uuid }),
} as const;

/** A provider as the settings show it. */
export interface ProviderState {
  readonly id: (typeof providerIds)[number];
  /** Where its key is; null: there is none. */
  readonly key: 'environment' | 'kept' | null;
  /** The variables that a key is taken from. */
  readonly variables: readonly string[];
  /** Why it cannot be asked as it is set up; null: it can. */
  readonly lacks: 'key' | 'model' | 'address' | null;
}

/** All providers, and where a key would be kept: `system` the secret store of the desktop, `file` a file of this user only. */
export interface ProviderStates {
  readonly providers: readonly ProviderState[];
  readonly store: 'system' | 'file' | null;
}

/** What was found on this machine when the writer asked. */
export interface FoundProviders {
  readonly ollama: { readonly models: readonly string[] } | null;
  readonly programs: readonly { readonly id: (typeof providerIds)[number]; readonly path: string }[];
}

/** A genie as the picker lists it. */
export interface GenieEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly scope: 'selection' | 'block' | 'document';
  readonly action: 'replace' | 'insert';
  readonly context: 0 | 1 | 2;
  readonly reads: readonly string[];
  readonly model: string | null;
  /** Who wrote it: it ships with the app, is the writer's own, or came with the folder. */
  readonly from: 'app' | 'writer' | 'folder';
}

/** The genies there are, and files that are none. */
export interface GenieEntries {
  readonly genies: readonly GenieEntry[];
  readonly unreadable: readonly { readonly path: string; readonly code: string; readonly detail: FaultDetail }[];
}

/** A document that is put into a prompt: whole (`direct`), or passages of it that were found (`contextual`). */
export interface PromptRead {
  readonly path: string;
  readonly role: 'direct' | 'contextual';
  readonly characters: number;
}

/** A prompt as it would be sent, to the letter. */
export interface PreparedPrompt {
  readonly prepared: string;
  readonly provider: (typeof providerIds)[number];
  /** Where it would go: a host, or the path of a program. */
  readonly to: string;
  /** Empty: the program's own choice. */
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly reads: readonly PromptRead[];
  readonly dropped: readonly { readonly path: string; readonly reason: DropReason }[];
  /** What was to be looked up and stands in no other document. */
  readonly unfound: readonly string[];
  /** Why it must be looked at before it is sent. */
  readonly firsts: readonly ('provider' | 'genie')[];
}

/** A request on its way. `inputs` are the documents as they were read, the document itself among them; `isWhole` false: some could not be pinned. */
export interface StartedRun {
  readonly run: string;
  readonly inputs: readonly {
    readonly object: string;
    readonly path: string;
    readonly revision: string;
    readonly role: 'direct' | 'contextual';
  }[];
  readonly isWhole: boolean;
}

/**
 * How far an answer is. `text` goes on behind what was known; `done` with a fault: the answer did not come whole. `waits`: how many seconds
 * the provider asked to wait before it is asked again.
 */
export interface RunState {
  readonly text: string;
  readonly done: boolean;
  /** The model that answered, by its own name. */
  readonly model: string | null;
  readonly waits: number | null;
  readonly fault: { readonly code: string; readonly detail: FaultDetail } | null;
}

/** What each call about models answers. */
export interface AiOutputs {
  'ai/providers': ProviderStates;
  'ai/find': FoundProviders;
  'ai/keep-key': ProviderStates;
  'ai/genies': GenieEntries;
  'ai/prepare': PreparedPrompt;
  'ai/ask': StartedRun;
  'ai/next': RunState;
  'ai/cancel': { readonly kind: 'cancelled' | 'gone' };
}
