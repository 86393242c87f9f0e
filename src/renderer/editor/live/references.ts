import { type EditorState, StateField, type Text, type Transaction } from '@codemirror/state';

const definition = /^[ >]{0,12}\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:<([^<>]*)>|(\S+))/u;

/** The addresses of a text's link references by their names in lower case, the first of each. */
export function referencesIn(doc: Text): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of doc.iterLines()) {
    if (!line.includes(']:')) continue;
    const [, label = '^', bracketed, bare = ''] = definition.exec(line) ?? [];
    const key = label.toLowerCase();
    if (!key.startsWith('^') && !found.has(key)) found.set(key, bracketed ?? bare);
  }
  return found;
}

/** Whether a change may have touched a definition: only lines that hold `]:` do. */
function touches({ startState, state, changes }: Transaction): boolean {
  let found = false;
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    found ||= holds(startState.doc, fromA, toA) || holds(state.doc, fromB, toB);
  });
  return found;
}

function holds(doc: Text, from: number, to: number): boolean {
  return doc.sliceString(doc.lineAt(from).from, doc.lineAt(to).to).includes(']:');
}

/** Knows the link references of a document. */
export const references = StateField.define<ReadonlyMap<string, string>>({
  create: ({ doc }) => referencesIn(doc),
  update: (value, transaction) => (transaction.docChanged && touches(transaction) ? referencesIn(transaction.state.doc) : value),
});

const none: ReadonlyMap<string, string> = new Map();

/** The link references of a state's document. */
export const referencesOf = (state: EditorState): ReadonlyMap<string, string> => state.field(references, false) ?? none;
