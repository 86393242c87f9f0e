import type { BrowserWindow } from './window.ts';

/** The windows that are open, by id, in the order of their making. */
export const windows = new Map<number, BrowserWindow>();
/** The windows that had the focus, the one that has it last. */
export const focusOrder: BrowserWindow[] = [];

/** An event object as Electron gives it to listeners that may prevent what comes. */
export interface DoubleEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
  [key: string]: unknown;
}

/** Makes an event object. */
export function createEvent(more: object = {}): DoubleEvent {
  return {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
    ...more,
  };
}

const quiet = new Set(['then', 'toJSON', 'constructor', 'nodeType', '$$typeof', 'asymmetricMatch', 'domain']);

/** Wraps an object so that what is not modelled says so, instead of being undefined. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(t, key) {
      if (!(key in t) && typeof key !== 'symbol' && !quiet.has(key)) throw notModelled(`${name}.${key}`);
      const value = Reflect.get(t, key, t);
      return typeof value === 'function' && !/^class /u.test(String(value)) ? value.bind(t) : value;
    },
  });
}

/** The error of everything that this double does not do. */
export const notModelled = (what: string): Error => new Error(`electron-double: ${what} is not modelled`);

/** What the app asked of the system, in order. */
export const calls: { api: string; args: unknown[] }[] = [];
const answers = new Map<string, unknown[]>();

/** Notes a call to the system. */
export function record(api: string, ...args: unknown[]): void {
  calls.push({ api, args: JSON.parse(JSON.stringify(args)) });
}

/** Puts an answer in the queue of a dialog. */
export function answerNext(api: string, value: unknown): void {
  answers.set(api, [...(answers.get(api) ?? []), value]);
}

/** A call that is answered from its queue and fails where that is empty: a test says beforehand what the person will do. */
export const answered =
  <T>(api: string) =>
  async (...args: unknown[]): Promise<T> => {
    record(api, ...args.filter((argument) => !(argument instanceof Object && 'webContents' in argument)));
    const queue = answers.get(api);
    if (!queue?.length) throw new Error(`electron-double: no answer queued for ${api}`);
    return queue.shift() as T;
  };
