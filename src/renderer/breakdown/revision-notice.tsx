import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { endRevision, revisions } from '#renderer/breakdown/navigation.ts';
import type { Connection } from '#renderer/connection.ts';
import { useSession } from '#renderer/session.ts';

const StillRestsOn = lazy(async () => ({ default: (await import('#renderer/breakdown/still-rests-on.tsx')).StillRestsOn }));

/** Stands over every document; shows *Still rests on these* over one that was opened by Revise, from its first recorded save on. `answered` is told when it goes. */
export function RevisionNotice({ path, answered }: { readonly path: string; readonly answered: () => void }) {
  const isRevised = useStore(revisions, (known) => known.has(path));
  const done = () => {
    endRevision(path);
    answered();
  };
  return isRevised ? <AfterSave key={path} path={path} done={done} /> : null;
}

function AfterSave({ path, done }: { readonly path: string; readonly done: () => void }) {
  const { connection } = useSession();
  const isSaved = useNewHead(connection, path);
  if (!isSaved) return null;
  return (
    <Suspense fallback={null}>
      <StillRestsOn path={path} done={done} />
    </Suspense>
  );
}

/** Whether the document has another current version than when this was first asked. Asked again when its file changes. */
function useNewHead(connection: Connection, path: string): boolean {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    let first: string | null | undefined;
    const look = () =>
      connection.call('provenance/inputs', { path }).then(
        ({ head }) => {
          first ??= head;
          setNew(head !== first);
        },
        // What is not tracked has no version yet, and nothing to confirm.
        () => undefined,
      );
    void look();
    return connection.on('files-changed', ({ paths }) => {
      if (paths.length === 0 || paths.includes(path)) void look();
    });
  }, [connection, path]);
  return isNew;
}
