import { Compartment, type Extension, Prec, type StateEffect } from '@codemirror/state';
import { crosshairCursor } from '@codemirror/view';
import { focusMode, typewriterMode } from './attention-mode.ts';
import { closingIndent } from './closing-indent.ts';
import { pairing } from './pairing.ts';
import { type Pasting, pasting } from './paste.ts';
import { type SmartLanguage, smartSigns } from './smart-sign.ts';
import { type Spelling, spelling } from './spelling.ts';

/** How the writer wants to write. */
export interface Habits {
  /** Brackets and quotes come in pairs. */
  readonly pairs: boolean;
  /** Quotes and dashes as they are printed, in a language; null: as they are typed. */
  readonly smart: SmartLanguage | null;
  readonly spelling: Spelling;
  readonly focus: boolean;
  readonly typewriter: boolean;
}

/** The habits of somebody who changed nothing. */
const plainHabits: Habits = { pairs: true, smart: null, spelling: { isOn: true, language: null }, focus: false, typewriter: false };

const habits = new Compartment();

const habitsOf = ({ pairs, smart, spelling: how, focus, typewriter }: Habits): Extension => [
  spelling(how),
  smart === null ? [] : Prec.high(smartSigns(smart)),
  pairs ? pairing : [],
  focus ? focusMode : [],
  typewriter ? typewriterMode : [],
];

/** An effect that changes the habits of an editor; text, cursor and history stay. */
export const setHabits = (next: Habits): StateEffect<unknown> => habits.reconfigure(habitsOf(next));

/** What helps a writer in an editor beyond keys and commands. */
export function writing(around: Pasting | undefined): Extension {
  return [closingIndent, habits.of(habitsOf(plainHabits)), around === undefined ? [] : pasting(around), crosshairCursor()];
}
