import { agentName, intentText } from '#cli/authorship';
import { brief } from '#cli/text';
import type { Outputs, Words } from '#protocol';

type Entries = Outputs['log']['entries'];
type Body = Readonly<Record<string, unknown>>;

/** What one line of the log says besides time and kind. */
export interface Summary {
  /** The document it is about, or an empty text. */
  readonly document: string;
  readonly about: string;
}

/** Where each object was registered last. Bodies are read as they stand, so nothing in them is taken for granted. */
export function pathsIn(entries: Entries): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { kind, body } of entries) {
    const { object, path } = bodyOf(body);
    if (kind === 'object-registered' && typeof object === 'string' && typeof path === 'string') paths.set(object, path);
  }
  return paths;
}

/** The document of an entry and what the entry says of it, as far as a line has room. */
export function summaryOf(kind: string, raw: unknown, paths: ReadonlyMap<string, string>, words: Words): Summary {
  const body = bodyOf(raw);
  const objects = kind === 'transformation' ? listOf(body.outputs).map((output) => textOf(bodyOf(output).object)) : [objectOf(body)];
  return {
    document: objects.map((object) => paths.get(object) ?? object).join(', '),
    about: kind === 'transformation' ? writeText(body, words) : otherText(body, words),
  };
}

function writeText(body: Body, words: Words): string {
  const intent = bodyOf(body.intent);
  const said = intentText({ kind: textOf(intent.kind), summary: textOf(intent.summary) }, words);
  // That another program made a change from outside needs no second word.
  return intent.kind === 'observed-external-edit' ? said : `${said}, ${actorName(body.agent, words)}`;
}

/** The statement, reason or state of an entry, and who made it. */
function otherText(body: Body, words: Words): string {
  const said = [body.statement, body.reason, body.state, body.verdict, body.judgment, body.summary].map(textOf).find((text) => text !== '');
  const parts = [brief(said ?? '', 80), body.actor === undefined ? '' : actorName(body.actor, words)];
  return parts.filter((part) => part !== '').join(', ');
}

function actorName(raw: unknown, words: Words): string {
  const { type, id } = bodyOf(raw);
  return agentName({ type: textOf(type), id: typeof id === 'string' ? id : null }, words);
}

const objectOf = (body: Body) => textOf(body.object) || textOf(body.upstream_object);
const bodyOf = (raw: unknown): Body => (typeof raw === 'object' && raw !== null ? (raw as Body) : {});
const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : []);
const textOf = (raw: unknown): string => (typeof raw === 'string' ? raw : '');
