const prefix = 'stemma-session:';

/** Marks a session as one that lives, for the other windows of this browser; the mark goes with the page, however that ends. */
export function holdSession(session: string): void {
  void navigator.locks?.request(`${prefix}${session}`, () => new Promise<never>(() => {}));
}

/** The sessions of windows that live. */
export async function livingSessions(): Promise<ReadonlySet<string>> {
  const held = (await navigator.locks?.query())?.held ?? [];
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
