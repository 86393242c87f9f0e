import { fileURLToPath } from 'node:url';

/**
 * Has the programs that tests start keep their modules as compiled: most of what a start takes is stripping types and compiling, the same each
 * time. A program writes there when it ends by itself.
 */
export function keepCompiled(): void {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.tmp/compiled', import.meta.url));
}
