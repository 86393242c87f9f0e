/** Whom a writer may ask, in the order of the settings: services, a server of one's own, and installed programs. */
export const providerIds = ['anthropic', 'openai', 'google', 'compatible', 'ollama', 'claude', 'codex', 'gemini'] as const;
/** The stable name of a provider. */
export type ProviderId = (typeof providerIds)[number];

/** What a provider is, as far as every face may know. */
export interface Provider {
  readonly id: ProviderId;
  /** Its own name, the same in every language; null where the window has a word for it. */
  readonly name: string | null;
  /** A service over HTTP, or a program of this machine. */
  readonly kind: 'service' | 'program';
  /** Where it answers unless the writer says otherwise; empty: nowhere. */
  readonly address: string;
  /** The model unless the writer names another; empty: one must be named, or (of a program) its own choice counts. */
  readonly model: string;
  readonly key: 'needed' | 'possible' | 'none';
}

const service = (id: ProviderId, name: string | null, address: string, model: string, key: Provider['key']): Provider => ({
  id,
  name,
  kind: 'service',
  address,
  model,
  key,
});
const program = (id: ProviderId, name: string): Provider => ({ id, name, kind: 'program', address: '', model: '', key: 'none' });

/** Every provider by its id. */
export const providers: Readonly<Record<ProviderId, Provider>> = {
  anthropic: service('anthropic', 'Anthropic', 'https://api.anthropic.com/v1', 'claude-sonnet-5-5', 'needed'),
  openai: service('openai', 'OpenAI', 'https://api.openai.com/v1', 'gpt-6-sol', 'needed'),
  google: service('google', 'Google', 'https://generativelanguage.googleapis.com/v1beta', 'gemini-flash-latest', 'needed'),
  compatible: service('compatible', null, '', '', 'possible'),
  ollama: service('ollama', 'Ollama', 'http://127.0.0.1:11434/v1', '', 'none'),
  claude: program('claude', 'Claude Code'),
  codex: program('codex', 'Codex'),
  gemini: program('gemini', 'Gemini CLI'),
};

/** Whether a text names a provider. */
export const isProviderId = (id: string): id is ProviderId => Object.hasOwn(providers, id);

/** The plain settings of a provider: which model, where, and the place that the writer has seen a prompt go to. */
export const providerKeys = (id: ProviderId) =>
  ({ model: `ai.${id}.model`, address: `ai.${id}.address`, shown: `ai.${id}.shown` }) as const;

/** The longest prompt that is sent, in characters. */
export const promptLimit = 2_000_000;
