import { type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const margin = 'var(--page-margin)';
/** A surface behind a line, under the text and over the selection, as wide as the column. */
const surface = (tint: string) => ({
  content: '""',
  position: 'absolute',
  zIndex: '-1',
  insetBlock: '0',
  insetInline: margin,
  background: tint,
  pointerEvents: 'none',
});
const inkTint = 'color-mix(in srgb, var(--ink) 4.5%, transparent)';
const button = {
  font: 'var(--size-small) var(--font-ui)',
  color: 'var(--ink-2)',
  borderRadius: 'var(--radius-small)',
  padding: '2px 8px',
  minHeight: '24px',
};

const text = {
  '.cm-line': { position: 'relative' },
  '.cm-line.cm-blank': { lineHeight: '1.15' },
  '.cm-indented': { paddingInlineStart: `calc(${margin} + var(--indent))` },
  '.cm-hanging, .cm-line-marks': {
    display: 'inline-block',
    font: '13px/1 var(--font-code)',
    letterSpacing: '0',
    color: 'var(--ink-3)',
    whiteSpace: 'pre',
  },
  '.cm-hanging': { width: '5em', marginInlineStart: '-5em', textAlign: 'end' },
  '.cm-hanging *, .cm-line-marks *': { font: 'inherit', color: 'inherit', letterSpacing: '0' },
  '.cm-line-marks': {
    minWidth: 'calc(var(--indent) * var(--text-ratio, 1.308))',
    marginInlineStart: 'calc(var(--indent) * var(--text-ratio, 1.308) * -1)',
  },
  '.cm-heading': { lineHeight: '1.3' },
  '.cm-heading-1': { paddingTop: '.35em', paddingBottom: '.3em' },
  '.cm-heading-2': { paddingTop: '.6em', paddingBottom: '.15em' },
  '.cm-heading-3': { paddingTop: '.5em' },
  '.cm-underline': { lineHeight: '.9', paddingTop: '0', paddingBottom: '0' },
  '.cm-link': {
    color: 'var(--accent)',
    textDecoration: 'underline',
    textDecorationColor: 'color-mix(in srgb, var(--accent) 40%, transparent)',
    textDecorationThickness: '1px',
    textUnderlineOffset: '.16em',
  },
  '.cm-link *': { color: 'inherit' },
  '.cm-link-broken': { color: 'var(--lost)', textDecoration: 'underline dashed 1px', textDecorationColor: 'var(--lost)' },
  '.cm-highlight': { background: 'color-mix(in srgb, var(--changed) 24%, transparent)', color: 'inherit', borderRadius: '2px' },
  '.cm-inline-code': { background: 'color-mix(in srgb, var(--ink) 6.5%, transparent)', borderRadius: '4px', padding: '.08em .28em' },
  '.cm-rule-line': { display: 'inline-block', width: '100%', height: '1px', verticalAlign: 'middle', background: 'var(--line-strong)' },
  '.cm-reference': { color: 'var(--ink-3)', fontSize: '.84em' },
};

const items = {
  '.cm-item-mark': {
    display: 'inline-block',
    boxSizing: 'border-box',
    width: '1.7em',
    marginInlineStart: '-1.7em',
    paddingInlineEnd: '.55em',
    textAlign: 'end',
    color: 'var(--ink-3)',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
  '.cm-item-number': { paddingInlineEnd: '.45em' },
  '.cm-item-task': { lineHeight: '1' },
  '.cm-item-task input': {
    appearance: 'none',
    width: '15px',
    height: '15px',
    minHeight: '0',
    padding: '0',
    margin: '0',
    verticalAlign: '-.12em',
    border: '1.5px solid var(--ink-3)',
    borderRadius: '4px',
    background: 'transparent',
    cursor: 'pointer',
  },
  '.cm-item-task input:hover': { borderColor: 'var(--accent)' },
  '.cm-item-task input:checked': {
    borderColor: 'var(--accent)',
    background: 'var(--accent)',
    boxShadow: 'inset 0 0 0 1px var(--accent)',
  },
  '.cm-item-task input:checked::before': {
    content: '""',
    display: 'block',
    width: '4px',
    height: '8px',
    margin: '0 auto',
    transform: 'rotate(42deg)',
    borderRight: '2px solid var(--accent-ink)',
    borderBottom: '2px solid var(--accent-ink)',
  },
  '.cm-task-done': { color: 'var(--ink-2)' },
};

const quotes = {
  '.cm-quote-line': { color: 'var(--ink-2)' },
  '.cm-quoted::before': {
    content: '""',
    position: 'absolute',
    zIndex: '-1',
    insetBlock: '0',
    insetInlineStart: `calc(${margin} + var(--quotes-at))`,
    width: 'calc(var(--quotes) * 1.15em)',
    backgroundImage: 'linear-gradient(90deg, var(--line-strong) 3px, transparent 3px)',
    backgroundSize: '1.15em 100%',
    pointerEvents: 'none',
  },
  '.cm-quoted[dir=rtl]::before': { backgroundImage: 'linear-gradient(-90deg, var(--line-strong) 3px, transparent 3px)' },
  '.cm-callout': {
    paddingInline: `calc(${margin} + 17px + var(--indent, 0em)) calc(${margin} + 14px)`,
    fontSize: '.94em',
    '--call': 'var(--accent)',
  },
  '.cm-callout::before': {
    ...surface('color-mix(in srgb, var(--call) 13%, transparent)'),
    borderInlineStart: '3px solid var(--call)',
  },
  '.cm-callout-first': { paddingTop: '9px' },
  '.cm-callout-last': { paddingBottom: '10px' },
  '.cm-callout-first::before': { borderStartEndRadius: 'var(--radius)' },
  '.cm-callout-last::before': { borderEndEndRadius: 'var(--radius)' },
  '.cm-callout-important': { '--call': 'var(--diverged)' },
  '.cm-callout-warning': { '--call': 'var(--changed)' },
  '.cm-callout-danger': { '--call': 'var(--lost)' },
  '.cm-callout-quote': { '--call': 'var(--ink-3)' },
  '.cm-callout-title, .cm-callout-title *': { color: 'var(--ink)' },
  '.cm-callout-title, .cm-callout-name': { font: '600 .86em/1.5 var(--font-ui)', color: 'var(--ink)' },
  '.cm-callout-title .cm-callout-name': { fontSize: '1em' },
};

const code = {
  '.cm-code, .cm-code-like, .cm-table-source, .cm-math-source': { fontFamily: 'var(--font-code)', fontSize: '.82em', lineHeight: '1.6' },
  '.cm-code *, .cm-table-source *, .cm-math-source *': { fontSize: 'inherit', fontFamily: 'inherit' },
  '.cm-code-like, .cm-code-like *': { color: 'var(--ink-2)' },
  '.cm-code': { paddingInline: `calc(${margin} + 14px + var(--indent, 0em))` },
  '.cm-code::before': surface(inkTint),
  '.cm-code-first, .cm-code-last': { lineHeight: '1.75' },
  '.cm-code-first::before': { borderStartStartRadius: 'var(--radius)', borderStartEndRadius: 'var(--radius)' },
  '.cm-code-last::before': { borderEndStartRadius: 'var(--radius)', borderEndEndRadius: 'var(--radius)' },
  '.cm-code-head': {
    position: 'absolute',
    insetInlineEnd: `calc(${margin} + 8px)`,
    insetBlockStart: '0',
    display: 'flex',
    alignItems: 'center',
    gap: '6px',
    font: 'var(--size-small)/24px var(--font-ui)',
    color: 'var(--ink-3)',
    userSelect: 'none',
  },
  '.cm-code-head button': { ...button, opacity: '0' },
  '.cm-line:hover > .cm-code-head button, .cm-code-head button:focus-visible': { opacity: '1' },
  '.cm-code-head button:hover': { color: 'var(--ink)', background: 'var(--raised)' },
};

const parts = {
  '.cm-footnote': { fontSize: '.9em', color: 'var(--ink-2)' },
  '.cm-footnote-sign, .cm-footnote-label': { color: 'var(--accent)', cursor: 'pointer', font: '600 .72em/1 var(--font-ui)' },
  '.cm-footnote-sign': { padding: '0 .12em', verticalAlign: 'super' },
  '.cm-footnote-label': { display: 'inline-block', minWidth: '1.6em', marginInlineEnd: '.3em', verticalAlign: '.25em' },
  '.cm-tip': {
    maxWidth: '420px',
    padding: '8px 12px',
    font: '14px/1.5 var(--font-page)',
    color: 'var(--ink)',
    overflowWrap: 'anywhere',
  },
  '.cm-formula-source': { fontFamily: 'var(--font-code)', fontSize: '.86em' },
  '.cm-formula-display': { display: 'block', textAlign: 'center', overflowX: 'auto', overflowY: 'hidden', padding: '.5em 0' },
  '.cm-formula-waiting': { color: 'var(--ink-3)', fontFamily: 'var(--font-code)', fontSize: '.86em' },
  '.cm-formula-wrong': {
    color: 'var(--lost)',
    fontFamily: 'var(--font-code)',
    fontSize: '.86em',
    textDecoration: 'underline wavy 1px',
    textUnderlineOffset: '.2em',
  },
  '.cm-picture': { display: 'inline-block', maxWidth: '100%', verticalAlign: 'middle' },
  '.cm-picture img': {
    display: 'block',
    maxWidth: '100%',
    maxHeight: '70vh',
    width: 'auto',
    height: 'auto',
    borderRadius: 'var(--radius-small)',
  },
  '.cm-picture-source + .cm-picture, .cm-picture-source ~ .cm-picture': { display: 'block' },
  '.cm-picture-blocked, .cm-picture-missing': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '12px',
    padding: '8px 12px',
    border: 'var(--hairline) dashed var(--line-strong)',
    borderRadius: 'var(--radius)',
    font: 'var(--size-ui)/1.4 var(--font-ui)',
    color: 'var(--ink-2)',
    overflowWrap: 'anywhere',
  },
  '.cm-picture-missing': { color: 'var(--lost)' },
};

/** How live preview looks; colours, sizes and fonts are tokens. */
export const liveLook: Extension = Prec.high(EditorView.theme({ ...text, ...items, ...quotes, ...code, ...parts }));
