import { type Call, linesOf, type Printed, type Run } from '#cli/command';
import { reasonSentence } from '#cli/sentence';
import { usageFault } from '#cli/usage';
import type { Core } from '#core';
import { Fault, type Outputs, type Words } from '#protocol';

type Tracking = Outputs['track'];

/** `stemma track`: stamps and registers documents; all of them only after a yes. */
export const track: Run = async (call: Call) => {
  const { options, positional, words, open } = call;
  const named = typeof positional[0] === 'object' ? positional[0] : [];
  const isAll = options.all === true;
  if (isAll && named.length > 0) throw usageFault('files-and-all');
  if (!isAll && named.length === 0) throw usageFault('missing-files');
  const core = await open();
  const paths = isAll ? null : named;
  const dryRun = options.dryRun === true;
  const declined = isAll && !dryRun && options.yes !== true ? await preview(call, core) : null;
  const output = declined ?? (await core.track({ paths, dryRun }));
  const code = !isAll && output.counts.refused > 0 ? 3 : 0;
  return {
    output,
    code,
    print: () => (declined === null ? trackText(output, isAll, words) : { text: linesOf([words('cli.track.declined')]) }),
  };
};

/** Shows what would be done and asks; null when it may be done, else what was declined. Nobody to ask is a fault. */
async function preview(call: Call, core: Core): Promise<Tracking | null> {
  const { words, ask } = call;
  const foreseen = await core.track({ paths: null, dryRun: true });
  const count = foreseen.counts.tracked;
  if (count === 0) return null;
  const { text } = trackText(foreseen, true, words);
  const answer = await ask(`${text}${words('cli.track.question', { count })} ${words('cli.track.answers')}`);
  if (answer === null) throw new Fault('needs-yes', { count });
  return isYes(answer) ? null : foreseen;
}

/** Whether an answer is a yes, in any language of ours; everything else is a no. */
export const isYes = (answer: string): boolean => /^(y|yes|s|si|sí)$/iu.test(answer.trim().normalize('NFC'));

/** What became of each document. Of all documents, those that were tracked before are only counted. */
export function trackText(output: Tracking, isAll: boolean, words: Words): Printed {
  const { documents, counts, dry_run } = output;
  const shown = documents.filter(({ outcome }) => outcome === 'tracked' || (outcome === 'already-tracked' && !isAll));
  const refused = documents.filter(({ outcome }) => outcome === 'refused');
  const total =
    documents.length === 0 ? words('cli.track.none') : words(`cli.track.${dry_run ? 'dry-run' : 'done'}`, { count: counts.tracked });
  return {
    text: linesOf([...shown.map((document) => documentLine(document, dry_run, words)), total]),
    notes: refused.map((document) => documentLine(document, dry_run, words)),
  };
}

function documentLine(document: Tracking['documents'][number], isDry: boolean, words: Words): string {
  const { path, outcome, tracked_by, reason } = document;
  const detail = { path, reason: reason === null ? '' : reasonSentence(reason, path, words) };
  if (outcome === 'already-tracked') return words('cli.track.already', detail);
  if (outcome === 'refused') return words('cli.track.refused', detail);
  return words(`cli.track.${isDry ? 'would-' : ''}${tracked_by === 'path' ? 'by-path' : isDry ? 'stamp' : 'stamped'}`, detail).trimEnd();
}
