import { type Ink, inkFor } from '#cli/ink';
import { faultFromSystem } from '#protocol';

/** Where a command prints, and whom it may ask. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly ink: Ink;
  out(text: string | Uint8Array): void;
  note(line: string): void;
  ask(question: string): Promise<string | null>;
}

/** The terminal of this process. A reader that has gone away ends the printing and nothing else. */
export function openTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  stdout.on('error', (error) => {
    if (isClosed(error)) return;
    stderr.write(`${faultFromSystem(error, 'stdout').message}\n`);
    process.exitCode = 3;
  });
  stderr.on('error', () => {});
  return {
    isTerminal: stdout.isTTY === true,
    ink: inkFor(stdout.isTTY === true, process.env),
    out: (text) => void stdout.write(text),
    note: (line) => void stderr.write(`${line}\n`),
    ask: (question) => (stdin.isTTY && stderr.isTTY ? askPerson(question) : Promise.resolve(null)),
  };
}

async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const { stdin: input, stderr: output } = process;
  const reader = createInterface({ input, output });
  return new Promise((answered) => {
    // Ctrl-D and Ctrl-C are answers too: no.
    reader.once('close', () => answered(''));
    reader.question(`${question} `, (answer) => {
      answered(answer);
      reader.close();
    });
  });
}

function isClosed(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF';
}
