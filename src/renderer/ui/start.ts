const { promise, resolve } = Promise.withResolvers<void>();

/** Settled when what the window begins with was painted: what can wait is loaded from then on. */
export const afterStart: Promise<void> = promise;

/** How long a window that is not painted is waited for, in ms: one behind others is not. */
const unpainted = 500;

/** Says that the window shows what it begins with. */
export function started(): void {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, unpainted);
}
