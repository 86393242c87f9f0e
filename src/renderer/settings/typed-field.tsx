import { type ComponentProps, useState } from 'react';

interface TypedFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'onKeyDown'> {
  /** What counts now. */
  readonly value: string;
  /** Told what was typed, on Enter and on leaving; with `isQuick` at each key, too. */
  readonly take: (text: string) => void;
  readonly isQuick?: boolean;
}

/** A field of a setting: it shows what counts, and what is typed until that is taken. It stays the same field, so that the focus does. */
export function TypedField({ value, take, isQuick = false, ...input }: TypedFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const end = () => {
    if (typed !== null) take(typed);
    setTyped(null);
  };
  return (
    <input
      {...input}
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value);
        if (isQuick) take(event.target.value);
      }}
      onBlur={end}
      onKeyDown={(event) => event.key === 'Enter' && end()}
    />
  );
}
