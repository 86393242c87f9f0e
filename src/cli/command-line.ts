import { Command, CommanderError, Option } from 'commander';
import type { CommandLine, Options } from '#cli/command';
import { usageFault } from '#cli/usage';
import { Fault, type Words } from '#protocol';
import packageJson from '../../package.json' with { type: 'json' };

type Positional = readonly (string | readonly string[] | undefined)[];

/** What a command line asks for: a command, or a text to print (help, version). */
export type Wish =
  | { readonly kind: 'run'; readonly line: CommandLine; readonly positional: Positional; readonly options: Options }
  | { readonly kind: 'print'; readonly text: string };

/** Reads a command line; one that cannot be understood is a `usage` fault. `width` is how many columns help may take. */
export function parseCommandLine(argv: readonly string[], lines: readonly CommandLine[], words: Words, width: number): Wish {
  const asked = withHelp(argv, lines);
  if (asked.includes('--help')) return parse(asked, lines, words, width);
  // Starting is measured: only the commands that may be meant are made, without the words that only help shows.
  const named = lines.filter(({ name }) => asked.includes(name));
  const meant = named.length === 0 ? lines : named;
  try {
    return parse(asked, meant, noWords, width);
  } catch (error) {
    const isUnknown = error instanceof Fault && error.detail.usage === 'unknown-command';
    if (isUnknown && meant.length < lines.length) return parse(asked, lines, noWords, width);
    throw error;
  }
}

const noWords: Words = () => '';

/** No command at all asks for help, and so does `help`. */
function withHelp(argv: readonly string[], lines: readonly CommandLine[]): readonly string[] {
  if (argv.length === 0) return ['--help'];
  if (argv[0] !== 'help') return argv;
  const [, name] = argv;
  return name === undefined ? ['--help'] : lines.some((line) => line.name === name) ? [name, '--help'] : [name];
}

function parse(argv: readonly string[], lines: readonly CommandLine[], words: Words, width: number): Wish {
  let wish: Wish | null = null;
  let printed = '';
  const writeOut = (text: string) => {
    printed += text;
  };
  const program = emptyCommand('stemma', words)
    .usage('COMMAND …')
    .description(words('cli.help.about'))
    .version(packageJson.version, '--version', words('cli.help.options.version'))
    .configureOutput({ writeOut, writeErr: () => {}, getOutHelpWidth: () => width })
    .exitOverride();
  for (const line of lines) {
    const command = commandOf(line, words).copyInheritedSettings(program);
    command.action((...given: unknown[]) => {
      const positional = given.slice(0, line.arguments.length) as Positional;
      wish = { kind: 'run', line, positional, options: checkedOptions(command.optsWithGlobals()) };
    });
    program.addCommand(command);
  }
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (!/^commander\.(help|helpDisplayed|version)$/u.test(error.code)) throw usageOf(error);
  }
  if (wish === null && printed === '') throw usageFault('missing-argument', { name: 'COMMAND' });
  return wish ?? { kind: 'print', text: printed };
}

function emptyCommand(name: string, words: Words): Command {
  return new Command(name)
    .option('-C <FOLDER>', words('cli.help.options.folder'))
    .option('--json', words('cli.help.options.json'))
    .helpOption('--help', words('cli.help.options.help'))
    .helpCommand(false)
    .configureHelp({ styleTitle: (title) => labelOf(title, words), subcommandTerm: (command) => command.name() });
}

function commandOf(line: CommandLine, words: Words): Command {
  const summary = words(`cli.help.commands.${line.name}`);
  const command = emptyCommand(line.name, words)
    .usage(`${line.usage} [-C FOLDER] [--json]`.trim())
    .summary(summary)
    .description(`${summary} ${words(`cli.help.details.${line.name}`)}`);
  for (const { flags, words: key } of line.arguments) command.argument(flags, words(`cli.help.arguments.${key}`));
  for (const { flags, words: key } of line.options) command.addOption(new Option(flags, words(`cli.help.options.${key}`)));
  return command;
}

/** The headings of commander in the language of `words`. */
function labelOf(title: string, words: Words): string {
  return words(`cli.help.labels.${title.replace(':', '').toLowerCase()}`);
}

function checkedOptions(options: Options): Options {
  for (const [name, value] of Object.entries(options)) {
    const isEmpty = value === '' || (typeof value === 'object' && value.includes(''));
    if (isEmpty) throw usageFault('empty-value', { name: flagOf(name) });
  }
  return options;
}

const flagOf = (name: string) =>
  name.length === 1 ? `-${name}` : `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

/** Commander tells what was wrong by a code, and the name only inside its English sentence. */
function usageOf({ code, message }: CommanderError): Fault {
  const name = /'(.*)'/su.exec(message.split('\n(Did you mean', 1)[0] ?? '')?.[1] ?? '';
  const suggestion = /\(Did you mean (?:one of )?(.+)\?\)$/u.exec(message)?.[1];
  switch (code) {
    case 'commander.unknownCommand':
      return suggestion === undefined ? usageFault('unknown-command', { name }) : usageFault('did-you-mean', { name, suggestion });
    case 'commander.unknownOption':
      return usageFault('unknown-option', { name });
    case 'commander.missingArgument':
      return usageFault('missing-argument', { name });
    case 'commander.optionMissingArgument':
      return usageFault('missing-value', { name: name.replace(/ <.*$/su, '') });
    case 'commander.excessArguments':
      return usageFault('excess-arguments');
    default:
      throw new RangeError(`BUG: commander says ${code}.`);
  }
}
