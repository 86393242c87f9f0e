import { wantsJson } from '#cli/argument';
import type { Answer, Call } from '#cli/command';
import { parseCommandLine, type Wish } from '#cli/command-line';
import { registry } from '#cli/registry';
import { openTerminal, type Terminal } from '#cli/terminal';
import { safeJson, visibleText } from '#cli/text';
import { sentenceOf } from '#cli/usage';
import type { Core } from '#core';
import { Fault, type FaultCode, failedReply, failureOf, faultFromSystem, localeFrom, type Words, wordsFor } from '#protocol';

const exitCodes: Partial<Record<FaultCode, number>> = {
  usage: 2,
  'agent-invalid': 2,
  'state-unknown': 2,
  'needs-yes': 2,
  'agent-human-refused': 1,
  'no-such-declaration': 1,
  'declaration-ambiguous': 1,
  'declaration-damaged': 1,
  'language-unknown': 1,
  'range-invalid': 1,
  'section-unknown': 1,
  'anchor-exists': 1,
  'anchor-moved': 1,
  'anchor-unseen': 1,
  'anchor-lost': 1,
};

/** Runs one command line on this process: prints its answer and sets the exit code (interfaces §2). Never throws. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const terminal = openTerminal();
  // The catalogue is made at the first word: with --json there may be none.
  const words: Words = (key, detail) => wordsFor(localeFrom(process.env))(key, detail);
  const isJson = wantsJson(argv);
  try {
    const wish = parseCommandLine(argv, registry, words, Math.min(process.stdout.columns ?? 80, 100));
    if (wish.kind === 'run') setExit(await runWish(wish, isJson, words, terminal));
    else terminal.out(wish.text);
  } catch (error) {
    setExit(sayFault(error, isJson, words, terminal));
  }
}

/** A fault of stdout itself, once said, is not forgotten. */
function setExit(code: number): void {
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0));
}

async function runWish(wish: Extract<Wish, { kind: 'run' }>, isJson: boolean, words: Words, terminal: Terminal): Promise<number> {
  let opened: Promise<Core> | null = null;
  const folder = typeof wish.options.C === 'string' ? wish.options.C : '.';
  const call: Call = {
    positional: wish.positional,
    options: wish.options,
    folder,
    words,
    ink: terminal.ink,
    isJson,
    isTerminal: terminal.isTerminal,
    open: () => (opened ??= openWorkspace(folder)),
    ask: isJson ? async () => null : terminal.ask,
  };
  try {
    return await print(await wish.line.run(call), isJson, terminal);
  } finally {
    await (opened as Promise<Core> | null)?.then(
      (core) => core.close(),
      // Already said: it could not be opened.
      () => {},
    );
  }
}

async function openWorkspace(folder: string): Promise<Core> {
  const { openCore } = await import('#core');
  return openCore({ folder, env: process.env, follows: false });
}

async function print(answer: Answer, isJson: boolean, terminal: Terminal): Promise<number> {
  if (isJson) {
    terminal.out(`${safeJson(answer.output)}\n`);
  } else {
    const { text, notes = [] } = await answer.print();
    terminal.out(text);
    for (const note of notes) terminal.note(note);
  }
  return answer.code ?? 0;
}

/** Says what went wrong, once and without a stack; the exit code. */
function sayFault(error: unknown, isJson: boolean, words: Words, terminal: Terminal): number {
  const fault: Fault = error instanceof Fault ? error : faultFromSystem(error, placeOf(error));
  if (isJson) terminal.out(`${safeJson(failureOf(failedReply(fault)))}\n`);
  else terminal.note(sentenceOf(fault, words));
  if (process.env.STEMMA_DEBUG === '1') terminal.note(visibleText(stackOf(error)));
  return exitCodes[fault.code] ?? 3;
}

/** The file that a system error is about. */
function placeOf(error: unknown): string {
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  return typeof path === 'string' ? path : '.';
}

function stackOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? `\n${stackOf(error.cause)}` : '';
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}${cause}`;
}
