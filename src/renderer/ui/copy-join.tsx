import { useEffect, useMemo } from 'react';
import { BenchContext, createBench } from '#renderer/breakdown/bench.ts';
import { JoinDialog } from '#renderer/breakdown/join-dialog.tsx';
import { worldOf } from '#renderer/breakdown/world.ts';
import type { CopyPair } from '#renderer/explorer/copy-pair.ts';
import { focusPage, useStudio } from './studio.ts';

/** The question how a document and its copy are joined. */
export function CopyJoin({ pair, close }: { readonly pair: CopyPair; readonly close: () => void }) {
  const studio = useStudio();
  const bench = useMemo(() => createBench(worldOf(studio.connection)), [studio]);
  useEffect(() => () => bench.close(), [bench]);
  const joined = () => {
    close();
    studio.documents.lookAgain();
    studio.workspace.listSoon();
    focusPage(studio);
  };
  return (
    <BenchContext value={bench}>
      <JoinDialog path={pair.of} copy={pair.copy} joined={joined} close={close} />
    </BenchContext>
  );
}
