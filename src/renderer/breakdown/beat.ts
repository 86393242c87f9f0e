import { useEffect, useState } from 'react';

/** How often what counts seconds is looked at, in ms. */
export const beat = 250;

/** Draws the component again with every beat, for as long as it is there. */
export function useBeat(): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), beat);
    return () => clearInterval(timer);
  }, []);
}
