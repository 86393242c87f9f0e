import { createStore } from 'zustand/vanilla';
import type { Settings } from '#protocol/calls';
import type { CommandId } from '#protocol/commands';
import { type Keymap, type KeySystem, keymapOf, keysPrefix, ownKeys } from '#protocol/keymap';
import type { Connection } from '#renderer/connection.ts';
import { aiDefaults } from './ai-default.ts';

/** What each setting is until the writer changes it. */
export const defaults = {
  'saving.autosave': 'rest',
  'saving.ask': false,
  'editor.font': 'serif',
  'editor.size': 17,
  'editor.measure': 66,
  'editor.identity': false,
  'editor.mode': 'live',
  'editor.pairs': true,
  'editor.smart': 'off',
  'editor.focus': false,
  'editor.typewriter': false,
  'editor.goal': 0,
  'spelling.check': true,
  'spelling.language': 'system',
  'files.templates': 'templates',
  'files.assets': 'assets',
  'appearance.theme': 'system',
  language: 'system',
  'view.sidebar': true,
  'view.coherence': false,
  // Whether a document was ever opened in this installation: until then the sample is offered.
  'view.begun': false,
  ...aiDefaults,
} as const satisfies Settings;

/** The key of a setting. */
export type SettingKey = keyof typeof defaults;
/** The value of each setting. */
export type Preferences = { readonly [Key in SettingKey]: Widened<(typeof defaults)[Key]> };
type Widened<Value> = Value extends boolean ? boolean : Value extends number ? number : string;

/** The keys as they are, and the commands whose keys the writer changed. */
export interface WrittenKeys {
  readonly keymap: Keymap;
  readonly own: ReadonlySet<CommandId>;
}

/** The writer's settings in this window. */
export type PreferenceStore = ReturnType<typeof createPreferences>;

/** Keeps the settings in step with core: what is changed here is written there, what another window changes arrives here. */
export function createPreferences({ call, on, onState }: Pick<Connection, 'call' | 'on' | 'onState'>, system: KeySystem = 'other') {
  const store = createStore<Preferences>()(() => ({ ...defaults }));
  const keys = createStore<WrittenKeys>()(() => ({ keymap: keymapOf({}, system), own: new Set() }));
  const take = (settings: Settings) => {
    store.setState(known(settings), true);
    keys.setState({ keymap: keymapOf(settings, system), own: ownKeys(settings) });
  };
  const read = async () => {
    try {
      take(await call('settings/read', {}));
    } catch {
      // Settings that cannot be read now are the defaults; the connection tells when to ask again.
    }
  };
  const stops = [on('settings-changed', ({ settings }) => take(settings)), onState((state) => void (state === 'connected' && read()))];
  return {
    store: store as Pick<typeof store, 'getState' | 'subscribe' | 'getInitialState'>,
    /** The keys of the commands. */
    keys: keys as Pick<typeof keys, 'getState' | 'subscribe' | 'getInitialState'>,
    system,
    /** Gives a command other keys; null: those that it has at first. Rejects when that could not be written. */
    async setKeys(id: CommandId, wanted: readonly string[] | null): Promise<void> {
      take(await call('settings/write', { key: keysPrefix + id, value: wanted?.join(' ') ?? null }));
    },
    read,
    /** Changes a setting at once; rejects when it could not be written, and is then what it was. */
    async set<Key extends SettingKey>(key: Key, value: Preferences[Key]): Promise<void> {
      const before = store.getState();
      store.setState({ [key]: value } as Partial<Preferences>);
      try {
        take(await call('settings/write', { key, value }));
      } catch (error) {
        store.setState({ [key]: before[key] } as Partial<Preferences>);
        throw error;
      }
    },
    dispose(): void {
      for (const stop of stops) stop();
    },
  };
}

/** The settings that we know, each of the kind that it must be; what is missing or of another kind is the default. */
export function known(settings: Settings): Preferences {
  const entries = Object.entries(defaults).map(([key, value]) => [key, typeof settings[key] === typeof value ? settings[key] : value]);
  return Object.fromEntries(entries) as Preferences;
}
