import { nameOf } from '#kernel/address';
import { type CommandId, isCommandId } from '#protocol/commands';
import type { DesktopBridge, WindowReport } from '#protocol/desktop';
import { Fault } from '#protocol/fault';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { needsMet, runCommand } from '#renderer/palette/run.ts';
import { locale, say } from '#renderer/words.ts';
import { openAt } from './elsewhere.ts';
import { pathWithin, rootOf } from './opened-path.ts';
import { hasUnsaved, type Studio } from './studio.ts';

/** Does the commands of the native menus and tells the shell what its title bar and menus show, whenever that changes. */
export function followShell(studio: Studio, bridge: DesktopBridge): void {
  bridge.onCommand((id) => isCommandId(id) && runCommand(studio, id));
  const report = () =>
    bridge.report({
      title: titleOf(studio),
      edited: hasUnsaved(studio),
      can: needsMet(studio),
      locale: locale.getState().locale,
      keys: changedKeys(studio),
      spelling: spellingIn(studio),
    });
  for (const { subscribe } of [studio.documents.tabs, studio.workspace.store, studio.view.store]) subscribe(report);
  studio.preferences.keys.subscribe(report);
  studio.preferences.store.subscribe(report);
  locale.subscribe(report);
  report();
}

/** Shows the documents that the system asks for, over what was left of the last time. */
export function followSystem(studio: Studio, bridge: DesktopBridge): void {
  bridge.onOpen((path) => void showFile(studio, path));
}

/** Shows a document that the system asked for; one outside this folder is another window's. */
async function showFile(studio: Studio, path: string): Promise<void> {
  const inside = pathWithin(await rootOf(studio), path);
  if (inside === null) return;
  studio.view.go('editor');
  await openAt(studio, inside, undefined);
}

function spellingIn({ preferences }: Studio): WindowReport['spelling'] {
  const { 'spelling.check': check, 'spelling.language': language } = preferences.store.getState();
  return { check, language: language === 'system' ? null : language };
}

function changedKeys({ preferences }: Studio): Readonly<Partial<Record<CommandId, string>>> {
  const { keymap, own } = preferences.keys.getState();
  return Object.fromEntries([...own].map((id) => [id, keymap.get(id)?.[0] ?? '']));
}

/** Keeps the title of the page true, for browsers. */
export function followTitle(studio: Studio): void {
  const show = () => {
    document.title = titleOf(studio);
  };
  for (const { subscribe } of [studio.documents.tabs, studio.workspace.store, studio.view.store]) subscribe(show);
  locale.subscribe(show);
  show();
}

/** `● The Ferry.md — The Salt Road`. */
function titleOf({ documents, workspace, view }: Studio): string {
  const { active, tabs } = documents.tabs.getState();
  const name = workspace.store.getState().info?.name ?? 'Stemma';
  if (view.store.getState().route === 'breakdown') return `${say('breakdown.title')} — ${name}`;
  const front = tabs.find((tab) => tab.path === active);
  if (front === undefined) return name;
  return `${front.isDirty ? '● ' : ''}${front.path.slice(front.path.lastIndexOf('/') + 1)} — ${name}`;
}

/**
 * Lets no text go with the window: what waits for its rest is saved and recorded when the window loses the focus or is left. What is unsaved all the
 * same stands in the journal and is there the next time; a browser asks about it where the writer wants that.
 */
export function keepUnsaved(studio: Studio, bridge: DesktopBridge | null): void {
  const flush = () => {
    void studio.autosave.flush();
    for (const buffer of studio.documents.buffers()) void studio.documents.record(buffer);
  };
  addEventListener('blur', flush);
  addEventListener('focus', () => {
    studio.documents.lookAgain();
    studio.workspace.listSoon();
  });
  addEventListener('pagehide', () => {
    flush();
    void studio.journal?.leave();
  });
  bridge?.onClosing(() => leave(studio));
  addEventListener('beforeunload', (event) => {
    flush();
    if (bridge === null && studio.preferences.store.getState()['saving.ask'] && hasUnsaved(studio)) event.preventDefault();
  });
}

/** What cannot be kept for the next time is saved now, for there is nobody left to ask. */
async function leave(studio: Studio): Promise<void> {
  await studio.autosave.flush();
  await Promise.all([...studio.documents.buffers()].map((buffer) => studio.documents.record(buffer)));
  if ((await studio.journal?.leave()) !== true) await saveAll(studio);
}

async function saveAll(studio: Studio): Promise<void> {
  const open = [...studio.documents.buffers()].filter((buffer) => buffer.outside === null);
  await Promise.all(open.map(({ path }) => (isUntitled(path) ? saveUnasked(studio, path) : studio.documents.save(path))));
}

/** A document without a file becomes one at the top of the folder, under the name that its tab has or the next that is free. */
async function saveUnasked({ documents }: Studio, path: string): Promise<void> {
  if (documents.bufferOf(path)?.state.doc.length === 0) return;
  for (let number = 1, isTaken = true; isTaken; number++) {
    const name = `${nameOf(path)}${number === 1 ? '' : ` (${number})`}.md`;
    isTaken = await documents.nameAs(path, name).then(
      () => false,
      (error) => error instanceof Fault && error.code === 'already-exists',
    );
  }
}
