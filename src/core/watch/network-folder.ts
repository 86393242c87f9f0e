import { statfsSync } from 'node:fs';
import { platform } from 'node:process';

/** The kinds of file systems, by their magic numbers on Linux, that tell nothing of what other computers change: NFS, SMB, 9p, FUSE (sshfs), AFS, Ceph, VirtualBox. */
const silent = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x00c36400, 0x786f4256]);

/** Whether a folder is on a drive of another computer, whose changes the system does not tell of. What cannot be told counts as one that it does. */
export function isOnNetwork(folder: string): boolean {
  if (platform === 'win32') return /^[\\/]{2}[^\\/?.]/u.test(folder);
  if (platform !== 'linux') return false;
  try {
    return silent.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}
