import type { Extension } from '@codemirror/state';
import { drawnBlocks } from './block.ts';
import { drawDiagram } from './diagram.ts';
import { drawn } from './drawn.ts';
import { footnoteTip } from './footnote.ts';
import { inlineDrawings } from './inline.ts';
import { liveLook } from './look.ts';
import { drawFormulaBlock } from './math.ts';
import { references } from './references.ts';
import { blockDrawings } from './shapes.ts';
import { tableFocus } from './table-focus.ts';
import { tableLook } from './table-look.ts';
import { drawTable } from './table-widget.ts';

/**
 * Markdown as it is meant, in the text itself: an element shows its marks only while the cursor is in it. What is drawn
 * changes nothing of the document; what a widget changes is the smallest change of the source.
 */
export function livePreview(): Extension {
  return [
    references,
    drawnBlocks({ Table: drawTable, MathBlock: drawFormulaBlock, FencedCode: drawDiagram }),
    drawn({ ...blockDrawings, ...inlineDrawings }),
    tableFocus,
    footnoteTip,
    liveLook,
    tableLook,
  ];
}
