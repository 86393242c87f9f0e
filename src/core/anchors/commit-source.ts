import { type CodeFile, type CodeSource, largestFile, type ReadBytes } from '#core/anchors/source';
import { checkObjects, readObjects } from '#core/git/object';
import type { GitProgram } from '#core/git/program';

/** The code of one commit, read from git's objects: no work tree is looked at, no link or submodule followed. Null where git has no such commit. */
export async function commitSource(git: GitProgram, key: string, ref: string): Promise<CodeSource | null> {
  const [commit] = (await checkObjects(git, [`${ref}^{commit}`])) ?? [];
  if (commit == null) return null;
  const files = await listTree(git, commit.id);
  if (files === null) return null;
  const read = createBatch(git);
  return {
    key: `${key}@commit`,
    atOnce: 64,
    async look(path) {
      const file = files.get(path);
      if (file === undefined) return { kind: 'absent' };
      return file.size > largestFile ? { kind: 'too_large' } : { kind: 'file', file };
    },
    async list(wants, limit) {
      const wanted = [...files.values()].filter(({ path, size }) => size <= largestFile && wants(path));
      const sorted = wanted.sort((a, b) => (a.path < b.path ? -1 : 1));
      return { files: sorted.slice(0, limit), complete: true, more: sorted.length > limit };
    },
    read: ({ blob }) => read(blob!),
    commit: async () => commit.id,
    at: (at, path) => blobAt(git, at, path),
  };
}

async function listTree(git: GitProgram, commit: string): Promise<Map<string, CodeFile> | null> {
  const answer = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit]);
  if (answer === null || !answer.isDone) return null;
  const files = new Map<string, CodeFile>();
  for (const row of Buffer.from(answer.bytes).toString('utf8').split('\0')) {
    const [, blob, size, path] = /^100[0-7]{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/su.exec(row) ?? [];
    if (blob === undefined || path === undefined || /[\r\n]/u.test(path)) continue;
    files.set(path, { path, size: Number(size), stamp: null, blob });
  }
  return files;
}

/** What is asked for in one turn is read by one git, and what is asked for while it reads by the next one. */
function createBatch(git: GitProgram): (blob: string) => Promise<ReadBytes> {
  let waiting = new Map<string, ((bytes: ReadBytes) => void)[]>();
  let isReading = false;
  const readWaiting = async () => {
    const asked = waiting;
    waiting = new Map();
    const objects = await checkObjects(git, [...asked.keys()]);
    const settle = (id: string, read: ReadBytes) => {
      for (const done of asked.get(id) ?? []) done(read);
      asked.delete(id);
    };
    if (objects !== null)
      await readObjects(git, objects, (id, bytes) => settle(id, { kind: 'bytes', bytes: Buffer.from(bytes), stamp: null }));
    for (const id of [...asked.keys()]) settle(id, { kind: 'unreadable' });
  };
  const readOn = async () => {
    while (waiting.size > 0) await readWaiting();
    isReading = false;
  };
  return (blob) =>
    new Promise((done) => {
      waiting.set(blob, [...(waiting.get(blob) ?? []), done]);
      if (isReading) return;
      isReading = true;
      setImmediate(() => void readOn());
    });
}

/** The bytes that a commit has at a path from the top of its repository; null: nothing there, undefined: git cannot tell. */
export async function blobAt(git: GitProgram, commit: string, path: string): Promise<Buffer | null | undefined> {
  const [top, object] = (await checkObjects(git, [`${commit}^{tree}`, `${commit}:${path}`])) ?? [];
  if (top == null) return undefined;
  if (object == null || object.type !== 'blob') return null;
  let found: Buffer | undefined;
  const isRead = await readObjects(git, [object], (_, bytes) => {
    found = Buffer.from(bytes);
  });
  return isRead ? found : undefined;
}
