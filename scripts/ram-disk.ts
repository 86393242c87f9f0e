import { accessSync, constants, statfsSync } from 'node:fs';

const ramDisk = '/dev/shm';
/** Room that a run of all tests needs at most, with what browsers keep there: 2 GiB. */
const room = 2 * 1024 ** 3;

/**
 * Has temporary folders of tests made in memory where the system has a RAM disk with room, unless `TMPDIR` says where. Tests
 * flush to disk thousands of times and none can see a power cut; on a busy disk that waiting is most of what a run takes.
 */
export function preferMemory(): void {
  if (process.env.TMPDIR === undefined && isRoomy(ramDisk)) process.env.TMPDIR = ramDisk;
}

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > room;
  } catch {
    return false;
  }
}
