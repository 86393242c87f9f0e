import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { folderOf, nameOf } from '#kernel/address';
import { isName } from '#renderer/ui/file-name.ts';
import { useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { moveOrAsk } from './acts.ts';

const rowOf = (path: string) => document.querySelector<HTMLElement>(`.tree [data-key="${CSS.escape(path)}"]`);

/** Gives the focus back to a row once it is shown; a new one comes with the next list of files. */
function focusRow(path: string, tries = 20): void {
  const row = rowOf(path);
  if (row !== null) row.focus();
  else if (tries > 0) setTimeout(() => focusRow(path, tries - 1), 50);
}

/** The name of a row, to be written over where it stands. Enter renames; Escape, and going elsewhere, leave it as it was. */
export function RenameField({ path, close }: { readonly path: string; readonly close: () => void }) {
  const words = useWords();
  const studio = useStudio();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(nameOf(path));
  const isFine = isName(name);
  const done = useRef(false);
  useLayoutEffect(() => {
    const input = field.current!;
    placeOver(input, path);
    input.focus();
    const dot = input.value.lastIndexOf('.');
    input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
  }, [path]);
  const end = (to: string) => {
    done.current = true;
    close();
    focusRow(to);
  };
  const rename = async () => {
    const to = folderOf(path) === '' ? name.trim() : `${folderOf(path)}/${name.trim()}`;
    end(path);
    await moveOrAsk(studio, [{ from: path, to }]);
    if (to !== path && studio.view.store.getState().asking === null) focusRow(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && isFine) void rename();
    else if (event.key === 'Escape') end(path);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={field}
      className="rename"
      aria-label={words('files.new-name', { name: nameOf(path) })}
      aria-invalid={!isFine}
      title={isFine ? undefined : words('files.no-name')}
      spellCheck={false}
      value={name}
      onChange={(event) => setName(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => !done.current && close()}
    />
  );
}

/** Puts the field over the name of its row. */
function placeOver(input: HTMLInputElement, path: string): void {
  const frame = input.offsetParent?.getBoundingClientRect();
  const row = rowOf(path)?.getBoundingClientRect();
  const name = rowOf(path)?.querySelector('.node-name')?.getBoundingClientRect();
  if (frame === undefined || row === undefined || name === undefined) return;
  input.style.top = `${row.top - frame.top}px`;
  input.style.left = `${name.left - frame.left - 7}px`;
  input.style.right = '4px';
}
