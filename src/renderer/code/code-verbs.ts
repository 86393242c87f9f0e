import { createContext, useContext } from 'react';
import type { AnchorRow } from '#protocol/anchor-calls';
import type { Words } from '#protocol/words';
import type { Bench } from '#renderer/breakdown/bench.ts';
import {
  type Binding,
  type CodeQuestion,
  type CodeStore,
  confirmCode,
  loadCode,
  moreCode,
  type PairNames,
  rebindCode,
  removeCode,
  reopenCode,
  retireCode,
  toggleCode,
  turnCode,
  unpairCode,
} from './code-list.ts';
import { confirmSeveral, type ReviewedRow, selectCode } from './code-selection.ts';
import { whatOf } from './code-words.ts';

/** What a person can do with the rows about code. */
export interface CodeVerbs {
  load(search: string): void;
  more(search: string): void;
  toggle(id: string): void;
  confirm(row: AnchorRow): void;
  /** Takes a row into the selection, or out of it. */
  select(id: string): void;
  deselect(): void;
  /** Confirms what was looked at together; nothing that was not. */
  confirmSeveral(reviewed: readonly ReviewedRow[]): void;
  ask(question: CodeQuestion | null): void;
  rebind(row: AnchorRow, to: Binding, what: string): void;
  remove(row: AnchorRow): void;
  retire(row: AnchorRow, reason: string): void;
  reopen(id: string): void;
  unpair(pair: string, names: PairNames): void;
  /** What is folded is read anew. */
  turn(): void;
  /** Shows code in the editor; that of a linked repository to read only. */
  open(row: AnchorRow): void;
}

/** The verbs over a store; `openDocument` shows a file of the workspace, `say` words what is described. */
export function createCodeVerbs(
  store: CodeStore,
  { world, comparer }: Bench,
  openDocument: (path: string, line?: number) => void,
  say: () => Words,
): CodeVerbs {
  let search = '';
  return {
    load(wanted) {
      search = wanted;
      void loadCode(store, world, search);
    },
    more: (wanted) => void moreCode(store, world, wanted),
    toggle: (id) => void toggleCode(store, world, comparer, id),
    confirm: (row) => void confirmCode(store, world, comparer, row, whatOf(row.anchor, say())),
    select: (id) => selectCode(store, id),
    deselect: () => store.setState({ selected: new Set() }),
    confirmSeveral: (reviewed) => void confirmSeveral(store, world, reviewed),
    ask: (asking) => store.setState({ asking }),
    rebind: (row, to, what) => void rebindCode(store, world, comparer, row, to, what),
    remove: (row) => void removeCode(store, world, comparer, row, whatOf(row.anchor, say())),
    retire: (row, reason) => void retireCode(store, world, comparer, row, reason),
    reopen: (id) => void reopenCode(store, world, id, search),
    unpair: (pair, names) => void unpairCode(store, world, pair, names),
    turn: () => turnCode(store),
    open(row) {
      const { repository, state, detail } = row.anchor;
      if (repository === null) openDocument(detail.file, detail.line_start);
      else if (state !== 'lost') store.setState({ asking: { kind: 'view', row } });
    },
  };
}

/** The store and the verbs of the page around. */
export const CodeContext = createContext<{ readonly store: CodeStore; readonly verbs: CodeVerbs } | null>(null);

/** The store and the verbs of the page around; there are always some. */
export function useCode(): { readonly store: CodeStore; readonly verbs: CodeVerbs } {
  const code = useContext(CodeContext);
  if (code === null) throw new RangeError('BUG: a row about code stands outside of the breakdown.');
  return code;
}
