import { execFileSync, spawn } from 'node:child_process';

/** Commits and files of one repository, read only: nothing of it is checked out or run. */
export interface History {
  /** Single-parent commits whose subject matches, newest first. */
  commits(subject: RegExp): { readonly id: string; readonly subject: string }[];
  /** Paths with the blob that each has in a commit. */
  tree(commit: string): Map<string, string>;
  /** The bytes of a blob. */
  blob(id: string): Promise<Buffer>;
  close(): void;
}

/** Opens a repository by its git directory. */
export function openHistory(folder: string): History {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
  const reader = spawn('git', ['-C', folder, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const read = createReader(reader.stdout);
  let last: Promise<unknown> = Promise.resolve();
  return {
    commits: (subject) =>
      git('log', '--no-merges', '--format=%H %P%x09%s', 'HEAD')
        .split('\n')
        .flatMap((line) => {
          const [ids = '', said = ''] = line.split('\t');
          const [id = '', ...parents] = ids.split(' ');
          return parents.length === 1 && subject.test(said) ? [{ id, subject: said }] : [];
        }),
    tree(commit) {
      const entries = git('ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
      return new Map(
        entries.flatMap((entry) => {
          const [about = '', path = ''] = entry.split('\t');
          const [mode, kind, id = ''] = about.split(' ');
          return kind === 'blob' && mode !== '120000' ? [[path, id] as const] : [];
        }),
      );
    },
    blob(id) {
      const next = last.then(() => {
        reader.stdin.write(`${id}\n`);
        return read();
      });
      last = next;
      return next;
    },
    close: () => reader.stdin.end(),
  };
}

/** Reads one answer of `cat-file --batch` after the other. */
function createReader(stream: NodeJS.ReadableStream): () => Promise<Buffer> {
  let kept = Buffer.alloc(0);
  let waiting: (() => void) | undefined;
  stream.on('data', (chunk: Buffer) => {
    kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    waiting?.();
  });
  const more = () => new Promise<void>((resolve) => (waiting = resolve));
  return async () => {
    while (!kept.includes(10)) await more();
    const end = kept.indexOf(10);
    const head = kept.subarray(0, end).toString();
    if (head.endsWith(' missing')) {
      kept = kept.subarray(end + 1);
      return Buffer.alloc(0);
    }
    const size = Number(head.split(' ')[2]);
    while (kept.length < end + size + 2) await more();
    const bytes = Buffer.from(kept.subarray(end + 1, end + 1 + size));
    kept = kept.subarray(end + size + 2);
    return bytes;
  };
}
