import { Fault } from '#protocol';

/** The code of the fault that ends a work; `nothing` where it does not fail. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof Fault ? error.code : String(error)),
  );
