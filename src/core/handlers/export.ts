import { findPandoc, makeDocx } from '#core/export/pandoc';
import type { Handlers } from '#protocol/calls';

/** What another program makes of a document. */
export const exportHandlers = () =>
  ({
    'export/pandoc': () => findPandoc(),
    'export/docx': ({ html }) => makeDocx(html),
  }) satisfies Partial<Handlers>;
