import { Transaction } from '@codemirror/state';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { pathAfter } from '#kernel/address';
import type { RecordedAs, Tracking } from '#protocol/document-calls';
import type { Encoding } from '#protocol/encoding';
import { Fault, type FaultCode, type FaultDetail } from '#protocol/fault';
import type { Move } from '#protocol/file-calls';
import type { JournaledText } from '#protocol/journal-calls';
import { allRecorded, nothingTold, resumingTaken, untoldIn } from './acceptance.ts';
import {
  type Buffer,
  createBuffer,
  createUntitled,
  differsInIdentity,
  follow,
  isDirty,
  isOpenAs,
  keepMine,
  loseFile,
  type ReadText,
  takeMerged,
  transact,
} from './buffer.ts';
import type { WindowJournal } from './journal.ts';
import { join } from './line-breaks.ts';
import { minimalChange } from './minimal-change.ts';
import { type OpenedText, recoveredBuffer } from './recovered.ts';
import { relinked } from './relink.ts';
import { createSaving, isLost, type SaveOutcome, type SaveState } from './saving.ts';
import { type Surroundings, setPath } from './setup.ts';
import { pinnedOrder, placeBehind } from './tab-order.ts';
import { freeUntitled, isUntitled } from './untitled.ts';
import type { Wire } from './wire.ts';

/** One tab: a document that is open, or why it is not. `isPreview`: the next document that is only looked at takes its place. `isPinned`: it stands before the others and is not closed with them. */
export interface Tab {
  readonly path: string;
  readonly isPreview: boolean;
  readonly isPinned: boolean;
  readonly isDirty: boolean;
  readonly tracking: Tracking;
  readonly save: SaveState;
  readonly outside: 'changed' | 'removed' | null;
  /** Why the text cannot be changed; null: it can. */
  readonly readOnly: Buffer['readOnly'];
  /** `long`: so many characters that the writer is asked first. */
  readonly content: 'loading' | 'text' | 'not-text' | { readonly long: number } | { readonly code: string; readonly detail: FaultDetail };
}

/** The tabs in their order, the one in front, those that were closed (newest last), and what was in front (newest first). */
export interface Tabs {
  readonly tabs: readonly Tab[];
  readonly active: string | null;
  /** The document in the second editor; null: there is none. */
  readonly beside: string | null;
  readonly closed: readonly string[];
  readonly recent: readonly string[];
}

/** What documents need from around them. */
export interface DocumentsOptions extends Surroundings {
  readonly wire: Wire;
  readonly newId: () => string;
  readonly now: () => number;
  /** Keeps what is typed, until it is saved and beyond. */
  readonly journal?: Pick<WindowJournal, 'opened' | 'closed'>;
  /** Told when a document is known by another path. */
  readonly renamed?: (from: string, to: string) => void;
  /** Told when somebody else's text was taken over or has to be decided about, and when a save is done: for those who cannot see it. */
  readonly announce?: (what: 'followed' | 'changed' | 'removed' | 'saved' | 'failed', path: string) => void;
}

/** A document of more characters than this is opened once the writer said so. */
export const askedFrom = 5_000_000;

/** A document of more characters than this is not read again only because the window comes to the front. */
const lookedAtAgain = 1_000_000;

/** The open documents and what can be done with them. */
export type Documents = ReturnType<typeof createDocuments>;

const untracked: Tracking = { by: null, reason: null };
const fresh = (path: string, isPreview: boolean): Tab => ({
  path,
  isPreview,
  isPinned: false,
  isDirty: false,
  tracking: untracked,
  save: { kind: 'none' },
  outside: null,
  readOnly: null,
  content: 'loading',
});

/** Opens documents in tabs and keeps each in step with the disk: one buffer a document. */
export function createDocuments({ wire, newId, now, journal, renamed = () => {}, announce = () => {}, ...around }: DocumentsOptions) {
  const store: StoreApi<Tabs> = createStore<Tabs>()(() => ({ tabs: [], active: null, beside: null, closed: [], recent: [] }));
  const buffers = new Map<string, Buffer>();
  const listeners = new Set<(buffer: Buffer) => void>();
  /** The long documents that the writer said yes to. */
  const agreed = new Set<string>();
  /** What was known of the last save of each, before the one that is under way. */
  const before = new WeakMap<Buffer, SaveState['kind']>();
  /** Those that were said to have changed while they were being saved: looked at once that is answered. */
  const unheard = new Set<Buffer>();

  const patch = (path: string, change: Partial<Tab>) =>
    store.setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.path === path ? { ...tab, ...change } : tab)) }));
  const tabOf = (path: string) => store.getState().tabs.find((tab) => tab.path === path);

  /** Says in the tab what the buffer is; a store write only where something is different. */
  const reflect = (buffer: Buffer) => {
    const tab = tabOf(buffer.path);
    const dirty = isDirty(buffer);
    const outside = buffer.outside?.kind ?? null;
    if (tab === undefined || (tab.isDirty === dirty && tab.outside === outside && tab.tracking === buffer.tracking)) return;
    patch(buffer.path, { isDirty: dirty, outside, tracking: buffer.tracking, ...(dirty ? { isPreview: false } : {}) });
  };
  const told = (buffer: Buffer, save: SaveState) => {
    if (save.kind === 'saving') before.set(buffer, tabOf(buffer.path)?.save.kind ?? 'none');
    patch(buffer.path, { save });
    reflect(buffer);
    // What is tried again by itself, and fails again, is no news.
    if (save.kind === 'saved' || (save.kind === 'failed' && before.get(buffer) !== 'failed')) announce(save.kind, buffer.path);
    if (buffer.outside !== null) announce(buffer.outside.kind, buffer.path);
    if (buffer.sending === null && unheard.delete(buffer)) void recheck(buffer);
  };
  /** What became of a text that a save by itself left due. */
  const heardRecorded = (path: string, recorded: RecordedAs) => {
    const buffer = buffers.get(path);
    const save = tabOf(path)?.save;
    if (buffer === undefined || save?.kind !== 'saved') return;
    buffer.isDue = recorded.kind === 'failed';
    if (recorded.kind !== 'failed') buffer.told = allRecorded(buffer.told);
    patch(path, { save: { ...save, recorded } });
  };
  const recorded = ({ path }: Buffer) => heardRecorded(path, { kind: 'recorded' });
  const saving = createSaving({ wire, newId, now, told, recorded });

  const load = async (path: string, encoding?: Encoding) => {
    try {
      const opened = await wire.call('document/open', encoding === undefined ? { path } : { path, encoding, chosen: true });
      if (tabOf(path) === undefined || buffers.has(path)) return;
      if (opened.kind === 'not-text') return patch(path, { content: 'not-text' });
      if (opened.text.length > askedFrom && !agreed.has(path)) return patch(path, { content: { long: opened.text.length } });
      const buffer = createBuffer(path, opened, around);
      buffers.set(path, buffer);
      journal?.opened(buffer);
      patch(path, { content: 'text', tracking: opened.tracking, readOnly: buffer.readOnly });
    } catch (error) {
      // Loaded again when the connection is back.
      if (isLost(error)) return;
      const { code, detail } = faultOf(error);
      patch(path, { content: { code, detail } });
    }
  };

  /** A document as it is on disk now; null where there is none that is text. Faults of the connection are thrown. */
  const readAgain = async ({ text, steps }: JournaledText): Promise<OpenedText | null> => {
    const { path, readAs } = steps.at(-1) ?? text;
    if (isUntitled(path)) return null;
    try {
      const opened = await wire.call('document/open', readAs === 'utf-8' ? { path } : { path, encoding: readAs, chosen: true });
      return opened.kind === 'text' ? opened : null;
    } catch (error) {
      if (isLost(error)) throw error;
      return null;
    }
  };

  /** Reads a document anew into a buffer of its own: what was done to the text before means nothing in another encoding. */
  const loadAnew = async (path: string, encoding?: Encoding) => {
    drop(path);
    patch(path, { content: 'loading', outside: null, isDirty: false });
    await load(path, encoding);
  };

  /** `isBehind`: what is in front stays there. */
  const activate = (path: string | null, isBehind = false) =>
    store.setState(({ active, recent }) => ({
      active: isBehind ? active : path,
      recent: path === null ? recent : [path, ...recent.filter((other) => other !== path)],
    }));

  const drop = (path: string) => {
    const buffer = buffers.get(path);
    if (buffer === undefined) return;
    buffers.delete(path);
    journal?.closed(buffer);
  };

  const forget = (path: string) => {
    const buffer = buffers.get(path);
    if (buffer !== undefined) void saving.record(buffer);
    drop(path);
    store.setState(({ tabs, active, beside, closed, recent }) => {
      const at = tabs.findIndex((tab) => tab.path === path);
      const left = tabs.filter((tab) => tab.path !== path);
      const next = active === path ? (left[Math.min(at, left.length - 1)]?.path ?? null) : active;
      return {
        tabs: left,
        active: next,
        beside: beside === path ? null : beside,
        ...(isUntitled(path)
          ? { recent: recent.filter((other) => other !== path) }
          : { closed: [...closed.filter((other) => other !== path), path] }),
      };
    });
  };

  /** A preview gives its place to the next one; a document that was changed is kept by that. One that comes behind all takes the place of none. */
  const place = (path: string, isPreview: boolean, isBehind = false) =>
    store.setState(({ tabs, active }) => {
      if (isBehind) return { tabs: [...tabs, fresh(path, isPreview && !tabs.some((tab) => tab.isPreview))] };
      const preview = isPreview ? tabs.findIndex((tab) => tab.isPreview) : -1;
      if (preview >= 0) drop(tabs[preview]!.path);
      const at = preview >= 0 ? preview : placeBehind(tabs, active);
      return { tabs: tabs.toSpliced(at, preview >= 0 ? 1 : 0, fresh(path, isPreview)) };
    });

  const recheck = async (buffer: Buffer) => {
    if (isUntitled(buffer.path)) return;
    if (buffer.sending !== null) {
      unheard.add(buffer);
      return;
    }
    const { path, encoding } = buffer;
    try {
      const opened = await wire.call('document/open', encoding === 'utf-8' ? { path } : { path, encoding });
      if (buffer.sending === null && buffers.get(path) === buffer && opened.kind === 'text') heard(buffer, opened);
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'file-missing') || buffer.disk === null || buffer.sending !== null) return;
      if (buffers.get(path) !== buffer) return;
      loseFile(buffer);
      announce('removed', buffer.path);
    }
    reflect(buffer);
  };

  const heard = (buffer: Buffer, { text, base, content, tracking, encoding, readOnly }: ReadText & { tracking: Tracking }) => {
    const read: ReadText = { text, base, content, ...(encoding && { encoding }), ...(readOnly && { readOnly }) };
    buffer.tracking = tracking;
    const before = buffer.outside?.kind === 'removed' ? buffer.outside.before : null;
    // It is there again, and what the writer did to it is known. Where nothing was done, and it is another one now, its old text is nowhere else.
    if (before !== null && (base === before.base || isDirty({ ...buffer, disk: before }))) buffer.disk ??= before;
    if (base === buffer.disk?.base) {
      buffer.outside = null;
    } else if (!isDirty(buffer) && !isOpenAs(buffer, read)) {
      void loadAnew(buffer.path);
      announce('followed', buffer.path);
    } else if (!isDirty(buffer) || (isOpenAs(buffer, read) && isAlready(buffer, text))) {
      // Undo leads back before it, and only then to what the writer did; never to an identity that the file has not any more.
      follow(buffer, read, { undoable: !differsInIdentity(buffer, text) });
      announce('followed', buffer.path);
    } else {
      const isNews = buffer.outside?.kind !== 'changed' || buffer.outside.base !== base;
      buffer.outside = { kind: 'changed', ...read };
      if (!isNews) return;
      announce('changed', buffer.path);
      // Whoever compares with what was there before must look again.
      patch(buffer.path, {});
    }
  };

  /** Lets open documents be known by other paths: tabs, buffers and all that knows them. Answers the buffers. */
  const carry = (after: (path: string) => string): readonly Buffer[] => {
    const carried = [...buffers.values()].filter(({ path }) => after(path) !== path);
    for (const { path } of carried) buffers.delete(path);
    for (const { path } of store.getState().tabs) if (after(path) !== path) renamed(path, after(path));
    for (const buffer of carried) {
      buffer.path = after(buffer.path);
      buffers.set(buffer.path, buffer);
      transact(buffer, { effects: setPath(buffer.path, around) });
    }
    store.setState(({ tabs, active, beside, recent }) => ({
      tabs: tabs.map((tab) => ({ ...tab, path: after(tab.path) })),
      active: active === null ? null : after(active),
      beside: beside === null ? null : after(beside),
      recent: recent.map(after),
    }));
    return carried;
  };

  /** A document that is moved stays the same tab with the same buffer. Where its new path is open already, that tab's text is somebody's work and stays. */
  const moved = (moves: readonly Move[]) => {
    const others = new Map<string, string>();
    for (const { path } of store.getState().tabs) {
      const to = pathAfter(moves, path);
      if (to !== path && tabOf(to) === undefined) others.set(path, to);
    }
    if (others.size === 0) return;
    const carried = carry((path) => others.get(path) ?? path);
    store.setState(({ closed }) => ({ closed: closed.map((path) => pathAfter(moves, path)) }));
    for (const buffer of carried) void recheck(buffer);
  };

  const isFree = (path: string) => tabOf(path) === undefined;
  const isThere = async (path: string): Promise<boolean> => {
    try {
      await wire.call('document/open', { path });
      return true;
    } catch (error) {
      if (error instanceof Fault && error.code === 'file-missing') return false;
      throw error;
    }
  };
  const free = (name: string) =>
    freeUntitled(
      store.getState().tabs.map((tab) => tab.path),
      name,
    );
  /** Shows a new document that has no file. */
  const begin = (path: string, text: string, isBehind = false): void => {
    place(path, false, isBehind);
    const buffer = createUntitled(path, text, around);
    buffers.set(path, buffer);
    // What stands in it from the start is nowhere else.
    journal?.opened(buffer, text !== '');
    patch(path, { content: 'text' });
    reflect(buffer);
    activate(path, isBehind);
  };

  /** What is being named: to ask twice is to ask once, for while it is saved nothing is known by the old name. */
  const naming = new Map<string, Promise<SaveOutcome>>();
  const nameNow = async (untitled: string, path: string): Promise<SaveOutcome> => {
    const buffer = buffers.get(untitled);
    if (buffer === undefined) return 'clean';
    if (!isFree(path) || (await isThere(path))) throw new Fault('already-exists', { path });
    carry((other) => (other === untitled ? path : other));
    const { state } = buffer;
    const links = relinked(state, untitled, path, around.neighbours?.files() ?? []);
    const unseen = Transaction.addToHistory.of(false);
    if (!links.empty) transact(buffer, { changes: links, annotations: unseen });
    const outcome = await saving.save(buffer);
    const save = tabOf(path)?.save;
    if (buffer.disk !== null || (outcome !== 'conflict' && outcome !== 'failed')) return outcome;
    buffer.outside = null;
    patch(path, { save: { kind: 'none' } });
    carry((other) => (other === path ? untitled : other));
    if (!links.empty && buffer.state.doc.eq(links.apply(state.doc)))
      transact(buffer, { changes: links.invert(state.doc), annotations: unseen });
    reflect(buffer);
    throw save?.kind === 'failed' ? new Fault(save.code as FaultCode, save.detail as never) : new Fault('already-exists', { path });
  };

  const stops = [
    wire.on('files-moved', ({ moves }) => moved(moves)),
    wire.on('files-changed', ({ paths }) => {
      for (const buffer of buffers.values()) if (paths.length === 0 || paths.includes(buffer.path)) void recheck(buffer);
    }),
    wire.on('document-settled', (settled) => heardRecorded(settled.path, settled.recorded)),
    wire.onState((state) => {
      if (state === 'lost') return;
      for (const buffer of buffers.values()) void (buffer.sending === null ? recheck(buffer) : saving.save(buffer));
      for (const { path, content } of store.getState().tabs) if (content === 'loading') void load(path);
    }),
  ];

  return {
    tabs: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    /** The buffer of a document that is open as text. */
    bufferOf: (path: string): Buffer | undefined => buffers.get(path),
    buffers: (): Iterable<Buffer> => buffers.values(),
    /** Told of each change that the writer made. */
    onEdit(listener: (buffer: Buffer) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** To be told of every change of a buffer's text. */
    edited(buffer: Buffer, isByWriter: boolean): void {
      reflect(buffer);
      if (isByWriter) for (const listener of listeners) listener(buffer);
    },
    /** Brings a document to the front; `preview`: only to look at; `behind`: opens it behind the others and leaves in front what is there. */
    async open(path: string, { preview = false, behind = false } = {}): Promise<void> {
      const tab = tabOf(path);
      if (tab === undefined && isUntitled(path)) return void begin(path, '', behind);
      if (tab === undefined) place(path, preview, behind);
      else if (tab.isPreview && !preview) patch(path, { isPreview: false });
      activate(path, behind);
      if (tab === undefined || (typeof tab.content === 'object' && 'code' in tab.content)) await load(path);
    },
    /** Shows a new document that has no file, with this text; answers what it is known by until it is named. */
    begin(name: string, text = ''): string {
      const path = free(name);
      begin(path, text);
      return path;
    },
    /**
     * Gives a document without a file its path, and saves it there; `waiting`: it will be, once the connection is back. Throws the
     * fault where that cannot be, as where there is something of that name already: nothing of it is touched, and the document is as it was.
     */
    nameAs(untitled: string, path: string): Promise<SaveOutcome> {
      const begun = naming.get(untitled) ?? nameNow(untitled, path).finally(() => naming.delete(untitled));
      naming.set(untitled, begun);
      return begun;
    },
    /** Opens a long document that the writer said yes to. */
    async openLong(path: string): Promise<void> {
      agreed.add(path);
      patch(path, { content: 'loading' });
      await load(path);
    },
    /**
     * Opens a document with the text that was left of it; one that is open takes it as one change that can be taken back, and one that
     * has no file is another than one that is open. Answers what it is known by.
     */
    async recover(left: JournaledText, { behind = false } = {}): Promise<string> {
      const known = (left.steps.at(-1) ?? left.text).path;
      // What the window that is gone left due is recorded as it was: only that window knew what of it was taken back.
      if (!isUntitled(known)) await wire.call('document/settle', { path: known }).catch(() => null);
      const read = await readAgain(left);
      const found = recoveredBuffer(left, read, around);
      const path = isUntitled(known) && !isFree(known) ? free(known.slice(1).replace(/ \d+$/u, '')) : known;
      if (path !== known) {
        found.path = path;
        transact(found, { effects: setPath(path, around) });
      }
      const open = buffers.get(path);
      if (open !== undefined) {
        const effects = resumingTaken(found.state, untoldIn(found.state, nothingTold));
        transact(open, { changes: minimalChange(open.state.doc, found.state.doc), effects, userEvent: 'input.recover' });
        reflect(open);
        activate(path, behind);
        return path;
      }
      if (tabOf(path) === undefined) place(path, false, behind);
      buffers.set(path, found);
      journal?.opened(found, true);
      patch(path, { content: 'text', save: { kind: 'none' }, isPreview: false });
      reflect(found);
      activate(path, behind);
      if (found.outside !== null) announce(found.outside.kind, path);
      return path;
    },
    /** What opening such a text would show, and what is on disk; opens nothing. */
    async foresee(left: JournaledText) {
      const read = await readAgain(left);
      const { state, outside } = recoveredBuffer(left, read, around);
      return { text: join(state), onDisk: read?.text ?? '', outside, isNew: read === null && outside === null };
    },
    /** Reads a document again in another encoding; false where it has changes that this would lose. */
    async readAs(path: string, encoding: Encoding): Promise<boolean> {
      const buffer = buffers.get(path);
      if (isUntitled(path) || (buffer !== undefined && (isDirty(buffer) || buffer.sending !== null))) return false;
      await loadAnew(path, encoding);
      return true;
    },
    /** Lets a document be saved in another encoding from now on, beginning at once. */
    async saveAs(path: string, encoding: Encoding): Promise<SaveOutcome> {
      const buffer = buffers.get(path);
      if (buffer === undefined || buffer.readOnly !== null) return 'clean';
      const before = buffer.encoding;
      buffer.encoding = encoding;
      reflect(buffer);
      const outcome = await saving.save(buffer);
      if (outcome === 'failed') buffer.encoding = before;
      reflect(buffer);
      return outcome;
    },
    /** Keeps a document open that was only looked at. */
    keep: (path: string) => patch(path, { isPreview: false }),
    /** Pins a tab, which keeps it open, too, or lets it go again. */
    pin(path: string, isPinned: boolean): void {
      if (isPinned) patch(path, { isPreview: false });
      store.setState(({ tabs }) => ({ tabs: pinnedOrder(tabs, path, isPinned) }));
    },
    activate,
    /** What editors of these documents need from around them. */
    around: around as Surroundings,
    /** Shows a document that is open in the second editor, too; it is kept open by that. Null puts the second editor away. */
    putBeside(path: string | null): void {
      if (path !== null) patch(path, { isPreview: false });
      store.setState({ beside: path });
    },
    /** Closes a tab, whatever is unsaved in it. */
    close: forget,
    /** Opens the tab again that was closed last. */
    async reopen(): Promise<void> {
      const path = store.getState().closed.at(-1);
      if (path === undefined) return;
      store.setState(({ closed }) => ({ closed: closed.slice(0, -1) }));
      await this.open(path);
    },
    /** Brings the tab `by` places further to the front, round in a circle. */
    step(by: number): void {
      const { tabs, active } = store.getState();
      const at = tabs.findIndex((tab) => tab.path === active);
      const next = tabs[(at + by + tabs.length) % tabs.length];
      if (next !== undefined) activate(next.path);
    },
    /** Makes a new document and opens it. Throws the fault where there is one of that name. */
    async create(path: string, text = ''): Promise<void> {
      await wire.call('document/create', { path, text });
      await this.open(path);
    },
    /** Saves a document; `auto`: by itself, so that it is recorded later. */
    async save(path: string, how?: { readonly auto: boolean }): Promise<SaveOutcome> {
      const buffer = buffers.get(path);
      return buffer === undefined ? 'clean' : saving.save(buffer, how);
    },
    /** Records what saves by themselves left due: the writer turned away from the document, or from the window. */
    record: (buffer: Buffer): Promise<void> => saving.record(buffer),
    /** Decides for the writer's own text: the next save writes over what somebody else wrote. */
    keepMine(path: string): void {
      const buffer = buffers.get(path);
      if (buffer?.outside?.kind !== 'changed') return;
      keepMine(buffer, buffer.outside);
      reflect(buffer);
    },
    /** Decides for what somebody else wrote; undo brings the writer's own text back. */
    takeTheirs(path: string): void {
      const buffer = buffers.get(path);
      if (buffer?.outside?.kind !== 'changed') return;
      if (!isOpenAs(buffer, buffer.outside)) return void loadAnew(path);
      follow(buffer, buffer.outside, { undoable: true });
      reflect(buffer);
    },
    /** Looks at what is open again, the very long apart: the system may have told nobody. */
    lookAgain(): void {
      for (const buffer of buffers.values()) if (buffer.state.doc.length <= lookedAtAgain) void recheck(buffer);
    },
    /** Decides for a text that was merged of both; false where somebody wrote again since (`base` is what was merged), so that it must be merged anew. */
    takeMerged(path: string, merged: string, base: string): boolean {
      const buffer = buffers.get(path);
      if (buffer?.outside?.kind !== 'changed' || buffer.outside.base !== base) return false;
      takeMerged(buffer, merged, buffer.outside);
      reflect(buffer);
      return true;
    },
    dispose(): void {
      for (const stop of stops) stop();
    },
  };
}

const isAlready = (buffer: Buffer, text: string) => join(buffer.state) === text;

function faultOf(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('bug', { problem: String(error) });
}
