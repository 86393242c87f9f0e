import { z } from 'zod';

/** The longest page that may be made into another format, in UTF-16 units: pictures are in it. */
const html = z.string().max(128 * 1024 * 1024);

/** What a face may ask about formats that another program makes, each with the schema of its input. */
export const exportInputs = {
  /** Is Pandoc on this machine? It is looked for now, and never before. */
  'export/pandoc': z.strictObject({}),
  /** Makes a Word document of a page that stands alone. */
  'export/docx': z.strictObject({ html }),
} as const;

/** Whether Pandoc was found, and what version it says it is. */
export type FoundPandoc = { readonly kind: 'found'; readonly version: string } | { readonly kind: 'none' };

/** A Word document in base64. `failed`: the page asks for something outside itself, Pandoc took too long, or it refused; `said` are its own words. */
export type MadeDocx =
  | { readonly kind: 'made'; readonly bytes: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly why: 'outward' | 'slow' | 'refused'; readonly said: string };

/** What each of these calls answers. */
export interface ExportOutputs {
  'export/pandoc': FoundPandoc;
  'export/docx': MadeDocx;
}
