import { columns } from '#cli/column';
import { type Call, linesOf, type Printed, type Run } from '#cli/command';
import type { Ink } from '#cli/ink';
import { diagnosticNotes } from '#cli/sentence';
import type { Outputs, Words } from '#protocol';

type Status = Outputs['status'];

/** `stemma status`: what the ledger says, without looking at the documents. */
export const status: Run = async ({ open, words, ink }: Call) => {
  const output = await (await open()).status();
  return { output, print: () => statusText(output, words, ink) };
};

/** Setting, documents, ledger, states that are present, git; nothing that is zero or absent. */
function statusText(output: Status, words: Words, ink: Ink): Printed {
  const { setting, initialized, documents, tracked, ledger, quarantined, git } = output;
  const isKept = setting === 'off' && initialized && tracked > 0;
  const lines = [
    words(`cli.status.setting-${isKept ? 'off-with-ledger' : setting}`),
    ...(initialized
      ? [
          words('cli.status.documents', { count: documents, tracked }),
          words('cli.status.ledger', { count: ledger.entries, bytes: ledger.bytes }),
          ...stateLines(output, words, ink),
          ...(quarantined === 0 ? [] : [words('cli.status.quarantined', { count: quarantined })]),
        ]
      : [words('cli.status.no-ledger')]),
    gitLine(git, words),
    ...(output.writer === null ? [] : [words('cli.status.writer', { writer: output.writer })]),
    ...(initialized ? [words('cli.status.as-recorded')] : []),
  ];
  return { text: linesOf(lines), notes: diagnosticNotes(output.diagnostics, words) };
}

function gitLine(git: Status['git'], words: Words): string {
  if (git === null) return words('cli.status.no-git');
  return git.branch === null ? words('cli.status.detached') : words('cli.status.branch', { branch: git.branch });
}

function stateLines({ counts }: Status, words: Words, ink: Ink): string[] {
  const present = Object.entries(counts).filter(([state, count]) => (count ?? 0) > 0 && state !== 'fresh');
  const rows = present.map(([state, count]) => [
    { text: String(count) },
    { text: words(`states.${state}`) },
    { text: `(${state})`, style: 'quiet' as const },
  ]);
  return columns(rows, '  ', ink);
}
