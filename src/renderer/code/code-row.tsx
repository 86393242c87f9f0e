import { type KeyboardEvent, useRef } from 'react';
import { useStore } from 'zustand';
import type { AnchorRow } from '#protocol/anchor-calls';
import { StateMark } from '#renderer/breakdown/state-mark.tsx';
import { Tick } from '#renderer/breakdown/tick.tsx';
import { CodeBody } from './code-body.tsx';
import { useCodeSaid } from './code-said.ts';
import { selectedCode } from './code-selection.ts';
import { useCode } from './code-verbs.ts';
import { markOf, placeOf, rowName, whatOf, whyOf } from './code-words.ts';
import { useCodeWords } from './words.ts';

/** One anchor that asks something: closed a line of words, open the code then and now, the text, and what to do. */
export function CodeRow({
  row,
  isOpen,
  onStep,
}: {
  readonly row: AnchorRow;
  readonly isOpen: boolean;
  readonly onStep: (event: KeyboardEvent<HTMLElement>) => void;
}) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { store, verbs } = useCode();
  const note = useStore(store, ({ notes }) => notes.get(row.anchor.id) ?? null);
  const isSelected = useStore(store, ({ selected }) => selected.has(row.anchor.id));
  const name = rowName(row, words);
  const item = useRef<HTMLLIElement>(null);
  const { anchor, isUnchecked } = row;
  const pressed = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.target instanceof HTMLElement && event.target.matches('input:not([type=checkbox]), textarea, select')) return;
    onStep(event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'x') verbs.select(anchor.id);
    else if (event.key === 'a') {
      const rows = selectedCode(store.getState());
      if (rows.length > 0) verbs.ask({ kind: 'several', rows });
      else if (isOpen) verbs.confirm(row);
      else verbs.toggle(anchor.id);
    } else if (event.key === 'b') verbs.ask({ kind: 'rebind', row });
    else if (event.key === 'o') verbs.open(row);
    else if (event.key === 'Escape' && isOpen) {
      verbs.toggle(anchor.id);
      item.current?.querySelector<HTMLElement>('.bd-head')?.focus();
    } else if (event.key === 'Escape' && store.getState().selected.size > 0) verbs.deselect();
    else return;
    event.preventDefault();
  };
  return (
    <li
      ref={item}
      className={['bd-row', isOpen ? 'bd-is-open' : '', isSelected ? 'bd-is-selected' : ''].filter(Boolean).join(' ')}
      aria-label={name}
      data-state={anchor.state}
      data-reason={anchor.detail.reason}
      data-anchor={anchor.id}
      onKeyDown={pressed}
    >
      <div className="bd-line">
        <Tick isTicked={isSelected} name={words('several.select', { row: name })} tick={() => verbs.select(anchor.id)} />
        <button type="button" className="bd-head" aria-expanded={isOpen} onClick={() => verbs.toggle(anchor.id)}>
          <What row={row} />
          <span className="bd-muted bd-what">{whyOf(anchor, words)}</span>
          <span className="bd-marks">
            {isUnchecked && <span className="bd-mark bd-plain bd-outlined">{words('marks.unchecked')}</span>}
            <StateMark mark={markOf(anchor)}>{words(`marks.${markOf(anchor).word}`)}</StateMark>
          </span>
          <span className="bd-faint bd-versions code-place">
            <bdi>{placeOf(anchor)}</bdi>
          </span>
        </button>
      </div>
      {note !== null && <p className="bd-note bd-row-note">{saidOf(note)}</p>}
      {isOpen && <CodeBody row={row} />}
    </li>
  );
}

function What({ row: { anchor } }: { readonly row: AnchorRow }) {
  const words = useCodeWords();
  const { section } = anchor.document;
  return (
    <span className="bd-source">
      {anchor.fallback ? (
        whatOf(anchor, words)
      ) : (
        <>
          {anchor.kind} <code>{anchor.qualified_name}</code>
        </>
      )}
      {section.length > 0 && <span className="bd-faint"> § {section.join(' › ')}</span>}
    </span>
  );
}
