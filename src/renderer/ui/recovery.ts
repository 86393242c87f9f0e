import type { JournaledSession, JournaledText, JournalLayout } from '#protocol/journal-calls';
import { isDirty } from '#renderer/editor/buffer.ts';
import type { WindowJournal } from '#renderer/editor/journal.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { putBack, putBesideAt } from './layout.ts';
import type { LeftText } from './recovery-store.ts';
import { focusPage, type Studio } from './studio.ts';
import { livingSessions } from './window-session.ts';

/**
 * Takes up what earlier windows left. The newest gives its documents back as they stood; where it was left in order, with
 * what was not saved. Every other text that is not on disk is listed, for the writer to decide. Answers the sessions that
 * have nothing to decide any more.
 */
export async function takeUpLeft(studio: Studio, sessions: readonly JournaledSession[]): Promise<readonly JournaledSession[]> {
  const [newest] = sessions;
  if (newest === undefined) {
    studio.recovery.found([]);
    return [];
  }
  const waiting = sessions.flatMap((session) => (session === newest && session.isLeft ? [] : dirtyIn(session)));
  const isWaiting = (path: string) => waiting.some((left) => left.path === path && !(newest.isLeft && isUntitled(path)));
  const met = await takeUp(studio, newest, isWaiting);
  const texts = [...(newest.isLeft ? dirtyIn(newest).filter(({ path }) => met.has(path)) : []), ...waiting];
  studio.recovery.found(texts);
  const isAsked = studio.view.store.getState().asking !== null;
  if (texts.length > 0 && !isAsked) studio.view.ask({ kind: 'recovered' });
  // Whoever has begun to do something else goes on with that.
  if (texts.length === 0 && !isAsked && document.activeElement === document.body) focusPage(studio);
  return sessions.filter(({ session }) => !texts.some((text) => text.session === session));
}

/** Forgets sessions that were taken up, once what was taken is kept anew. */
export async function forgetTaken({ connection }: Studio, journal: WindowJournal, sessions: readonly JournaledSession[]): Promise<void> {
  if (sessions.length === 0 || !(await journal.flush())) return;
  for (const { session } of sessions) await connection.call('journal/forget', { session, doc: null }).catch(() => null);
}

/** The sessions that are over; newest first. */
export async function leftSessions({ connection, recovery }: Studio): Promise<readonly JournaledSession[]> {
  try {
    const [{ sessions }, living] = await Promise.all([connection.call('journal/list', {}), livingSessions()]);
    return sessions.filter(({ session }) => session !== recovery.session && !living.has(session));
  } catch {
    // Nothing is lost by that: it is asked for again the next time.
    return [];
  }
}

const dirtyIn = ({ session, documents }: JournaledSession): LeftText[] =>
  documents.filter(({ isDirty }) => isDirty).map((document) => ({ session, ...document }));

/**
 * Opens what was open, behind what the writer may have opened meanwhile. Documents that have to be decided about wait for that; answers those whose
 * texts have to be decided about, too: another life left a text of the same file, or the writer has begun to write in it. What has no file is no
 * other's.
 */
async function takeUp(studio: Studio, { session }: JournaledSession, isWaiting: (path: string) => boolean): Promise<ReadonlySet<string>> {
  const { layout, documents } = await studio.connection.call('journal/read', { session }).catch(() => nothing);
  const met = new Set<string>();
  if (layout === null) return met;
  const texts = new Map(documents.map((document) => [pathOf(document), document]));
  for (const tab of layout.tabs) {
    const text = texts.get(tab.path);
    const open = studio.documents.bufferOf(tab.path);
    if (isWaiting(tab.path) || (open !== undefined && isDirty(open) && !isUntitled(tab.path))) {
      met.add(tab.path);
      continue;
    }
    const path = text === undefined ? tab.path : await studio.documents.recover(text, { behind: true });
    if (text === undefined && !(await openIfThere(studio, path, tab.isPreview))) continue;
    if (tab.isPinned) studio.documents.pin(path, true);
    putBack(studio, { ...tab, path });
    const buffer = tab.path === layout.beside ? studio.documents.bufferOf(path) : undefined;
    if (buffer === undefined) continue;
    putBesideAt(buffer, layout.besidePlace ?? null);
    studio.documents.putBeside(path);
  }
  bringToFront(studio, layout);
  return met;
}

/** Opens a document again, behind the others; false where its file is gone. */
async function openIfThere({ documents }: Studio, path: string, isPreview: boolean): Promise<boolean> {
  await documents.open(path, { preview: isPreview, behind: true });
  const content = documents.tabs.getState().tabs.find((tab) => tab.path === path)?.content;
  const isGone = typeof content === 'object' && 'code' in content && content.code === 'file-missing';
  if (isGone) documents.close(path);
  return !isGone;
}

const nothing = { layout: null, documents: [] };

const pathOf = ({ text, steps }: JournaledText) => (steps.at(-1) ?? text).path;

function bringToFront({ documents }: Studio, { active }: JournalLayout): void {
  const { tabs, active: opened } = documents.tabs.getState();
  if (opened !== null) return;
  const front = tabs.find(({ path }) => path === active) ?? tabs.at(-1);
  if (front !== undefined) documents.activate(front.path);
}

/** The text that was left, as far as it can be read. */
export async function readLeft({ connection }: Studio, { session, doc }: LeftText): Promise<JournaledText | null> {
  const { documents } = await connection.call('journal/read', { session });
  return documents.find((document) => document.doc === doc) ?? null;
}

/** Opens a text that was left; it is forgotten there once it is kept here. */
export async function openLeft(studio: Studio, left: LeftText): Promise<void> {
  const text = await readLeft(studio, left);
  if (text !== null) await studio.documents.recover(text);
  if (studio.journal !== null && (await studio.journal.flush())) await forgetLeft(studio, left);
}

/** Forgets a text that was left, for good. */
export async function forgetLeft({ connection, recovery }: Studio, left: LeftText): Promise<void> {
  const { texts } = recovery.store.getState();
  const isLast = !texts.some(({ session, doc }) => session === left.session && doc !== left.doc);
  await connection.call('journal/forget', { session: left.session, doc: isLast ? null : left.doc });
  recovery.decided(left);
}
