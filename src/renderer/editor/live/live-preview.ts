import type { Extension } from '@codemirror/state';
import { drawnBlocks } from './block.ts';
import { drawFoldedCallout } from './callout-block.ts';
import { turnedCallouts } from './callout-fold.ts';
import { completion } from './completion.ts';
import { drawDiagram } from './diagram.ts';
import { drawn } from './drawn.ts';
import { folding } from './fold.ts';
import { footnoteTip } from './footnote.ts';
import { frontForm } from './front-form.ts';
import { inlineDrawings } from './inline.ts';
import { liveLook } from './look.ts';
import { drawFormulaBlock } from './math.ts';
import { motion } from './motion.ts';
import { pictureHold } from './picture-hold.ts';
import { references } from './references.ts';
import { blockDrawings } from './shapes.ts';
import { tableFocus } from './table-focus.ts';
import { tableLook } from './table-look.ts';
import { drawTable } from './table-widget.ts';
import { writtenTable } from './table-written.ts';

/**
 * Markdown as it is meant, in the text itself: an element shows its marks only while the cursor is in it. What is drawn
 * changes nothing of the document; what a widget changes is the smallest change of the source.
 */
export function livePreview(): Extension {
  return [
    references,
    writtenTable,
    frontForm,
    turnedCallouts,
    drawnBlocks({ Table: drawTable, MathBlock: drawFormulaBlock, FencedCode: drawDiagram, Blockquote: drawFoldedCallout }),
    drawn({ ...blockDrawings, ...inlineDrawings }),
    tableFocus,
    motion,
    footnoteTip,
    pictureHold,
    folding,
    completion,
    liveLook,
    tableLook,
  ];
}
