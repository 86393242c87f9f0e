import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { execa } from 'execa';
import type { FoundPandoc, MadeDocx } from '#protocol/export-calls';

/** Where Pandoc is looked for, and how long it may take. */
export interface PandocOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** Absolute folders beyond the search path; where programs of desktops lie unless told. */
  readonly elsewhere?: readonly string[];
  /** Milliseconds; two minutes unless told. */
  readonly timeoutMs?: number;
}

/** The longest sentence of Pandoc that is handed on, in characters. */
const longestProblem = 500;

/** Looks for Pandoc now. Nothing of an opened folder is ever taken for it: only absolute places of the search path count. */
export async function findPandoc(options: PandocOptions = {}): Promise<FoundPandoc> {
  const program = await placeOf(options);
  if (program === null) return { kind: 'none' };
  const { exitCode, stdout } = await run(program, ['--version'], undefined, options);
  const version = /^pandoc(?:\.exe)?\s+(\d[\d.]*)/u.exec(new TextDecoder().decode(stdout))?.[1];
  return exitCode === 0 && version !== undefined ? { kind: 'found', version } : { kind: 'none' };
}

/**
 * Has Pandoc make a Word document of a page that stands alone. No shell is asked, the page is handed over as input, and a page that would
 * have Pandoc fetch something is refused.
 */
export async function makeDocx(html: string, options: PandocOptions = {}): Promise<MadeDocx> {
  const program = await placeOf(options);
  if (program === null) return { kind: 'none' };
  if (loads(html)) return { kind: 'failed', why: 'outward', said: '' };
  const { exitCode, stdout, stderr, timedOut } = await run(program, docxArguments, html, options);
  if (exitCode === 0) return { kind: 'made', bytes: Buffer.from(stdout).toString('base64') };
  const said = new TextDecoder().decode(stderr).trim().slice(0, longestProblem);
  return { kind: 'failed', why: timedOut ? 'slow' : 'refused', said };
}

/** What Pandoc is told; footnotes are those of books. */
const docxArguments = ['--from=html+epub_html_exts', '--to=docx', '--standalone', '--output=-'];

/** Whether a tag of a page names something that is not in the page; text has no `<` of its own. */
const loads = (html: string) => /<[a-z][^>]*\s(?:src|srcset|data|poster)\s*=\s*["']?(?!["']?data:image\/)/iu.test(html);

async function placeOf({ env = process.env, platform = process.platform, elsewhere }: PandocOptions): Promise<string | null> {
  const isWindows = platform === 'win32';
  const path = Object.entries(env).find(([name]) => (isWindows ? name.toUpperCase() : name) === 'PATH')?.[1] ?? '';
  // A program that was started from a desktop often knows a shorter path than the writer's shell.
  const others = isWindows
    ? [join(env.LOCALAPPDATA ?? '', 'Pandoc'), join(env.ProgramFiles ?? '', 'Pandoc')]
    : ['/usr/local/bin', '/opt/homebrew/bin', join(env.HOME ?? homedir(), '.local', 'bin')];
  const places = [...path.split(delimiter), ...(elsewhere ?? others)].filter(isAbsolute);
  for (const place of places) {
    const program = join(place, isWindows ? 'pandoc.exe' : 'pandoc');
    try {
      await access(program, constants.X_OK);
      return program;
    } catch {
      // Not there; the next place.
    }
  }
  return null;
}

function run(program: string, args: readonly string[], input: string | undefined, { env, timeoutMs = 120_000 }: PandocOptions) {
  return execa(program, args, {
    // Nothing relative is read from the opened folder.
    cwd: homedir(),
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: 256 * 1024 * 1024,
    timeout: timeoutMs,
    forceKillAfterDelay: 1000,
    reject: false,
    shell: false,
    ...(env === undefined ? {} : { env, extendEnv: false }),
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
  });
}
