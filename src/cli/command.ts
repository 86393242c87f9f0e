import type { Ink } from '#cli/ink';
import type { Core } from '#core';
import type { Words } from '#protocol';

/** What stands on the command line of one command, in the notation of commander; `words` are keys under `cli.help`. */
export interface CommandLine {
  readonly name: string;
  /** The rest of the usage line; no words, so it reads the same in every language. */
  readonly usage: string;
  readonly arguments: readonly { readonly flags: string; readonly words: string }[];
  readonly options: readonly { readonly flags: string; readonly words: string }[];
  readonly run: Run;
}

/** Options by their camel-case name: true, a value, or several. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One call of a command. */
export interface Call {
  /** Positional arguments in order; one that was left out is undefined. */
  readonly positional: readonly (string | readonly string[] | undefined)[];
  readonly options: Options;
  /** Where the workspace is looked for, and where relative names start. */
  readonly folder: string;
  readonly words: Words;
  readonly ink: Ink;
  readonly isJson: boolean;
  /** Whether stdout is a terminal, on which no byte of a document may act. */
  readonly isTerminal: boolean;
  /** Opens the workspace once; it is closed after the answer was printed. */
  open(): Promise<Core>;
  /** Asks a person, or answers null where nobody can be asked. */
  ask(question: string): Promise<string | null>;
}

/** What people read. `text` goes to stdout as it is; `notes` are lines for stderr. */
export interface Printed {
  readonly text: string | Uint8Array;
  readonly notes?: readonly string[];
}

/** What a command answers: `output` with `--json`, else what `print` makes. */
export interface Answer {
  readonly output: unknown;
  readonly code?: 0 | 1 | 3;
  print(): Printed | Promise<Printed>;
}

/** Runs a command. Faults are thrown. */
export type Run = (call: Call) => Promise<Answer>;

/** An option that takes one value. */
export function optionValue({ options }: Call, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** An option that takes several values, in order. */
export function optionValues({ options }: Call, name: string): readonly string[] {
  const value = options[name];
  return typeof value === 'object' ? value : [];
}

/** A positional argument that must be there; commander has seen to that. */
export function argumentOf({ positional }: Call, index: number): string {
  const value = positional[index];
  if (typeof value !== 'string') throw new RangeError('BUG: a required argument is missing.');
  return value;
}

/** Lines as one text, each ended. */
export const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line.trimEnd()}\n`).join('');
