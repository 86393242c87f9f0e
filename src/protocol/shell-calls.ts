import { z } from 'zod';
import { path } from '#protocol/input-part';

/** What a page may ask of the shell that shows it; only the browser shell answers, in Electron the platform has its own dialogs. */
export const shellInputs = {
  'shell/folders': z.strictObject({ path: path.nullable() }),
  'shell/open-folder': z.strictObject({ path }),
  'shell/copy-sample': z.strictObject({ into: path }),
} as const;

/** A folder of this machine to choose a workspace from. Names only, sorted; hidden ones are left out. */
export interface FolderListing {
  readonly path: string;
  /** Null at the top. */
  readonly parent: string | null;
  readonly folders: readonly string[];
  /** Whether it has a ledger. */
  readonly isWorkspace: boolean;
}

/**
 * What the shell answers. `path` null lists the home folder; an opened workspace, and a sample that was copied, are shown at
 * `/?folder=ROOT` from then on.
 */
export interface ShellOutputs {
  'shell/folders': FolderListing;
  'shell/open-folder': { readonly root: string };
  'shell/copy-sample': { readonly root: string };
}

/** The name of a call to the shell. */
export type ShellName = keyof typeof shellInputs;
/** The input of each call to the shell. */
export type ShellInput<Name extends ShellName> = z.infer<(typeof shellInputs)[Name]>;
/** One handler per call to the shell. */
export type ShellHandlers = { readonly [Name in ShellName]: (input: ShellInput<Name>) => Promise<ShellOutputs[Name]> };
/** How a page asks its shell. */
export type ShellClient = <Name extends ShellName>(name: Name, input: ShellInput<Name>) => Promise<ShellOutputs[Name]>;
