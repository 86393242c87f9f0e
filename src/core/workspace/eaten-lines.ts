import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '#core/digest';
import { ledgerFolder } from '#core/storage/segments';
import { vmarkName } from '#core/workspace/place';
import { type Problem, problem } from '#core/workspace/problem';
import { keptLinesFolder, keptName } from '#core/workspace/recorder';
import type { Workspace } from '#core/workspace/workspace';
import { type Entry, parseLine } from '#kernel/entry';

/** A line that this installation appended and that no segment has any more. */
export interface EatenLine {
  /** The segment that it stood in. */
  readonly segment: string;
  readonly line: string;
}

/**
 * Lines that this installation appended here and that stand in no segment any more. Either their segment is there and
 * was rewritten, or it is gone and in no commit and no stash: what another branch holds is not lost.
 */
export async function eatenLines(workspace: Workspace, entries: readonly Entry[]): Promise<EatenLine[]> {
  const known = new Set<string>(entries.map(({ idem }) => idem));
  const eaten = new Map<string, EatenLine>();
  const elsewhere = new Set<string>();
  for (const { segment, text } of keptLines(workspace)) {
    const missing = missingLines(text, known);
    if (missing.length === 0) continue;
    if (await isElsewhere(workspace, segment)) for (const { idem } of missing) elsewhere.add(idem);
    else for (const { idem, line } of missing) eaten.set(idem, { segment, line });
  }
  return [...eaten].filter(([idem]) => !elsewhere.has(idem)).map(([, line]) => line);
}

function* keptLines({ home, root }: Workspace): Generator<{ segment: string; text: string }> {
  const folder = keptLinesFolder(home, root);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).sort()) {
    const segment = keptName.exec(name)?.[1];
    if (segment !== undefined) yield { segment, text: readFileSync(join(folder, name), 'utf8') };
  }
}

function missingLines(text: string, known: ReadonlySet<string>): { idem: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const parsed = parseLine(line, digest);
    return parsed.kind === 'entry' && !known.has(parsed.entry.idem) ? [{ idem: parsed.entry.idem, line: `${line}\n` }] : [];
  });
}

async function isElsewhere({ disk, vmark, git }: Workspace, segment: string): Promise<boolean> {
  if (git === null || disk.existsSync(join(ledgerFolder(vmark), segment))) return false;
  return (await git.isCommitted(`${vmarkName}/ledger/${segment}`)) === true;
}

/** A problem for each segment that lines were eaten from. */
export function eatenProblems(lines: readonly EatenLine[]): Problem[] {
  const counts = new Map<string, number>();
  for (const { segment } of lines) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return [...counts].map(([segment, count]) => problem('lines-lost', segment, { segment, count }));
}
