import { usageFault } from '#cli/usage';
import { type CheckState, checkStates, Fault, failOnByDefault } from '#protocol';

/** Whether `--json` is asked for; what follows `--` is no option. Also of a command line that cannot be understood. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

/** `FILE@REV`, split at the last `@`. */
export function parseFileAtRevision(text: string): { path: string; revision: string } {
  const at = text.lastIndexOf('@');
  const path = at < 0 ? text : text.slice(0, at);
  const revision = at < 0 ? '' : text.slice(at + 1);
  if (path === '') throw usageFault('missing-argument', { name: 'FILE' });
  if (revision === '') throw usageFault('missing-revision', { path });
  return { path, revision };
}

/** `TYPE:ID` or `TYPE`; without it another program wrote it. A person is refused, for a shell is where agents live. */
export function parseAgent(text: string | undefined): { type: 'model' | 'external'; id: string | null } {
  if (text === undefined) return { type: 'external', id: null };
  const [, type = '', , id = null] = /^([^:]*)(:(.*))?$/su.exec(text) ?? [];
  if (type === 'human') throw new Fault('agent-human-refused', {});
  if ((type !== 'model' && type !== 'external') || id?.trim() === '') throw new Fault('agent-invalid', { agent: text });
  return { type, id };
}

/** States separated by commas; `undefined` gives those that fail a check by default. Each is named once. */
export function parseStates(text: string | undefined): CheckState[] {
  if (text === undefined) return [...failOnByDefault];
  const named = text.split(',').map((state) => state.trim());
  const unknown = named.find((state) => !isCheckState(state));
  if (unknown !== undefined) throw new Fault('state-unknown', { state: unknown, candidates: checkStates.join(', ') });
  return [...new Set(named.filter(isCheckState))];
}

const isCheckState = (state: string): state is CheckState => checkStates.some((known) => known === state);
