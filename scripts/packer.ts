// `npm run packer`: compiles `packer/` (AssemblyScript) to `src/core/storage/line-packer-module.ts`, which is kept: only whoever changes the packer needs its compiler.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packerSources, sourceHash } from './packer-sources.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const compiler = 'packer/node_modules/assemblyscript/bin/asc.js';
if (!existsSync(compiler))
  execFileSync('npm', ['ci', '--silent', '--prefix', 'packer'], { stdio: 'inherit', shell: process.platform === 'win32' });
const folder = mkdtempSync(join(tmpdir(), 'packer-'));
try {
  const out = join(folder, 'line-packer.wasm');
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
  execFileSync(process.execPath, [compiler, 'packer/line-packer.ts', '--outFile', out, ...options], { stdio: 'inherit' });
  const text = `// Made by \`npm run packer\`, and not to be edited.
/** The hash of what it was made of, the sources in \`packer/\`. */
export const packerSource = '${sourceHash(packerSources())}';
/** The module as base64. */
export const packerModule =
  '${readFileSync(out, 'base64')}';
`;
  writeFileSync('src/core/storage/line-packer-module.ts', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
