import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { folderOf, nameOf } from '#kernel/address';
import { useWords } from '#renderer/words.ts';
import { documentsAt, shifted } from './chapter-order.ts';

interface ChapterChoiceProps {
  /** Every document of the workspace, in its order. */
  readonly documents: readonly string[];
  readonly chosen: readonly string[];
  readonly choose: (paths: readonly string[]) => void;
}

/** Which documents become one, and in which order. */
export function ChapterChoice({ documents, chosen, choose }: ChapterChoiceProps) {
  const words = useWords();
  const list = useRef<HTMLOListElement>(null);
  const focus = (path: string, act: string) =>
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-path="${CSS.escape(path)}"]`);
      const wanted = row?.querySelector<HTMLButtonElement>(`[data-act="${act}"]:not(:disabled)`);
      (wanted ?? row?.querySelector<HTMLButtonElement>('button:not(:disabled)'))?.focus();
    });
  const move = (at: number, by: -1 | 1) => {
    choose(shifted(chosen, at, by));
    focus(chosen[at]!, by < 0 ? 'up' : 'down');
  };
  const remove = (at: number) => {
    choose(chosen.toSpliced(at, 1));
    const next = chosen[at + 1] ?? chosen[at - 1];
    if (next !== undefined) focus(next, 'remove');
  };
  const heard = (event: KeyboardEvent, at: number) => {
    if (!event.altKey || !/^Arrow(Up|Down)$/u.test(event.key)) return;
    event.preventDefault();
    move(at, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <div className="chapters">
      {chosen.length === 0 && <p className="muted small">{words('export.none')}</p>}
      <ol ref={list} aria-label={words('export.order')}>
        {chosen.map((path, at) => (
          <li key={path} data-path={path} onKeyDown={(event) => heard(event, at)}>
            <span className="chapter-name">
              {nameOf(path)} <span className="faint small">{folderOf(path)}</span>
            </span>
            <RowButton name="up" path={path} isOff={at === 0} act={() => move(at, -1)} />
            <RowButton name="down" path={path} isOff={at === chosen.length - 1} act={() => move(at, 1)} />
            <RowButton name="remove" path={path} isOff={false} act={() => remove(at)} />
          </li>
        ))}
      </ol>
      <AddField documents={documents} chosen={chosen} add={(paths) => choose([...chosen, ...paths])} />
    </div>
  );
}

const icons = { up: ArrowUp, down: ArrowDown, remove: X } as const;

interface RowButtonProps {
  readonly name: keyof typeof icons;
  readonly path: string;
  readonly isOff: boolean;
  readonly act: () => void;
}

function RowButton({ name, path, isOff, act }: RowButtonProps) {
  const words = useWords();
  const Icon = icons[name];
  const label = words(`export.${name}`, { path });
  return (
    <button type="button" className="quiet icon" data-act={name} aria-label={label} title={label} disabled={isOff} onClick={act}>
      <Icon size={14} aria-hidden="true" />
    </button>
  );
}

interface AddFieldProps {
  readonly documents: readonly string[];
  readonly chosen: readonly string[];
  readonly add: (paths: readonly string[]) => void;
}

function AddField({ documents, chosen, add }: AddFieldProps) {
  const words = useWords();
  const id = useId();
  const [typed, setTyped] = useState('');
  const found = documentsAt(documents, typed, chosen);
  const folders = [...new Set(documents.map(folderOf))].filter(Boolean).map((folder) => `${folder}/`);
  const left = documents.filter((path) => !chosen.includes(path));
  const take = () => {
    if (found.length === 0) return;
    add(found);
    setTyped('');
  };
  return (
    <div className="chapter-add">
      <input
        aria-label={words('export.add')}
        placeholder={words('export.add')}
        list={id}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          take();
        }}
      />
      <datalist id={id}>
        {[...folders, ...left].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <button type="button" className="line" disabled={found.length === 0} onClick={take}>
        {found.length > 1 ? words('export.add-count', { count: found.length }) : words('export.add-one')}
      </button>
    </div>
  );
}
