import { RangeSet, type TransactionSpec } from '@codemirror/state';
import { type Buffer, transact } from './buffer.ts';
import { type LineBreak, lineBreaksOf, setLineBreaks } from './line-breaks.ts';

/** Gives every line of a buffer the same kind of break. */
export function convertBreaks(buffer: Buffer, majority: LineBreak): void {
  change(buffer, { effects: setLineBreaks.of({ ...lineBreaksOf(buffer.state), majority, odd: RangeSet.empty }) });
}

/** Puts a byte order mark before a buffer's text, or takes it away. */
export function toggleMark(buffer: Buffer): void {
  const breaks = lineBreaksOf(buffer.state);
  change(buffer, { effects: setLineBreaks.of({ ...breaks, bom: !breaks.bom }) });
}

/** Whether the last line of a buffer ends with a line break. */
export const hasFinalBreak = ({ state: { doc } }: Buffer): boolean => doc.length > 0 && doc.line(doc.lines).length === 0;

/** Ends the last line of a buffer with a line break, or takes all of them away that stand at the end. */
export function toggleFinalBreak(buffer: Buffer): void {
  const { doc } = buffer.state;
  let last = doc.lines;
  while (last > 1 && doc.line(last).length === 0) last--;
  const end = doc.line(last).to;
  change(buffer, { changes: hasFinalBreak(buffer) ? { from: end, to: doc.length } : { from: end, insert: '\n' } });
}

function change(buffer: Buffer, spec: TransactionSpec): void {
  if (buffer.readOnly === null) transact(buffer, { ...spec, userEvent: 'input.format' });
}
