import type { Text } from '@codemirror/state';
import { frontOf } from './front.ts';
import { addProperty, type Change, propertiesOf, removeProperty, setText } from './live/front-property.ts';
import type { Tally } from './tally.ts';

/** How long a document is meant to become. */
export interface Goal {
  readonly count: number;
  readonly unit: 'words' | 'characters';
}

/** The property of the frontmatter in which a document says it: `goal: 1500`, `goal: 9000 characters`. */
const property = 'goal';

/** The most that can be a goal. */
export const mostGoal = 10_000_000;

/** What a document says of its goal; null where it says nothing that is one. */
export function goalOf(doc: Text): Goal | null {
  const said = propertiesOf(doc)?.find(({ key }) => key === property)?.value;
  return said?.kind === 'text' ? readGoal(said.text) : null;
}

/** Reads a goal as it is written; null where it is none. */
export function readGoal(text: string): Goal | null {
  const met = /^(\d{1,8})(?:\s*(words?|characters?))?$/iu.exec(text.trim());
  const count = Number(met?.[1] ?? 0);
  if (met === null || count < 1 || count > mostGoal) return null;
  return { count, unit: /^c/iu.test(met[2] ?? '') ? 'characters' : 'words' };
}

/** A goal as it is written. */
export const writeGoal = ({ count, unit }: Goal): string => (unit === 'words' ? String(count) : `${count} characters`);

/** The changes that make a document say a goal in its frontmatter, or none (null); nothing else of it changes. */
export function setGoal(doc: Text, goal: Goal | null): readonly Change[] {
  const known = propertiesOf(doc)?.find(({ key }) => key === property);
  if (goal === null) return known === undefined ? [] : [removeProperty(known)];
  if (known?.value.kind === 'text') return [setText(doc, known.value, writeGoal(goal))];
  if (known !== undefined) return [{ from: known.lines.from, to: known.lines.to, insert: `${property}: ${writeGoal(goal)}` }];
  if (frontOf(doc) === null)
    return [{ from: 0, insert: `---\n${property}: ${writeGoal(goal)}\n---\n${doc.line(1).text.trim() === '' ? '' : '\n'}` }];
  const place = addProperty(doc, property);
  return place === null ? [] : [{ from: place.from, insert: `${property}: ${writeGoal(goal)}\n` }];
}

/** How far a document is, in its goal's unit; null while it is not counted. */
export const reached = ({ unit }: Goal, tally: Tally): number | null => (unit === 'words' ? tally.words : tally.characters);
