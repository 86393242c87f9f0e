/** What one check may spend (code-anchors §3). */
export interface BudgetLimits {
  /** Files that anchors are in or were in. */
  readonly files: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Files that are looked through for a declaration that left its file. */
  readonly repositoryFiles: number;
}

/** What a check may spend where the settings say nothing else. */
export const defaultBudget: BudgetLimits = { files: 2000, bytes: 32 * 1024 * 1024, milliseconds: 30_000, repositoryFiles: 4000 };

/** What stopped a check. */
export type BudgetLimit = 'files' | 'bytes' | 'time' | 'repository_files';

/**
 * What a check spends. A file counts when it is looked at, whether or not the cache spares reading it, so that what is
 * answered does not hang on what was asked before; `read` is what was really read.
 */
export interface Budget {
  readonly limit: BudgetLimit | null;
  readonly filesRead: number;
  readonly bytesRead: number;
  elapsed(): number;
  /** Whether the time is over; that is remembered as the limit. */
  isExpired(): boolean;
  /** Asks for one more file; false where it may not be had. */
  takes(size: number, isHinted: boolean): boolean;
  /** How many more files may be looked through. */
  filesLeft(): number;
  spend(limit: BudgetLimit): void;
  read(bytes: number): void;
}

/** A budget that starts now. */
export function startBudget(limits: BudgetLimits, now: () => number): Budget {
  const start = now();
  const spent = { hinted: 0, repository: 0, bytes: 0, filesRead: 0, bytesRead: 0 };
  let limit: BudgetLimit | null = null;
  const refuse = (reached: BudgetLimit) => {
    limit ??= reached;
    return false;
  };
  const isExpired = () => now() - start > limits.milliseconds && !refuse('time');
  return {
    get limit() {
      return limit;
    },
    get filesRead() {
      return spent.filesRead;
    },
    get bytesRead() {
      return spent.bytesRead;
    },
    elapsed: () => Math.max(0, Math.round(now() - start)),
    isExpired,
    takes(size, isHinted) {
      if (isExpired()) return false;
      if (isHinted ? spent.hinted >= limits.files : spent.repository >= limits.repositoryFiles) {
        return refuse(isHinted ? 'files' : 'repository_files');
      }
      if (spent.bytes + size > limits.bytes) return refuse('bytes');
      spent.bytes += size;
      if (isHinted) spent.hinted++;
      else spent.repository++;
      return true;
    },
    filesLeft: () => limits.repositoryFiles - spent.repository,
    spend: (reached) => void refuse(reached),
    read(bytes) {
      spent.filesRead++;
      spent.bytesRead += bytes;
    },
  };
}

/** The limits as the settings have them, where they are whole numbers from 1 (time in seconds, bytes in MB); else the usual ones. */
export function budgetFrom(settings: Readonly<Record<string, unknown>>): BudgetLimits {
  const number = (key: string, usual: number, unit = 1) => {
    const value = settings[key];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value * unit : usual;
  };
  return {
    files: number('anchors.files', defaultBudget.files),
    bytes: number('anchors.megabytes', defaultBudget.bytes, 1024 * 1024),
    milliseconds: number('anchors.seconds', defaultBudget.milliseconds, 1000),
    repositoryFiles: number('anchors.repositoryFiles', defaultBudget.repositoryFiles),
  };
}
