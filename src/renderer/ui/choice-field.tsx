import type { KeyboardEvent } from 'react';
import { takeFocus } from './box.tsx';

interface ChoiceFieldProps {
  /** What a label names it by. */
  readonly id?: string;
  /** The name of the field, where no label around it says one. */
  readonly name?: string;
  /** The id of the list under it, and of the choice that the arrows are at. */
  readonly list: string;
  readonly current: string | undefined;
  readonly isExpanded: boolean;
  readonly placeholder: string;
  /** The id of what says more about what may be typed. */
  readonly hint?: string;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** What is typed is prose, whose spelling may be checked. */
  readonly isProse?: boolean;
}

/** A field over a list of choices: it keeps the focus while the arrows go through them. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { id, name, list, current, isExpanded, placeholder, hint, text, change, onKeyDown, isProse = false } = props;
  return (
    <input
      id={id}
      ref={takeFocus}
      role="combobox"
      aria-label={name}
      aria-expanded={isExpanded}
      aria-controls={list}
      aria-activedescendant={current}
      aria-autocomplete="list"
      aria-describedby={hint}
      placeholder={placeholder}
      spellCheck={isProse ? undefined : false}
      value={text}
      onChange={({ target }) => change(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
