import { lensThrough, readContexts } from '#core/workspace/context';
import { type Problem, problem } from '#core/workspace/problem';
import type { Workspace } from '#core/workspace/workspace';
import type { Manifest } from '#kernel/context';
import type { Entry } from '#kernel/entry';

/** What keeps a chain of parents from being walked: it is said of each context that it holds for. */
const ofChain = ['context-cycle', 'context-too-deep', 'context-parent-unknown'];

/** Context manifests that make no sense, lead nowhere, or select a revision that stands in no entry. */
export function contextProblems({ disk, vmark }: Workspace, entries: readonly Entry[]): Problem[] {
  const contexts = readContexts(disk, vmark);
  const known = new Set(entries.flatMap(revisionsOf));
  return [
    ...contexts.unreadable.map(({ file }) => about('context-unreadable', file)),
    ...contexts.all.flatMap((context) => {
      const file = context.file ?? 'default.json';
      const found = lensThrough(contexts, context).problems.filter(({ code }) => ofChain.includes(code));
      // A default context that cannot be read is among the unreadable ones.
      const own = context.manifest.problems.filter(({ code }) => code !== 'context-unreadable');
      return [...[...own, ...found].map(({ code }) => about(code, file)), ...missingSelections(context.manifest, file, known)];
    }),
  ];
}

const about = (code: string, file: string) => problem(code, `contexts/${file}`, { path: `contexts/${file}` });

function revisionsOf(entry: Entry): string[] {
  return entry.kind === 'transformation' ? entry.body.outputs.map(({ object, revision }) => `${object} ${revision}`) : [];
}

function missingSelections({ selections }: Manifest, file: string, known: ReadonlySet<string>): Problem[] {
  const missing = [...selections].filter(([object, chosen]) => chosen.startsWith('rev1:') && !known.has(`${object} ${chosen}`));
  return missing.map(([object, revision]) =>
    problem('context-selection-missing', `contexts/${file}`, { path: `contexts/${file}`, object, revision }),
  );
}
