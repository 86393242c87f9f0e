import { type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const line = 'var(--hairline) solid var(--line)';
const quiet = {
  position: 'absolute',
  minHeight: '0',
  padding: '0',
  font: '13px/1 var(--font-ui)',
  color: 'var(--ink-3)',
  background: 'color-mix(in srgb, var(--ink) 5%, transparent)',
  borderRadius: 'var(--radius-small)',
  opacity: '0',
  transition: 'opacity var(--motion)',
};

/** How tables, drawings of blocks and menus look. */
export const tableLook: Extension = Prec.high(
  EditorView.theme({
    '.cm-table': {
      position: 'relative',
      width: 'fit-content',
      maxWidth: 'calc(100% - 2 * var(--page-margin))',
      margin: '0 var(--page-margin)',
      padding: '2px 0 6px',
    },
    '.cm-table-scroller': { overflowX: 'auto' },
    '.cm-table table': { borderCollapse: 'collapse', fontSize: '.9em', lineHeight: '1.5', fontVariantNumeric: 'tabular-nums' },
    '.cm-table td, .cm-table th': {
      border: line,
      padding: '4px 12px',
      textAlign: 'start',
      verticalAlign: 'top',
      minWidth: '56px',
      maxWidth: '420px',
      overflowWrap: 'anywhere',
      cursor: 'text',
    },
    '.cm-table th': { fontWeight: '600', background: 'var(--surface)' },
    '.cm-table td:empty::before, .cm-table th:empty::before': { content: '"\\200b"' },
    '.cm-table .cm-cell-active': { outline: '2px solid var(--focus)', outlineOffset: '-2px', background: 'var(--paper)' },
    '.cm-table .cm-cell-found': { background: 'color-mix(in srgb, var(--changed) 30%, transparent)' },
    '.cm-table > button': quiet,
    '.cm-table:hover > button, .cm-table:focus-within > button': { opacity: '1' },
    '.cm-table > button:hover': { color: 'var(--ink)', background: 'color-mix(in srgb, var(--ink) 10%, transparent)' },
    '.cm-table-more': { insetInlineEnd: '0', insetBlockStart: '-22px', width: '28px', height: '20px' },
    '.cm-table-add-row': { insetInline: '0', insetBlockEnd: '-10px', height: '14px' },
    '.cm-table-add-column': { insetInlineEnd: '-18px', insetBlock: '2px 6px', width: '14px' },
    '.cm-drawn': { padding: '4px var(--page-margin)', cursor: 'text' },
    '.cm-diagram': { textAlign: 'center', padding: '12px var(--page-margin)' },
    '.cm-diagram img': { maxWidth: '100%', maxHeight: '70vh', width: 'auto', height: 'auto', objectFit: 'contain' },
    '.cm-drawn-fault': { color: 'var(--lost)', font: '12.5px/1.5 var(--font-code)', textAlign: 'start', whiteSpace: 'pre-wrap' },
    '.cm-menu': {
      position: 'fixed',
      zIndex: '400',
      minWidth: '210px',
      padding: '5px',
      background: 'var(--raised)',
      border: line,
      borderRadius: 'var(--radius)',
      boxShadow: 'var(--shadow)',
      font: 'var(--size-ui)/1.4 var(--font-ui)',
    },
    '.cm-menu:focus': { outline: 'none' },
    '.cm-menu button': { display: 'block', width: '100%', textAlign: 'start', padding: '4px 10px', color: 'var(--ink)' },
    '.cm-menu button:focus': { background: 'var(--accent-soft)', outline: 'none' },
    '.cm-menu button:disabled': { color: 'var(--ink-3)', opacity: '.7' },
    '.cm-menu [role=separator]': { height: '1px', margin: '5px 4px', background: 'var(--line)' },
  }),
);
