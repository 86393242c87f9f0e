import { wantsJson } from '#cli/argument';
import { Fault, failedReply, failureOf, localeFrom, wordsFor } from '#protocol';

/** Says that this Node is too old, in one sentence or as JSON; the exit code. Runs on that old Node, so it uses nothing new. */
export function refuseNode(found: string, needed: string): number {
  const fault = new Fault('node-too-old', { found, needed });
  if (wantsJson(process.argv.slice(2))) process.stdout.write(`${JSON.stringify(failureOf(failedReply(fault)), null, 2)}\n`);
  else process.stderr.write(`${wordsFor(localeFrom(process.env))('faults.node-too-old', fault.detail)}\n`);
  return 3;
}
