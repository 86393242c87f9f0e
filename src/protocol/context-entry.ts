import type { Outputs } from '#protocol/outputs';

/** A context with what it says itself; what it takes from its parents is not in it. */
export interface ContextEntry {
  readonly id: string;
  readonly name: string;
  /** The name is null where there is no such context. */
  readonly parent: { readonly id: string; readonly name: string | null } | null;
  readonly enforcement: 'greenhouse' | 'enforcing';
  /** The git branch that it is for, by its exact name; it never chooses the context by itself. */
  readonly branch: string | null;
  /** What it selects: the head there is, a revision (without a label the document never had it), or nothing that makes sense. */
  readonly pins: readonly {
    readonly object: string;
    readonly path: string | null;
    readonly chosen: 'live' | 'invalid' | { readonly revision: string; readonly label: string | null };
  }[];
  readonly claims: readonly string[];
  readonly problems: Outputs['scan']['diagnostics'];
}

/** Every context, the default one first; and files among them that are none. */
export interface ContextEntries {
  readonly contexts: readonly ContextEntry[];
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

/** A claim as it stands. `contested`: two entries stand beside each other, of which this is the later. `fed`: checks are given it. */
export interface ClaimEntry {
  readonly claim: string;
  readonly entry: string;
  readonly statement: string;
  readonly maturity: 'draft' | 'established';
  readonly validAt: string | null;
  readonly invalidAt: string | null;
  readonly establishedBy: readonly { readonly object: string; readonly path: string | null; readonly revision: string }[];
  readonly contested: boolean;
  readonly visible: boolean;
  readonly fed: boolean;
}

/** What a person allowed an agent, and what was resolved under it, oldest first. */
export interface GrantEntry {
  readonly grant: string;
  readonly agent: string;
  readonly scope: readonly string[];
  readonly expires: string;
  /** `not-given`: no person is named for it, so that it allows nothing. */
  readonly state: 'live' | 'expired' | 'revoked' | 'not-given';
  readonly by: string | null;
  readonly at: string;
  readonly resolved: readonly {
    readonly edge: { readonly txf: string; readonly input: number };
    readonly kind: 'ratification' | 'waiver';
    readonly at: string;
    readonly reason: string | null;
  }[];
}
