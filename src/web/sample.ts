import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Fault, faultFromSystem } from '#protocol';

/** The folder that the sample becomes, where that name is free. */
export const sampleName = 'Corran Point';

/** Where the sample lies: beside the built page, or, in a checkout that was built in part only, among the resources. */
export function sampleBeside(rendererFolder: string): string {
  const built = join(rendererFolder, '..', 'sample');
  return existsSync(built) ? built : join(rendererFolder, '..', '..', 'resources', 'sample');
}

/**
 * Copies the sample workspace into a new folder of `into`, and answers its path. Nothing that is there is touched: a name that is taken
 * gets a number. A copy that fails half-way is taken away again.
 */
export async function copySample(sample: string, into: string): Promise<string> {
  if (!isAbsolute(into) || into.includes('\0')) throw new Fault('path-invalid', { path: JSON.stringify(into) });
  const files = await sampleFiles(sample);
  const root = await makeFolder(into);
  try {
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      // Written anew and not copied: where the program is installed its files may be read-only, and the writer's are not.
      await writeFile(join(root, file), await readFile(join(sample, file)), { flag: 'wx' });
    }
    return root;
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw faultFromSystem(error, root, 'folder');
  }
}

/** The files of the sample by their path in it; not what a core that once opened it there has derived (index and lock). */
export async function sampleFiles(sample: string): Promise<string[]> {
  try {
    const entries = await readdir(sample, { recursive: true, withFileTypes: true });
    const kept = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('index.db'));
    return kept.map(({ parentPath, name }) => relative(sample, join(parentPath, name))).sort();
  } catch (error) {
    throw faultFromSystem(error, sample, 'folder');
  }
}

/** Makes a folder of the sample's name, or with the first number that is free: whoever makes it has it. */
async function makeFolder(into: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = join(into, number === 1 ? sampleName : `${sampleName} ${number}`);
    try {
      await mkdir(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw faultFromSystem(error, into, 'folder');
    }
  }
}
