import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '#cli/command-line';
import { registry } from '#cli/registry';
import { sentenceOf } from '#cli/usage';
import { Fault, wordsFor } from '#protocol';

const parse = (...argv: string[]) => parseCommandLine(argv, registry, wordsFor('en'), 80);

function printed(locale: 'en' | 'es', ...argv: string[]): string {
  const wish = parseCommandLine(argv, registry, wordsFor(locale), 80);
  if (wish.kind !== 'print') throw new Error('It would run.');
  return wish.text;
}

function wished(...argv: string[]) {
  const wish = parse(...argv);
  if (wish.kind !== 'run') throw new Error('It would print.');
  return { name: wish.line.name, positional: wish.positional, options: wish.options };
}

function refusal(locale: 'en' | 'es', ...argv: string[]): string {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof Fault && error.code === 'usage') return sentenceOf(error, wordsFor(locale));
    throw error;
  }
  throw new Error('It was understood.');
}

describe('a command line', () => {
  it('takes -C and --json before and after the command', () => {
    const options = { C: 'novel', json: true };
    expect(wished('-C', 'novel', '--json', 'status')).toEqual({ name: 'status', positional: [], options });
    expect(wished('status', '--json', '-C', 'novel')).toEqual({ name: 'status', positional: [], options });
  });

  it('takes several sources after one option, and the option several times', () => {
    expect(wished('record', 'out.md', '--from', 'a.md', 'b.md', '--from', 'c.md', '--context-from', 'd.md').options).toEqual({
      from: ['a.md', 'b.md', 'c.md'],
      contextFrom: ['d.md'],
    });
  });

  it('takes names that begin with a dash after --', () => {
    expect(wished('hash', '--', '--json').positional).toEqual(['--json']);
    expect(wished('log', '--', '-C').options).toEqual({});
  });

  it('takes a document that is named like a command', () => {
    expect(wished('log', 'status')).toEqual({ name: 'log', positional: ['status'], options: {} });
  });

  it('scans unless it is told not to', () => {
    expect(wished('breakdown').options).toEqual({ scan: true });
    expect(wished('breakdown', '--no-scan').options).toEqual({ scan: false });
  });
});

describe('a command line that cannot be understood', () => {
  it.each([
    [['sttaus'], 'There is no command sttaus; did you mean status?'],
    [['sttaus', 'log'], 'There is no command sttaus; did you mean status?'],
    [['frobnicate'], 'There is no command frobnicate.'],
    [['help', 'frobnicate'], 'There is no command frobnicate.'],
    [["it's"], "There is no command it's."],
    [['status', '--frob'], 'There is no option --frob.'],
    [['status', '--jsn'], 'There is no option --jsn.'],
    [['show'], 'FILE@REV is missing.'],
    [['record'], 'OUT is missing.'],
    [['diff', 'a.md'], 'REV is missing.'],
    [['record', 'a.md', '--from'], 'The option --from needs a value.'],
    [['-C'], 'The option -C needs a value.'],
    [['status', 'more'], 'There are more arguments than this command takes.'],
    [['record', 'a.md', '--from', 'b.md', '--intent', ''], 'The option --intent has an empty value.'],
    [['record', 'a.md', '--from', 'b.md', ''], 'The option --from has an empty value.'],
    [['record', 'a.md', '--context-from='], 'The option --context-from has an empty value.'],
    [['-C', 'novel'], 'COMMAND is missing.'],
    [['--json'], 'COMMAND is missing.'],
  ])('%j: %s', (argv, sentence) => {
    expect(refusal('en', ...argv)).toBe(`${sentence} \`stemma --help\` shows the commands.`);
  });

  it('is said in the language of the reader', () => {
    expect(refusal('es', 'sttaus')).toBe('No existe la orden sttaus; ¿quería decir status? `stemma --help` muestra las órdenes.');
  });

  it('cannot move the cursor with what it holds', () => {
    expect(refusal('en', 'a\u001b[2J')).toBe('There is no command a\\u{1b}[2J. `stemma --help` shows the commands.');
  });
});

describe('help', () => {
  it('is shown without a command, and lists every command', () => {
    expect(printed('en')).toBe(printed('en', '--help'));
    for (const { name } of registry) expect(printed('en')).toMatch(new RegExp(`^  ${name} `, 'mu'));
  });

  it('is worded in every language for every command, without a word of the other or a bare key', () => {
    for (const { name } of registry) {
      const [english, spanish] = [printed('en', name, '--help'), printed('es', name, '--help')];
      expect(english).toMatch(new RegExp(`^Usage: stemma ${name}\\b`, 'u'));
      expect(spanish).toMatch(new RegExp(`^Uso: stemma ${name}\\b`, 'u'));
      expect(english + spanish).not.toMatch(/cli\.|display help|\[options\]/u);
      expect(printed('en', 'help', name)).toBe(english);
    }
  });

  it('of a command reads like this', () => {
    expect(printed('en', 'show', '--help')).toMatchInlineSnapshot(`
      "Usage: stemma show FILE@REV [-C FOLDER] [--json]

      Prints a document as it was at a revision. REV is a label (v3), a revision id or
      the first digits of one.

      Arguments:
        FILE@REV     A document and a revision, such as chapters/03.md@v2.

      Options:
        -C <FOLDER>  Picks the workspace; otherwise the nearest parent with .vmark/,
                     else the current folder.
        --json       Prints one JSON document, always in English.
        --help       Shows this help.
      "
    `);
    expect(printed('es', 'track', '--help')).toMatchInlineSnapshot(`
      "Uso: stemma track FILE… | --all [--dry-run] [--yes] [-C FOLDER] [--json]

      Da un id a los documentos y los pone en seguimiento tal como están. Cada
      documento recibe un id en su cabecera YAML, si puede ponerse sin tocar nada más;
      si no, se sigue por su ruta. El texto no cambia. Fuera de una terminal, \`--all\`
      necesita \`--yes\`.

      Argumentos:
        FILE         Documentos que se ponen en seguimiento.

      Opciones:
        -C <FOLDER>  Elige el espacio de trabajo; si no, la carpeta superior más
                     cercana con .vmark/ o, a falta de ella, la actual.
        --json       Imprime un documento JSON, siempre en inglés.
        --all        Pone en seguimiento todos los documentos del espacio de trabajo.
        --dry-run    Muestra qué se haría y no cambia nada.
        --yes        No pregunta.
        --help       Muestra esta ayuda.
      "
    `);
  });
});
