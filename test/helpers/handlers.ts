import { callInputs, type Handlers } from '#protocol/calls';

/** Handlers of which only some are there; any other call fails its test. */
export function handlersWith(some: Partial<Handlers>): Handlers {
  const absent = (name: string) => async () => {
    throw new Error(`nobody was meant to call ${name}`);
  };
  const all = Object.keys(callInputs).map((name) => [name, absent(name)]);
  return { ...(Object.fromEntries(all) as Handlers), ...some };
}
