import { type Call, linesOf, type Run } from '#cli/command';
import type { Outputs, Words } from '#protocol';

type Verified = Outputs['verify'];

/** `stemma verify`: 1 when something is wrong. */
export const verify: Run = async ({ open, options, words }: Call) => {
  const output = await (await open()).verify({ restoreLines: options.restoreLines === true });
  return { output, code: output.ok ? 0 : 1, print: () => ({ text: linesOf(verifyLines(output, words)) }) };
};

/** `stemma rebuild`: drops the index and builds it again. */
export const rebuild: Run = async ({ open, words }: Call) => {
  const output = await (await open()).rebuild();
  const said = output.index === null ? words('cli.rebuild.no-ledger') : words('cli.rebuild.done', { count: output.entries });
  return { output, print: () => ({ text: linesOf([said]) }) };
};

/** What was read, each problem on a line, and whether all is in order. */
function verifyLines(output: Verified, words: Words): string[] {
  const { entries, revisions, snapshots, orphans = [], quarantined, future, restored, problems, ok } = output;
  return [
    words('cli.verify.entries', { count: entries }),
    words('cli.verify.revisions', { count: revisions }),
    words('cli.verify.snapshots', snapshots),
    ...(orphans.length === 0 ? [] : [words('cli.verify.orphans', { count: orphans.length })]),
    ...(quarantined.length === 0 ? [] : [words('cli.verify.quarantined', { count: quarantined.length })]),
    ...(future === 0 ? [] : [words('cli.verify.future', { count: future })]),
    ...(restored === undefined
      ? []
      : [restored === 0 ? words('cli.verify.nothing-to-restore') : words('cli.verify.restored', { count: restored })]),
    ...problems.map(({ code, detail }) => `  ${words(`problems.${code}`, detail)}`),
    ok ? words('cli.verify.ok') : words('cli.verify.problems', { count: problems.length }),
  ];
}
