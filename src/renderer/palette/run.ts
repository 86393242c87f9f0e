import { type CommandId, commands, type Need } from '#protocol/commands';
import { shellCommands } from '#protocol/desktop';
import { actOnReview, placeInUse } from '#renderer/ai/review-act.ts';
import { desktop } from '#renderer/connection.ts';
import { type Buffer, transact } from '#renderer/editor/buffer.ts';
import { convertBreaks, hasFinalBreak, toggleFinalBreak, toggleMark } from '#renderer/editor/file-format.ts';
import { breakName, lineBreaksOf } from '#renderer/editor/line-breaks.ts';
import { behindOf, othersOf } from '#renderer/editor/tab-order.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { copyAsHtml, printFront } from '#renderer/export/acts.ts';
import { openSearch } from '#renderer/search/opening.ts';
import { defaults } from '#renderer/settings/preferences.ts';
import { settingList } from '#renderer/settings/setting-list.ts';
import { toggleBeside } from '#renderer/ui/beside.tsx';
import { beginUntitled, withName } from '#renderer/ui/naming.ts';
import { toggleOutline } from '#renderer/ui/outline.ts';
import { stepRegion } from '#renderer/ui/region.ts';
import { toggleSide } from '#renderer/ui/room.ts';
import { showAs } from '#renderer/ui/shown-mode.ts';
import { focusPage, paneInUse, pathInUse, type Studio } from '#renderer/ui/studio.ts';
import { closeTabs, togglePin } from '#renderer/ui/tab-acts.ts';
import { problemWords, say } from '#renderer/words.ts';

/** What a command may need and finds in the window now. */
export function needsMet({ documents }: Studio): readonly Need[] {
  const { active, closed } = documents.tabs.getState();
  const front = active === null ? [] : isUntitled(active) ? (['document'] as const) : (['document', 'file'] as const);
  return ['nothing', ...front, ...(closed.length === 0 ? [] : (['closed-tab'] as const))];
}

/** Whether a command can act now. */
export function canRun(studio: Studio, id: CommandId): boolean {
  const needs = commands.find((command) => command.id === id)?.needs ?? 'nothing';
  return needsMet(studio).includes(needs);
}

type Act = (studio: Studio) => unknown;

const acts: Partial<Record<CommandId, Act>> = {
  'file.new': (studio) => beginUntitled(studio),
  'file.new-named': ({ view }) => view.ask({ kind: 'new-document', folder: null }),
  'file.open-folder': ({ view }) => view.ask({ kind: 'folder' }),
  'file.open-recent': ({ view }) => view.ask({ kind: 'recent-folders' }),
  'file.open-sample': ({ view }) => view.ask({ kind: 'sample' }),
  'file.save': saveFront,
  'file.save-copy': (studio) => {
    const path = pathInUse(studio);
    const buffer = path === null ? undefined : studio.documents.bufferOf(path);
    if (path === null || buffer === undefined) return;
    if (isUntitled(path)) withName(studio, path, () => {});
    else if (buffer.readOnly !== null) studio.view.notify(say('name.copy-unread', { path }));
    else studio.view.ask({ kind: 'save-copy', path });
  },
  'file.format': ({ documents, view }) => {
    const { active } = documents.tabs.getState();
    if (active !== null && documents.bufferOf(active) !== undefined) view.ask({ kind: 'format', path: active });
  },
  'file.breaks-lf': (studio) => reform(studio, (buffer) => convertBreaks(buffer, '\n')),
  'file.breaks-crlf': (studio) => reform(studio, (buffer) => convertBreaks(buffer, '\r\n')),
  'file.byte-order-mark': (studio) => reform(studio, toggleMark),
  'file.final-newline': (studio) => reform(studio, toggleFinalBreak),
  'file.export': ({ view }) => view.ask({ kind: 'export' }),
  'file.print': (studio) => printFront(studio),
  'edit.copy-html': (studio) => copyAsHtml(studio),
  'file.close-tab': (studio) => closeTab(studio, studio.documents.tabs.getState().active),
  'file.close-others': (studio) => closeAmong(studio, othersOf),
  'file.close-right': (studio) => closeAmong(studio, behindOf),
  'file.pin-tab': (studio) => togglePin(studio, studio.documents.tabs.getState().active!),
  'file.reopen-closed': (studio) => studio.documents.reopen().then(() => focusPage(studio)),
  'file.history': ({ view, documents }) => view.ask({ kind: 'history', path: documents.tabs.getState().active! }),
  'file.stop-tracking': ({ view }) => view.ask({ kind: 'stop-tracking' }),
  'file.recovered': ({ view }) => view.ask({ kind: 'recovered' }),
  'app.repositories': ({ view }) => view.ask({ kind: 'repositories' }),
  'app.settings': ({ view }) => view.ask({ kind: 'settings', section: 'files' }),
  'ai.ask': askModel,
  'ai.next': (studio) => actOnReview(studio, 'next'),
  'ai.previous': (studio) => actOnReview(studio, 'previous'),
  'ai.accept': (studio) => actOnReview(studio, 'accept'),
  'ai.reject': (studio) => actOnReview(studio, 'reject'),
  'ai.accept-all': (studio) => actOnReview(studio, 'accept-all'),
  'ai.reject-all': (studio) => actOnReview(studio, 'reject-all'),
  'ai.cancel': cancelModels,
  'go.quick-open': ({ view }) => view.ask({ kind: 'palette', text: '' }),
  'go.command-palette': ({ view }) => view.ask({ kind: 'palette', text: '>' }),
  'go.search': (studio) => openSearch(studio, null),
  'go.line': ({ view }) => view.ask({ kind: 'palette', text: ':' }),
  'edit.symbol': ({ view }) => view.ask({ kind: 'palette', text: '&' }),
  'go.heading': ({ view }) => view.ask({ kind: 'palette', text: '@' }),
  'document.anchor': (studio) => anchorFront(studio),
  'document.pair': (studio) =>
    withName(studio, studio.documents.tabs.getState().active!, (path) => studio.view.ask({ kind: 'pair', path })),
  'view.source': (studio) => showAs(studio, 'source'),
  'view.reading': (studio) => showAs(studio, 'reading'),
  'view.split': (studio) => showAs(studio, 'split'),
  'view.beside': toggleBeside,
  'edit.spelling': (studio) => toggle(studio, 'spelling.check'),
  'view.goal': ({ view }) => view.ask({ kind: 'goal' }),
  'view.text-larger': (studio) => resizeText(studio, 1),
  'view.text-smaller': (studio) => resizeText(studio, -1),
  'view.text-usual': (studio) => resizeText(studio, 0),
  'view.outline': toggleOutline,
  'view.focus': (studio) => toggle(studio, 'editor.focus'),
  'view.typewriter': (studio) => toggle(studio, 'editor.typewriter'),
  'view.toggle-sidebar': toggleSide,
  'view.toggle-coherence': ({ preferences }) => preferences.set('view.coherence', !preferences.store.getState()['view.coherence']),
  'view.theme': nextTheme,
  'view.next-region': () => stepRegion(1),
  'view.previous-region': () => stepRegion(-1),
  'view.next-tab': (studio) => step(studio, 1),
  'view.previous-tab': (studio) => step(studio, -1),
  'window.coherence-breakdown': ({ view }) => view.go('breakdown'),
  'help.about': ({ view }) => view.ask({ kind: 'about' }),
};

/** Does a command, if it can act now: in the shell what is the shell's, in the editor what is the editor's. */
export function runCommand(studio: Studio, id: CommandId): void {
  if (!canRun(studio, id)) return;
  const bridge = desktop();
  const shells = shellCommands.find((command) => command === id);
  const act = acts[id];
  if (bridge !== null && shells !== undefined) bridge.shellCommand(shells);
  else if (act === undefined) paneInUse(studio)?.run(id);
  else
    void Promise.resolve(act(studio)).catch((error: unknown) => studio.view.notify(say('said.refused', { problem: problemWords(error) })));
}

/** Loaded when it is first asked for. */
async function anchorFront(studio: Studio): Promise<void> {
  const { active } = studio.documents.tabs.getState();
  const { askForAnchor } = await import('#renderer/code/document-anchors.ts');
  if (active !== null) askForAnchor(studio, active);
}

/** What a model wrote is recorded with what it rests on, so the document must have a name. It is about what is selected where the writer is. */
function askModel(studio: Studio): void {
  const { documents, view, beside } = studio;
  const path = pathInUse(studio);
  const buffer = path === null ? undefined : documents.bufferOf(path);
  if (path === null || buffer === undefined) return;
  const where = placeInUse(studio);
  if (where === 'beside' && beside !== null) transact(buffer, { selection: beside.state().selection });
  withName(studio, path, (named) => view.ask({ kind: 'genie', path: named, where }));
}

async function cancelModels({ models }: Studio): Promise<void> {
  await Promise.all(models.store.getState().activities.map(({ run }) => models.cancel(run)));
}

async function saveFront(studio: Studio): Promise<void> {
  const active = pathInUse(studio);
  if (active === null) return;
  const outcome = await studio.documents.save(active);
  const buffer = studio.documents.bufferOf(active);
  if (outcome === 'failed' && buffer !== undefined) studio.autosave.failed(buffer);
  if (outcome === 'unnamed') withName(studio, active, () => {});
  if (outcome === 'undecided') studio.view.announce(say('said.undecided'));
}

/** Changes how the file in front is written, and says how it is now. */
function reform(studio: Studio, act: (buffer: Buffer) => void): void {
  const { documents, view } = studio;
  const active = pathInUse(studio);
  const buffer = active === null ? undefined : documents.bufferOf(active);
  if (buffer === undefined) return;
  act(buffer);
  documents.edited(buffer, true);
  const breaks = lineBreaksOf(buffer.state);
  const form = [breakName(breaks), breaks.bom && say('format.mark'), hasFinalBreak(buffer) && say('format.final')];
  view.announce(form.filter(Boolean).join(', '));
}

/** Closes a tab; asks first where something is unsaved. */
export function closeTab(studio: Studio, path: string | null): void {
  const { documents, view } = studio;
  if (path === null) return;
  const isDirty = documents.tabs.getState().tabs.find((tab) => tab.path === path)?.isDirty === true;
  if (isDirty) view.ask({ kind: 'close', path });
  else {
    documents.close(path);
    focusPage(studio);
  }
}

function closeAmong(studio: Studio, among: typeof othersOf): Promise<void> {
  const { tabs, active } = studio.documents.tabs.getState();
  return closeTabs(studio, among(tabs, active!));
}

function step(studio: Studio, by: number): void {
  studio.documents.step(by);
  focusPage(studio);
}

async function toggle({ preferences, view }: Studio, key: 'editor.focus' | 'editor.typewriter' | 'spelling.check'): Promise<void> {
  const isOn = !preferences.store.getState()[key];
  await preferences.set(key, isOn);
  view.announce(say(isOn ? 'said.on' : 'said.off', { name: say(`settings.${key.replace('.', '-')}.name`) }));
}

/** The text a pixel larger or smaller, as far as the setting goes; 0: as it is at first. */
async function resizeText({ preferences, view }: Studio, by: -1 | 0 | 1): Promise<void> {
  const control = settingList.find(({ key }) => key === 'editor.size')?.control;
  if (control?.kind !== 'number') return;
  const wanted = by === 0 ? defaults['editor.size'] : preferences.store.getState()['editor.size'] + by;
  const size = Math.min(control.max, Math.max(control.min, wanted));
  await preferences.set('editor.size', size);
  view.announce(say('said.text-size', { size }));
}

async function nextTheme({ preferences, view }: Studio): Promise<void> {
  const order = ['system', 'light', 'dark'];
  const next = order[(order.indexOf(preferences.store.getState()['appearance.theme']) + 1) % order.length]!;
  await preferences.set('appearance.theme', next);
  view.announce(say(`settings.appearance-theme.options.${next}`));
}
