import { useStore } from 'zustand';
import { useBench } from '#renderer/breakdown/bench.ts';
import { spokenTime, useBreakdownWords, useTimeStyle } from '#renderer/breakdown/words.ts';

/** What is known of how a version was made, with times as RFC 3339. */
export interface Made {
  readonly label: string | null;
  readonly time: string | null;
  readonly agent: string | null;
  readonly by: string | null;
}

/** Tells a version in words: what it is called, when it was made (null: not known) and by whom (empty: not known). */
export function useMadeOf(): (made: Made) => { readonly name: string; readonly time: string | null; readonly by: string } {
  const words = useBreakdownWords();
  const style = useTimeStyle();
  const { world, asOf } = useBench();
  const moment = useStore(asOf);
  return (made) => ({
    name: made.label ?? words('row.unknown-version'),
    time: made.time === null ? null : spokenTime(made.time, moment ?? world.now(), words, style),
    by: authorOf(made, words),
  });
}

/** The letter of one of several versions that stand beside each other: A, B, … Z, then numbers. */
export const letterOf = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : String(at + 1));

/** A person by name; a model or a program by what it is, with its name. */
function authorOf({ agent, by }: Made, words: (key: string, detail?: Readonly<Record<string, unknown>>) => string): string {
  if (agent === null) return '';
  if (agent === 'human' && by !== null) return words('change.by', { who: by });
  const kind = words(`agents.${agent}`);
  return words('change.by', { who: by === null || by === agent ? kind : `${kind}, ${by}` });
}
