import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { ranked } from '#renderer/palette/fuzzy.ts';
import { ChoiceField } from '#renderer/ui/choice-field.tsx';
import { useCodeWords } from './words.ts';

/** How many are shown at once: who wants another one types more of its name. */
const mostShown = 100;

/** A field and, under it, what fits what was typed: the best first, moved through with the arrows, taken with Enter. */
export function FuzzyList<Item>({
  label,
  hint,
  listLabel,
  items,
  textOf,
  drawn,
  isWorking,
  choose,
  current: tell,
}: {
  readonly label: string;
  readonly hint: string;
  readonly listLabel: string;
  readonly items: readonly Item[];
  readonly textOf: (item: Item) => string;
  readonly drawn: (item: Item) => ReactNode;
  readonly isWorking: boolean;
  readonly choose: (item: Item) => void;
  /** Told which one the arrows are at. */
  readonly current?: (item: Item | null) => void;
}) {
  const words = useCodeWords();
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what an item reads as does not change.
  const fitting = useMemo(() => ranked(text, items, textOf), [text, items]);
  const shown = fitting.slice(0, mostShown).map((fit, place) => ({ ...fit, place }));
  const here = Math.min(at, shown.length - 1);
  const item = shown[here]?.item ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: who hears is not a reason to tell again.
  useEffect(() => tell?.(item), [item]);
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const by = steps[event.key];
    if (by !== undefined) setAt(Math.max(0, Math.min(shown.length - 1, here + by)));
    else if (event.key === 'Enter' && item !== null) choose(item);
    else return;
    event.preventDefault();
  };
  return (
    <div className="code-fuzzy">
      <label className="code-field" htmlFor={`${id}-field`}>
        <span className="bd-faint">{label}</span>
        <ChoiceField
          id={`${id}-field`}
          list={id}
          current={item === null ? undefined : `${id}-${here}`}
          isExpanded={shown.length > 0}
          placeholder={hint}
          text={text}
          change={(next) => {
            setText(next);
            setAt(0);
          }}
          onKeyDown={pressed}
        />
      </label>
      <div className="code-choices" role="listbox" id={id} aria-label={listLabel} tabIndex={-1}>
        {shown.map(({ item: one, place }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of its list
          <div
            key={`${place}:${textOf(one)}`}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === here}
            className="code-choice"
            ref={(line) => void (place === here && line?.scrollIntoView({ block: 'nearest' }))}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => (tell === undefined || place === here ? choose(one) : setAt(place))}
          >
            {drawn(one)}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="bd-quiet">{isWorking ? words('look.reading') : words('pick.none')}</p>}
      {fitting.length > mostShown && <p className="bd-faint">{words('pick.more')}</p>}
    </div>
  );
}
