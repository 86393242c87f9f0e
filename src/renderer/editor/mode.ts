import { type Buffer, transact } from './buffer.ts';
import { topCharacter } from './scroll.ts';
import { plainFrom, setLive } from './setup.ts';

/** Buffers that are shown otherwise than they were opened. */
const shown = new WeakMap<Buffer, boolean>();

/** Shows a buffer as live preview, or as the text that it is. */
export function showLive(buffer: Buffer, isLive: boolean): void {
  const { length } = buffer.state.doc;
  if ((shown.get(buffer) ?? length <= plainFrom) === isLive) return;
  shown.set(buffer, isLive);
  transact(buffer, { effects: setLive(isLive, length) });
}

/** The character at the top of a buffer that is shown; 0 for one that is not. */
export const topOfBuffer = ({ view }: Buffer): number => (view === null ? 0 : topCharacter(view));
