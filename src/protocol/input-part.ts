import { z } from 'zod';

/** A path as a face names it: of the workspace, or what the call says. */
export const path = z.string().min(1).max(4096);
/** The id of an object, an entry or an act. */
export const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
/** A revision by its id (`format.md`). */
export const revision = z.string().regex(/^rev1:[0-9a-f]{64}$/);
/** The SHA-256 of the bytes of a file, as they were read. */
export const fileHash = z.string().regex(/^[0-9a-f]{64}$/);
/** The hash of a text as the ledger compares it. */
export const contentHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
/** The context that is looked through, by its name or id; the default one where it is left out. */
export const context = z.string().min(1).max(200).optional();
