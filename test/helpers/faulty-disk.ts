import { type Disk, realDisk } from '#core/storage/disk';

/** What one call of a faulty disk does: an error of the system, half of a write, or the end of the process (after half of a write). */
export type Failure = 'ENOSPC' | 'EIO' | 'EROFS' | 'EACCES' | 'short' | 'killed' | 'torn';

/** Which call fails, counted from 0 among those of `kind` (else all) on a path that `path` matches (else any). */
export interface Plan {
  readonly at: number;
  readonly failure: Failure;
  readonly kind?: keyof Disk;
  readonly path?: RegExp;
  /** Only calls that may change the disk: to die at any other leaves the same as to die at the next of these. */
  readonly onlyChanges?: boolean;
  /** Every such call from `at` on fails: a disk stays full. */
  readonly lasting?: boolean;
}

/** A call that was made: its name, and the path that it was about. */
export interface DiskCall {
  readonly name: keyof Disk;
  readonly path: string;
  /** Whether it may change the disk. */
  readonly isChange: boolean;
}

/** The real file system, one call of which goes wrong. */
export interface FaultyDisk {
  readonly disk: Disk;
  /** The calls made since the last plan, the failing one included. */
  readonly calls: readonly DiskCall[];
  /** Whether the planned call was made, and which it was, the last of them. */
  readonly hasFailed: boolean;
  readonly failed: DiskCall | null;
  /** Counts from here on; without a plan nothing fails. */
  plan(plan: Plan | null): void;
  /** Runs `act` just before each call that `when` picks. */
  before(when: (call: DiskCall, at: number) => boolean, act: () => void): void;
}

/** The process that made the call is gone: so is every call after it. */
export class Killed extends Error {
  constructor() {
    super('The process was killed.');
  }
}

/** Wraps the real disk. Before `plan` is called it behaves like it. */
export function createFaultyDisk(): FaultyDisk {
  const calls: DiskCall[] = [];
  const opened = new Map<number, string>();
  let plan: Plan | null = null;
  let matched = 0;
  let failed: DiskCall | null = null;
  let isDead = false;
  let hook: { when: (call: DiskCall, at: number) => boolean; act: () => void } | null = null;

  const failureOf = (call: DiskCall): Failure | null => {
    if (plan === null || !isMeant(plan, call)) return null;
    const number = matched++;
    if (number !== plan.at && !(plan.lasting && number > plan.at)) return null;
    failed = call;
    return plan.failure;
  };
  const wrapped = (name: keyof Disk) => {
    return (...args: unknown[]) => {
      if (isDead) throw new Killed();
      const call = { name, path: pathOf(args, opened), isChange: isChange(name, args) };
      if (hook?.when(call, calls.length)) hook.act();
      calls.push(call);
      const failure = failureOf(call);
      if (failure === 'killed' || failure === 'torn') {
        isDead = true;
        if (failure === 'torn' && name === 'writeSync') run(name, halved(args));
        throw new Killed();
      }
      if (failure === 'short' && name === 'writeSync') return run(name, halved(args));
      if (failure !== null && failure !== 'short') return refused(name, args, failure);
      const result = run(name, args);
      if (name === 'openSync') opened.set(result as number, String(args[0]));
      return result;
    };
  };
  const disk = new Proxy({} as Disk, {
    get: (_, name) => (name === 'flush' || name === 'read' ? promised(wrapped(name)) : wrapped(name as keyof Disk)),
  });
  return {
    disk,
    calls,
    get hasFailed() {
      return failed !== null;
    },
    get failed() {
      return failed;
    },
    plan(next) {
      plan = next;
      matched = 0;
      failed = null;
      calls.length = 0;
    },
    before(when, act) {
      hook = { when, act };
    },
  };
}

/** A call that is not waited for fails by its promise. */
function promised(call: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => {
    try {
      return call(...args);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

const changes: readonly (keyof Disk)[] = [
  'chmodSync',
  'chownSync',
  'fdatasyncSync',
  'flush',
  'fsyncSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'unlinkSync',
  'writeSync',
];

function isChange(name: keyof Disk, args: readonly unknown[]): boolean {
  return name === 'openSync' ? args[1] !== 'r' : changes.includes(name);
}

function isMeant({ kind, path, onlyChanges = false }: Plan, call: DiskCall): boolean {
  if (onlyChanges && !call.isChange) return false;
  return (kind === undefined || kind === call.name) && (path === undefined || path.test(call.path));
}

function pathOf(args: readonly unknown[], opened: ReadonlyMap<number, string>): string {
  return typeof args[0] === 'number' ? (opened.get(args[0]) ?? '') : String(args[0]);
}

function run(name: keyof Disk, args: readonly unknown[]): unknown {
  return (realDisk[name] as (...args: unknown[]) => unknown)(...args);
}

/** The arguments of a write of half as many bytes, at least one. */
function halved([file, bytes, offset, length]: readonly unknown[]): unknown[] {
  return [file, bytes, offset, Math.max(1, Math.floor((length as number) / 2))];
}

/** A handle is gone even where closing it fails, and `existsSync` never throws. */
function refused(name: keyof Disk, args: readonly unknown[], code: string): unknown {
  if (name === 'existsSync') return false;
  if (name === 'closeSync') run(name, args);
  throw Object.assign(new Error(`${code}: ${name}`), { code, syscall: name, errno: -1 });
}
