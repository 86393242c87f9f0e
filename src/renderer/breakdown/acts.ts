import type { CallInput, CallName, CallOutputs } from '#protocol/calls';
import { Fault } from '#protocol/fault';
import { faultOf, type ListedRow, type ListingStore, type NamedDocument, type Said, type World } from '#renderer/breakdown/listing.ts';

/** Whether showing a row was worth it. */
export type Judgment = CallInput<'edge/judge'>['judgment'];

/** Asks again when the answer was lost: a call with the same `idem` records nothing twice. */
export async function askTwice<Name extends CallName>(
  world: Pick<World, 'call' | 'reconnected'>,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutputs[Name]> {
  try {
    return await world.call(name, input);
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'core-restarted')) throw error;
    await world.reconnected();
    return world.call(name, input);
  }
}

/** Says whether a row was worth showing; the row tells it from then on. */
export async function judge(store: ListingStore, world: World, listed: ListedRow, judgment: Judgment): Promise<void> {
  const { key, row } = listed;
  if (row.edge === null) return;
  await attempt(store, async () => {
    const { kind } = await askTwice(world, 'edge/judge', { edge: row.edge!, judgment, note: '', idem: world.newId() });
    if (kind !== 'done') return words(`judge.${kind}`);
    store.setState(({ settled }) => {
      const known = settled.get(key);
      const now = known?.row ?? row;
      const judged = now.edge === null ? now : { ...now, judgment };
      return { settled: new Map(settled).set(key, { left: false, said: null, closed: false, ...known, row: judged }) };
    });
    return words('judge.done');
  });
}

/** Narrows a row to a section of its source, or (no headings) takes the whole file again. Answers whether that was recorded. */
export async function narrow(store: ListingStore, world: World, { row }: ListedRow, headings: readonly string[]): Promise<boolean> {
  if (row.edge === null) return false;
  return attempt(store, async () => {
    const { kind } = await askTwice(world, 'edge/narrow', { edge: row.edge!, headings: [...headings], idem: world.newId() });
    if (kind !== 'done') return words(`anchor.${kind}`);
    return words(headings.length === 0 ? 'anchor.widened' : 'anchor.narrowed', { section: `§ ${headings.join(' › ')}` });
  });
}

/** Marks a document as finished, or reopens it. Answers whether that was recorded. */
export async function finish(
  store: ListingStore,
  world: World,
  { object, path }: NamedDocument,
  state: 'finished' | 'live',
  reason: string,
): Promise<boolean> {
  return attempt(store, async () => {
    const { kind } = await askTwice(world, 'document/finish', { object, state, reason, idem: world.newId() });
    return words(kind === 'done' ? `finish.done-${state}` : `finish.${kind}`, { path: path ?? object });
  });
}

const words = (key: string, detail: Readonly<Record<string, unknown>> = {}): Said => ({ kind: 'words', key, detail });

const isDone = (said: Said) => said.kind === 'words' && /\.(?:done|narrowed|widened)/.test(said.key);

/** Does something and says what came of it; what core could not do is said too. */
async function attempt(store: ListingStore, act: () => Promise<Said>): Promise<boolean> {
  try {
    const said = await act();
    store.setState({ said, trouble: isDone(said) ? null : said });
    return isDone(said);
  } catch (error) {
    const said: Said = { kind: 'unrecorded', fault: faultOf(error) };
    store.setState({ said, trouble: said });
    return false;
  }
}
