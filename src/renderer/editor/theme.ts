import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

// Registered in base.css, so that its `ch` is that of the text in every line, whatever font a line has.
const margin = 'var(--page-margin)';
const input = {
  font: 'inherit',
  color: 'var(--ink)',
  background: 'var(--paper)',
  border: 'var(--hairline) solid var(--line-strong)',
  borderRadius: 'var(--radius-small)',
  minHeight: '26px',
  padding: '2px 8px',
};

const page = {
  '&': { height: '100%', color: 'var(--ink)', background: 'var(--paper)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    // Not on the content: its style changes with every key, and with it every line would be styled anew.
    '--page-margin': 'max(7%, calc((100% - var(--measure)) / 2))',
    font: 'var(--size-text)/var(--leading-text) var(--font-page)',
    overflowX: 'hidden',
    scrollbarGutter: 'stable',
  },
  '.cm-content': {
    padding: 'var(--space-6) 0 40vh',
    caretColor: 'var(--accent)',
    fontVariantLigatures: 'common-ligatures',
    tabSize: '4',
  },
  '.cm-line': { padding: `0 ${margin}` },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent)', marginLeft: '-1px' },
  '.cm-selectionBackground': { background: 'var(--selection) !important' },
  '.cm-specialChar': { color: 'var(--lost)' },
  '.cm-chip-line': { padding: `0 ${margin} 18px` },
  '.cm-chip': {
    display: 'inline-flex',
    font: 'var(--size-small) var(--font-ui)',
    color: 'var(--ink-2)',
    border: 'var(--hairline) solid var(--line)',
    borderRadius: '99px',
    padding: '2px 10px',
    cursor: 'default',
  },
};

const shapes = {
  '.cm-quote': {
    backgroundImage: 'linear-gradient(var(--line-strong), var(--line-strong))',
    backgroundSize: '3px 100%',
    backgroundRepeat: 'no-repeat',
    backgroundPosition: `calc(${margin} - 14px) 0`,
  },
  '.cm-code-block, .cm-table-line': { fontFamily: 'var(--font-code)', fontSize: '.84em' },
  '.cm-code-block': {
    backgroundImage: 'linear-gradient(var(--surface), var(--surface))',
    backgroundSize: `calc(100% - 2 * ${margin} + 28px) 100%`,
    backgroundRepeat: 'no-repeat',
    backgroundPosition: 'center 0',
  },
  '.cm-code-block *, .cm-table-line *': { fontSize: 'inherit !important' },
  '.cm-front, .cm-front *': {
    font: '13px/1.6 var(--font-code) !important',
    color: 'var(--ink-2) !important',
    letterSpacing: '0 !important',
  },
};

const search = {
  '.cm-searchMatch': {
    background: 'var(--changed-soft)',
    borderRadius: '2px',
    boxShadow: '0 0 0 1px color-mix(in srgb, var(--changed) 35%, transparent)',
  },
  '.cm-searchMatch-selected': { background: 'color-mix(in srgb, var(--changed) 45%, transparent)' },
  '.cm-search-scope': { background: 'var(--accent-soft)' },
  '.cm-selectionMatch': { background: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
  '.cm-panels': { background: 'var(--surface)', color: 'var(--ink)', border: '0', zIndex: '5' },
  '.cm-panels-top': { borderBottom: 'var(--hairline) solid var(--line)' },
  '.cm-find': {
    display: 'grid',
    gridTemplateColumns: 'minmax(110px, 360px) max-content minmax(max-content, 1fr) auto',
    whiteSpace: 'nowrap',
    gap: '6px 8px',
    padding: '8px 12px',
    font: 'var(--size-ui)/1.45 var(--font-ui)',
    alignItems: 'center',
  },
  '.cm-find input': input,
  '.cm-find input[aria-invalid=true]': { borderColor: 'var(--lost)' },
  '.cm-find .row': { display: 'flex', gap: '4px', alignItems: 'center' },
  '.cm-find button': {
    minHeight: '26px',
    minWidth: '26px',
    padding: '2px 8px',
    borderRadius: 'var(--radius-small)',
    color: 'var(--ink-2)',
  },
  '.cm-find button:hover': { background: 'var(--raised)', color: 'var(--ink)' },
  '.cm-find button[aria-pressed=true]': { background: 'var(--accent-soft)', color: 'var(--accent)', fontWeight: '600' },
  '.cm-find .count': { color: 'var(--ink-2)', fontSize: 'var(--size-small)', minWidth: '72px', fontVariantNumeric: 'tabular-nums' },
};

/** How the page looks: one column of text in the middle, chrome that recedes; all colours are tokens, so a theme needs nothing here. */
export const pageTheme: Extension = EditorView.theme({ ...page, ...shapes, ...search });
