import { useEffect, useState } from 'react';
import { faultOf } from '#renderer/breakdown/listing.ts';
import type { CodeSaid } from './code-list.ts';

/** What a call answers, and why it did not; asked anew where the key is another. */
export function useAnswer<T>(ask: () => Promise<T>, key: string): { readonly answer: T | null; readonly said: CodeSaid | null } {
  const [state, setState] = useState<{ answer: T | null; said: CodeSaid | null }>({ answer: null, said: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is asked.
  useEffect(() => {
    let isWanted = true;
    ask().then(
      (answer) => isWanted && setState({ answer, said: null }),
      (error: unknown) => isWanted && setState({ answer: null, said: faultOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return state;
}
