import { useCallback, useEffect, useState } from 'react';
import type { DocumentCopies } from '#protocol/document-calls';
import { faultOf, type Said, type World } from '#renderer/breakdown/listing.ts';

/** Files that share an id, and the way to tell one of them from the others. */
export interface Copies {
  readonly found: DocumentCopies;
  /** What could not be done; until the breakdown is computed anew. */
  readonly said: Said | null;
  /** Gives a file an id of its own: *This copy is a new document*. */
  makeNew(path: string): void;
}

const noCopies: DocumentCopies = { held: [], copies: [] };

/** Looks for copies whenever the breakdown was computed (`asOf`); `made` is told when one became a document of its own. */
export function useCopies({ call }: Pick<World, 'call'>, asOf: number | null, made: (path: string) => void): Copies {
  const [found, setFound] = useState(noCopies);
  const [said, setSaid] = useState<Said | null>(null);
  useEffect(() => {
    if (asOf === null) return;
    let isWanted = true;
    setSaid(null);
    // What cannot be scanned is said by the breakdown itself.
    call('document/copies', {}).then(
      (copies) => isWanted && setFound(copies),
      () => isWanted && setFound(noCopies),
    );
    return () => {
      isWanted = false;
    };
  }, [call, asOf]);
  const makeNew = useCallback(
    (path: string) => {
      const make = async () => {
        const opened = await call('document/open', { path });
        if (opened.kind !== 'text') return setSaid({ kind: 'words', key: 'copies.not-text', detail: { path } });
        await call('document/make-new', { path, base: opened.base });
        setSaid(null);
        made(path);
      };
      make().catch((error) => setSaid({ kind: 'unrecorded', fault: faultOf(error) }));
    },
    [call, made],
  );
  return { found, said, makeNew };
}
