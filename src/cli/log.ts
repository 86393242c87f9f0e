import { agentName, intentText } from '#cli/authorship';
import { type Cell, columns } from '#cli/column';
import { type Call, linesOf, type Run } from '#cli/command';
import { pathsIn, summaryOf } from '#cli/entry-summary';
import type { Ink } from '#cli/ink';
import { momentOf } from '#cli/moment';
import { nameOf } from '#cli/sentence';
import type { Core } from '#core';
import { Fault, type Outputs, type Words } from '#protocol';

type Log = Outputs['log'];
type FileLog = Outputs['log-file'];
type Revision = FileLog['revisions'][number];
type Input = Revision['inputs'][number];

/** Finds the label of a revision; null when it is not known. */
export type FindLabel = (input: Input) => string | null;

/** `stemma log [FILE]`: the ledger in reader order, or the revisions of one document. */
export const log: Run = async ({ open, positional, words, ink }: Call) => {
  const core = await open();
  if (typeof positional[0] !== 'string') {
    const output = await core.log();
    return { output, print: () => ({ text: linesOf(logLines(output, words, ink)) }) };
  }
  const output = await core.logFile(positional[0]);
  const print = async () => ({ text: linesOf(fileLogLines(output, await labels(output, core), words, ink)) });
  return { output, print };
};

/** One line for each entry: time, kind, document, what it says. */
export function logLines({ entries }: Log, words: Words, ink: Ink, timeZone?: string): string[] {
  if (entries.length === 0) return [words('cli.log.empty')];
  const paths = pathsIn(entries);
  const kindOf = (kind: string) => {
    const name = nameOf(words, 'kinds', kind);
    return name === kind ? words('kinds.other', { kind }) : name;
  };
  const rows = entries.map(({ time, kind, body }): Cell[] => {
    const { document, about } = summaryOf(kind, body, paths, words);
    return [
      { text: momentOf(time, timeZone), style: 'quiet' },
      { text: kindOf(kind) },
      { text: document, style: 'heading' },
      { text: about },
    ];
  });
  return columns(rows, '', ink);
}

/** The revisions of a document, newest last: label, time, agent, confidence, intent, and below each what it rests on. */
export function fileLogLines({ heads, revisions }: FileLog, findLabel: FindLabel, words: Words, ink: Ink, timeZone?: string): string[] {
  const heading = columns(
    revisions.map(({ label, time, agent, confidence, intent }): Cell[] => [
      { text: label, style: 'heading' },
      { text: momentOf(time, timeZone), style: 'quiet' },
      { text: agentName(agent, words) },
      { text: words(`confidences.${confidence}`) },
      { text: intentText(intent, words) },
    ]),
    '',
    ink,
  );
  const lines = revisions.flatMap(({ inputs }, at) => [heading[at]!, ...inputLines(inputs, findLabel, words, ink)]);
  return heads.length > 1 ? [...lines, '', words('cli.log.heads', { count: heads.length })] : lines;
}

function inputLines(inputs: readonly Input[], findLabel: FindLabel, words: Words, ink: Ink): string[] {
  const rows = inputs.map((input): Cell[] => [
    { text: words(`roles.${input.role}`), style: 'quiet' },
    { text: input.path ?? input.object },
    { text: findLabel(input) ?? input.revision.slice(0, 13), style: 'quiet' },
  ]);
  return columns(rows, '      ', ink);
}

/** The labels of all inputs, read from the histories of the documents that they belong to. */
async function labels({ revisions }: FileLog, core: Core): Promise<FindLabel> {
  const known = new Map<string, string>();
  const paths = new Set(revisions.flatMap(({ inputs }) => inputs.flatMap(({ path }) => (path === null ? [] : [path]))));
  for (const path of paths) {
    for (const { revision, label, object } of await historyOf(path, core)) known.set(`${object} ${revision}`, label);
  }
  return ({ object, revision }) => known.get(`${object} ${revision}`) ?? null;
}

async function historyOf(path: string, core: Core): Promise<{ object: string; revision: string; label: string }[]> {
  try {
    const { object, revisions } = await core.logFile(`${core.root}/${path}`);
    return revisions.map(({ revision, label }) => ({ object, revision, label }));
  } catch (error) {
    // A source that is gone or held has no label to show; its revision is shown by its id.
    if (error instanceof Fault) return [];
    throw error;
  }
}
