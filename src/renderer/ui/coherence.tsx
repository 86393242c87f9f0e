import { lazy } from 'react';

/** The panel of one document's coherence, loaded when it is first shown. */
export const CoherencePanel = lazy(async () => ({ default: (await import('#renderer/breakdown/coherence-panel.tsx')).CoherencePanel }));

/** The breakdown, loaded when it is first shown. */
export const BreakdownPage = lazy(async () => ({ default: (await import('#renderer/breakdown/breakdown-page.tsx')).BreakdownPage }));
