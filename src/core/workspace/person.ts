import { userInfo } from 'node:os';
import type { Workspace } from '#core/workspace/workspace';

/** Who acts: git's user, else the system's; a system may have no name for who runs it. */
export async function personName(workspace: Workspace): Promise<string> {
  try {
    return (await workspace.git?.userName()) ?? userInfo().username;
  } catch {
    return 'unknown';
  }
}
