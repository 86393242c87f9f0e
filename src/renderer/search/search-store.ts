import { createStore } from 'zustand/vanilla';
import type { SearchQuery } from '#kernel/search-pattern';
import type { FoundFile, FoundMatch, SearchPart, WantedReplacement } from '#protocol/search-calls';
import type { Wire } from '#renderer/editor/wire.ts';

/** What is looked for, where, and what shall stand in its place. Globs are parted by commas. */
export interface Wanted extends SearchQuery {
  readonly include: string;
  readonly exclude: string;
  readonly replacement: string;
  readonly isReplacing: boolean;
}

/** How far a search is. `more`: so much was found that it waits to be asked for the rest. */
export type Progress = 'idle' | 'running' | 'done' | 'stopped' | 'more' | 'invalid' | 'too-slow' | 'failed';

/** The search as the window shows it. */
export interface SearchState {
  readonly wanted: Wanted;
  readonly progress: Progress;
  readonly files: readonly FoundFile[];
  readonly matches: number;
  readonly searched: number;
  readonly of: number;
  /** Documents that are too large to be looked into. */
  readonly skipped: readonly string[];
  /** Matches that are not to be replaced, by `keyOf`. */
  readonly left: ReadonlySet<string>;
  /** Raised when the field shall have the focus. */
  readonly turn: number;
}

/** The search of a window. */
export type SearchStore = ReturnType<typeof createSearchStore>;

/** What a match is known by. */
export const keyOf = (path: string, { start }: Pick<FoundMatch, 'start'>): string => `${start} ${path}`;

/** So many matches are listed before the writer is asked whether there shall be more. */
const listed = 2000;
/** How long the writer rests before it is looked for, in ms. */
const rest = 200;

const nothing = { files: [], matches: 0, searched: 0, of: 0, skipped: [], left: new Set<string>() };
const first: Wanted = {
  text: '',
  isExpression: false,
  matchesCase: false,
  wholeWords: false,
  include: '',
  exclude: '',
  replacement: '',
  isReplacing: false,
};

/** Searches while the writer types: a newer question ends an older one. What nobody sees (`isShown`) is not asked anew when files change. */
export function createSearchStore({ call, on }: Pick<Wire, 'call' | 'on'>, isShown: () => boolean) {
  const store = createStore<SearchState>()(() => ({ wanted: first, progress: 'idle', turn: 0, ...nothing }));
  let run = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let after: string | null = null;

  const take = (part: Extract<SearchPart, { kind: 'found' }>, isFirst: boolean) =>
    store.setState((before) => {
      const files = isFirst ? part.files : [...before.files, ...part.files];
      const matches = part.files.reduce((sum, file) => sum + file.matches.length, isFirst ? 0 : before.matches);
      const skipped = isFirst || part.after === null ? part.skipped : before.skipped;
      return { files, matches, searched: part.searched, of: part.of, skipped, ...(isFirst ? { left: new Set() } : {}) };
    });
  const ask = async (from: string | null) => {
    clearTimeout(timer);
    const mine = ++run;
    const { text, isExpression, matchesCase, wholeWords, include, exclude } = store.getState().wanted;
    if (text === '') return store.setState({ progress: 'idle', ...nothing });
    const request = { text, isExpression, matchesCase, wholeWords, include: globsOf(include), exclude: globsOf(exclude) };
    const most = listed + (from === null ? 0 : store.getState().matches);
    store.setState({ progress: 'running' });
    after = from;
    for (let isFirst = from === null; ; isFirst = false) {
      const part = await call('search/find', { ...request, after }).catch(() => null);
      if (mine !== run) return;
      if (part === null) return store.setState({ progress: 'failed' });
      if (part.kind !== 'found') return store.setState({ progress: part.kind, ...(isFirst ? nothing : {}) });
      take(part, isFirst);
      after = part.after;
      if (after === null) return store.setState({ progress: 'done' });
      if (store.getState().matches >= most) return store.setState({ progress: 'more' });
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(null), rest);
  };
  const refresh = () => {
    const { progress, left } = store.getState();
    // What the writer has unticked is not thrown away by a file that changes elsewhere.
    if (progress === 'done' && left.size === 0) soon();
  };
  const stop = on('files-changed', () => isShown() && refresh());
  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    focus: () => store.setState(({ turn }) => ({ turn: turn + 1 })),
    /** Changes what is wanted; a new question is asked after a short rest. */
    change(part: Partial<Wanted>): void {
      const { wanted } = store.getState();
      const next = { ...wanted, ...part };
      store.setState({ wanted: next });
      const asked = ({ replacement: _, isReplacing: __, ...query }: Wanted) => JSON.stringify(query);
      if (asked(next) !== asked(wanted)) soon();
    },
    /** Asks again what was answered, as files may have changed since. */
    refresh,
    /** Asks at once. */
    ask: () => ask(null),
    /** Goes on where it stopped. */
    more: () => ask(after),
    stop(): void {
      run++;
      clearTimeout(timer);
      if (store.getState().progress === 'running') store.setState({ progress: 'stopped' });
    },
    /** Ticks or unticks matches for replacing. */
    tick(keys: readonly string[], isTicked: boolean): void {
      store.setState(({ left }) => {
        const next = new Set(left);
        for (const key of keys) isTicked ? next.delete(key) : next.add(key);
        return { left: next };
      });
    },
    dispose: stop,
  };
}

/** What is written between commas. */
export const globsOf = (text: string): string[] =>
  text
    .split(',')
    .map((glob) => glob.trim())
    .filter(Boolean)
    .slice(0, 100);

/** What shall be replaced: the ticked matches of each document, and nothing that is not listed. */
export function replacementsOf({ files, left }: Pick<SearchState, 'files' | 'left'>): WantedReplacement[] {
  return files.flatMap(({ path, base, matches, more }) => {
    const ticked = matches.filter((match) => !left.has(keyOf(path, match)));
    if (ticked.length === 0) return [];
    return [{ path, base, starts: ticked.length === matches.length && !more ? null : ticked.map(({ start }) => start) }];
  });
}
