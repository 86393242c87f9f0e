import { expect } from 'vitest';
import type { Core } from '#core/core';
import { readDocument } from '#core/document';
import { createTrackingPlace, entriesOf, type Place, savingOf } from '../../../helpers/workspace.ts';
import { openDesk } from './desk.ts';

/** A window over a document, as a test has it. */
export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** What the document begins with. */
export const first = `${[
  'One grey morning.',
  'Two boats went out past the mole and the old light into the grey water of the bay.',
  'Three came back.',
  'Four days later the wind turned, and with it the talk in the harbour.',
  'Five women mended nets and did not look up.',
  'Six bells were heard from the sea.',
].join('\n\n')}\n`;

/** A writer before `a.md`, with two documents that a model may read. */
export async function beginWriting() {
  const place = createTrackingPlace();
  const core = await place.open();
  for (const [path, text] of Object.entries({ 'a.md': first, 'one.md': 'One.\n', 'two.md': 'Two.\n' }))
    await core.save(savingOf(place, path, text));
  return { place, core, desk: await openDesk(core, 'a.md') };
}

/** The entries that are about `a.md`. */
export function versions(place: Place) {
  const { id } = readDocument(place.read('a.md'), 'a.md').identity!;
  return entriesOf(place, 'transformation').filter(({ body }) => body.outputs.some(({ object }) => object === id));
}

/** Signs that are no two alike. */
export function counted() {
  let count = 0;
  return () => `«s${++count}»`;
}

/** What is asked: about which paragraph, with which document to read, and the sign that the next part of the answer has. */
export interface Asking {
  readonly at: number;
  readonly source: 'one.md' | 'two.md';
  readonly next: () => string;
  readonly clean?: boolean;
}

/**
 * Asks about a paragraph in which nothing is a model's: the answer puts signs behind its words that no other answer has. Answers what lets it
 * come; null where there is no such paragraph.
 */
export async function ask(core: Core, desk: Desk, { at, source, next, clean = true }: Asking): Promise<(() => void) | null> {
  const lines = desk.text().split('\n');
  const paragraph = lines.filter((line) => /^[^-\s]/u.test(line) && !line.startsWith('vmark') && !line.includes('«')).at(at);
  if (paragraph === undefined) return null;
  const start = desk.text().indexOf(paragraph);
  const { inputs } = await core.pin({ path: 'a.md', inputs: ['a.md', source].map((path) => ({ path, role: 'direct' as const })) });
  const id = desk.begin({ original: paragraph, start, clean, inputs });
  const answer = paragraph.replaceAll(/\S+( \S+ \S+ \S+)?/gu, (some) => `${some}${next()}${source[0]}`);
  return () => desk.end(id, answer);
}

const signsIn = (text: string) => new Set(text.match(/«s\d+»[ot]/gu));
const typedIn = (text: string) => new Set(text.match(/‹t\d+›/gu));
const missing = (now: Set<string>, before: Set<string>) => [...now].filter((one) => !before.has(one));

/** New text of a model is in versions of the model and in no other; such a version names what was read; an exact one holds nothing typed. */
export async function expectInStep(place: Place, core: Core): Promise<void> {
  const { revisions, heads } = await core.logFile('a.md');
  const textOf = async (revision: string | undefined) => (revision === undefined ? '' : ((await core.show('a.md', revision)).text ?? ''));
  for (const { revision, parents, agent, confidence, inputs } of revisions) {
    const [now, before] = [await textOf(revision), await textOf(parents[0])];
    const added = missing(signsIn(now), signsIn(before));
    expect({ revision, isModel: agent.type === 'model', added }).toEqual({ revision, isModel: added.length > 0, added });
    const sources = new Set(added.map((sign) => (sign.endsWith('o') ? 'one.md' : 'two.md')));
    for (const source of sources) expect(inputs.map(({ path }) => path)).toContain(source);
    if (added.length === 0) expect(inputs).toEqual([]);
    if (agent.type === 'model' && confidence === 'exact') expect(missing(typedIn(now), typedIn(before))).toEqual([]);
  }
  const head = await textOf(heads[0]);
  expect(readDocument(Buffer.from(head), 'a.md').contentHash).toBe(readDocument(place.read('a.md'), 'a.md').contentHash);
}
