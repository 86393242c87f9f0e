import { nameOf } from '#cli/sentence';
import { brief } from '#cli/text';
import type { Words } from '#protocol';

/** Who wrote it: a word for the sort of agent, and its id. */
export function agentName({ type, id }: { type: string; id: string | null }, words: Words): string {
  const name = nameOf(words, 'agents', type);
  return id === null || id === type ? name : `${name} (${brief(id, 40)})`;
}

// Where nobody said anything core writes one of these, in English; the occasion says as much in the reader's language.
const ours = /^(saved|changed by another program|recorded from the command line|confirmed \d+ inputs)$/u;

/** What it was written for: a word for the occasion, and what the writer said. */
export function intentText({ kind, summary }: { kind: string; summary: string }, words: Words): string {
  const occasion = nameOf(words, 'intents', kind);
  const said = brief(summary, 80);
  return said === '' || said === occasion || ours.test(said) ? occasion : `${occasion}: ${said}`;
}
