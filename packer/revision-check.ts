import { outputIsRight, outputParents } from './line-batch';

// What is hashed for the name of a revision without a parent or with one (`spec/format.md` §3), with room for the hashes.
const beginning = 'vmark-rev\nsha256:';
const between = '\nrev1:';
const newline: u8 = 0x0a;
const digits = 64;

/** Where that stands. */
export const form: i32 = <i32>memory.data(168, 16);
/** How long it is without a parent, and with one. */
export const shortForm = beginning.length + digits + 1;
export const longForm = beginning.length + digits + between.length + digits + 1;

/** Whether what is hashed with so many parents has the hash whose digits stand at `name`. The host knows. */
declare function isNamed(parents: i32, name: i32): bool;
/** Marks the right revisions of a packed line whose outputs may have several parents. The host can. */
export declare function checkLine(line: i32): void;

putText(form, beginning);

/** Marks an output without a parent, or with one, as right if it is; the digits of its name, content and parent stand at these places. False for others. */
export function checkOutput(output: i32, name: i32, content: i32, parent: i32): bool {
  const parents = load<u32>(output + outputParents);
  if (parents > 1) return false;
  const at = form + beginning.length;
  memory.copy(at, content, digits);
  if (parents === 1) {
    putText(at + digits, between);
    memory.copy(at + digits + between.length, parent, digits);
  }
  store<u8>(form + (parents === 0 ? shortForm : longForm) - 1, newline);
  store<u32>(output + outputIsRight, isNamed(parents, name));
  return true;
}

function putText(to: i32, text: string): void {
  for (let i = 0; i < text.length; i++) store<u8>(to + i, text.charCodeAt(i));
}
