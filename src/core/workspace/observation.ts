import type { Navigation } from '#core/git/attribution';
import type { NewEntry } from '#core/workspace/recorder';
import type { Agent, Confidence, Intent } from '#kernel/body-transformation';

/** Who made a text that was only seen: somebody outside, or git (by the act named). */
export function observed(byGit: string | null): { agent: Agent; intent: Intent; confidence: Confidence } {
  const confidence = 'unknown';
  if (byGit === null) {
    const intent = { kind: 'observed-external-edit', summary: 'changed by another program', prompt_hash: null };
    return { agent: { type: 'external', id: null }, intent, confidence };
  }
  return {
    agent: { type: 'git', id: byGit },
    intent: { kind: 'git-mutation', summary: `made by git (${byGit})`, prompt_hash: null },
    confidence,
  };
}

/** The entry of a move of HEAD. */
export function navigationEntry({ op, from, to, ref }: Navigation): NewEntry {
  return { kind: 'navigation', body: { git: { op, from, to, ref } }, subjects: [] };
}
