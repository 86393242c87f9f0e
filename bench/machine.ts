import { execFileSync } from 'node:child_process';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import Sqlite from 'better-sqlite3';

const said = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();

/** The load average of the last 1, 5 and 15 minutes. */
export const load = () =>
  loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');

/** What was measured, on what, as a Markdown list. */
export function machine(): string {
  const database = new Sqlite(':memory:');
  const sqlite = database.prepare('SELECT sqlite_version()').pluck().get() as string;
  database.close();
  const [first] = cpus();
  const isChanged = said('git', 'status', '--porcelain', '--untracked-files=no') !== '';
  return [
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${said('git', 'rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes that are not committed' : ''}`,
    `- ${cpus().length} × ${first?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`,
    `- Node ${process.version}, SQLite ${sqlite}, ${said('git', '--version')}`,
  ].join('\n');
}
