import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** What the packer is compiled from, by the names of its files. */
export const packerSources = () =>
  Object.fromEntries(
    ['packer/package-lock.json', ...globSync('packer/*.ts')].sort().map((file) => [file.replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
  );

/** The hash of sources, by which a test sees that the module was made of them. */
export const sourceHash = (sources: Readonly<Record<string, string>>) => hash('sha256', JSON.stringify(sources));
