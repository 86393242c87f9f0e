import { useCallback, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { CallOutputs } from '#protocol/calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, type Said, type World } from '#renderer/breakdown/listing.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** The calls that answer a part of the log. */
type LogCall = 'coherence/log' | 'coherence/confirmations';
/** Asks for a part of the log. */
export type AskLog<Name extends LogCall> = (
  call: World['call'],
  range: { readonly offset: number; readonly limit: number },
) => Promise<CallOutputs[Name]>;

/** How many rows of the log come at once. */
const pageSize = 100;

/** The first rows of a part of the log and what follows when more is asked for; `page` null until they are read. */
export function useLogPages<Name extends LogCall>(ask: AskLog<Name>) {
  const { world } = useBench();
  const [page, setPage] = useState<CallOutputs[Name] | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const read = useCallback(
    (before: CallOutputs[Name]['rows']) =>
      void ask(world.call, { offset: before.length, limit: pageSize }).then(
        (answer) => setPage({ ...answer, rows: [...before, ...answer.rows] }),
        (error) => setSaid(faultOf(error)),
      ),
    [world, ask],
  );
  useEffect(() => read([]), [read]);
  return { page, said, more: () => read(page?.rows ?? []) };
}

/** How many rows of the log are shown of all, where not all are. */
export function MoreOfLog({ shown, total, more }: { readonly shown: number; readonly total: number; readonly more: () => void }) {
  const words = useBreakdownWords();
  if (shown >= total) return null;
  return (
    <div className="bd-more">
      <Button className="bd-button bd-outline" onPress={more}>
        {words('action.show-more')}
      </Button>
      <span className="bd-faint">{words('action.shown', { shown, total })}</span>
    </div>
  );
}
