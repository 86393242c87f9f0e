import { type Call, linesOf, type Run } from '#cli/command';

/** `stemma init`: turns provenance on for this workspace. */
export const init: Run = async ({ open, words }: Call) => {
  const output = await (await open()).init();
  const said = output.changed ? (output.initialized ? 'on-with-ledger' : 'on') : 'already-on';
  return { output, print: () => ({ text: linesOf([words(`cli.init.${said}`)]) }) };
};
