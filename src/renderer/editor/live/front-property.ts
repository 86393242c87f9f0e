import type { Text } from '@codemirror/state';
import { frontOf, type Range } from '../front.ts';

/** A value of a property that stands in its line or in one of its own: where it is, and what it says. */
export interface Value extends Range {
  readonly text: string;
}

/** A property of a frontmatter as a form shows it. `raw` is what a form does not understand: it is edited as text. */
export interface Property {
  readonly key: string;
  /** Its lines, to the end of the last. */
  readonly lines: Range;
  readonly value:
    | ({ readonly kind: 'text' } & Value)
    | ({ readonly kind: 'flag'; readonly isOn: boolean } & Range)
    | {
        readonly kind: 'list';
        readonly style: 'flow' | 'block';
        readonly items: readonly Value[];
        readonly end: number;
        readonly indent: string;
      }
    | { readonly kind: 'raw'; readonly text: string };
}

/** A change of the source. */
export interface Change {
  readonly from: number;
  readonly to?: number;
  readonly insert?: string;
}

const head = /^([^\s#:'"[\]{}&*!|>%@`,?-][^:#]*?|-[^\s:][^:#]*?)[ \t]*:(?=[ \t]|$)[ \t]*/u;

/** The properties of a document's frontmatter in their order, without those that are ours; null where there is no frontmatter. */
export function propertiesOf(doc: Text): readonly Property[] | null {
  const front = frontOf(doc);
  if (front === null) return null;
  const [first, last] = [2, doc.lineAt(front.all.to).number - 1];
  const found: Property[] = [];
  for (let number = first; number <= last; ) {
    const line = doc.line(number);
    let end = number;
    const match = head.exec(line.text);
    while (match !== null && end < last && isContinued(doc, end + 1, last)) end++;
    const lines = { from: line.from, to: doc.line(end).to };
    const isOurs = front.identity.some(({ from, to }) => from <= lines.from && lines.to <= to);
    if (match !== null && !isOurs) found.push({ key: match[1]!.trim(), lines, value: readValue(doc, line.from + match[0].length, lines) });
    number = end + 1;
  }
  return found;
}

/** Whether a line goes on with the property above: it is indented, an item, or a blank before one that is. */
function isContinued(doc: Text, number: number, last: number): boolean {
  for (let at = number; at <= last; at++) {
    const { text } = doc.line(at);
    if (text.trim() !== '') return /^(?:[ \t]|-(?:[ \t]|$))/u.test(text);
  }
  return false;
}

function readValue(doc: Text, from: number, lines: Range): Property['value'] {
  const line = doc.lineAt(from);
  const text = doc.sliceString(from, line.to);
  if (line.to < lines.to) return (text.trim() === '' ? blockList(doc, line.number + 1, lines) : null) ?? raw(doc, from, lines);
  const plain = withoutComment(text);
  const range = { from, to: from + plain.length };
  if (/^(?:true|false)$/u.test(plain)) return { kind: 'flag', isOn: plain === 'true', ...range };
  if (plain.startsWith('[')) return flowList(plain, from) ?? raw(doc, from, lines);
  const scalar = scalarOf(plain);
  return scalar === null ? raw(doc, from, lines) : { kind: 'text', text: scalar, ...range };
}

const raw = (doc: Text, from: number, { to }: Range): Property['value'] => ({ kind: 'raw', text: doc.sliceString(from, to).trim() });

function withoutComment(text: string): string {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=[ \t]*(?:#|$))/u.exec(text);
  if (quoted !== null) return quoted[0];
  return text.replace(/(?:^|[ \t]+)#.*$/u, '').trimEnd();
}

/** What a value that stands in one line says; null where it is none that a form can change. */
function scalarOf(text: string): string | null {
  const double = /^"((?:[^"\\]|\\.)*)"$/u.exec(text)?.[1];
  if (double !== undefined) return /^(?:[^\\]|\\["\\/])*$/u.test(double) ? double.replaceAll(/\\(.)/gu, '$1') : null;
  const single = /^'((?:[^']|'')*)'$/u.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return /^[[\]{}&*!|>%@`"',]|^[-?:](?:\s|$)|:\s|:$/u.test(text) ? null : text;
}

function flowList(text: string, from: number): Property['value'] | null {
  if (!text.endsWith(']')) return null;
  const inner = text.slice(1, -1);
  const items: Value[] = [];
  const part = /[ \t]*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,[\]{}"']*?)[ \t]*(,|$)/uy;
  for (let at = 0; at < inner.length && inner.trim() !== ''; at = part.lastIndex) {
    part.lastIndex = at;
    const match = part.exec(inner);
    const scalar = match === null ? null : scalarOf(match[1]!);
    if (match === null || scalar === null || match[1] === '') return null;
    const start = from + 1 + match.index + match[0].indexOf(match[1]!);
    items.push({ from: start, to: start + match[1]!.length, text: scalar });
  }
  return { kind: 'list', style: 'flow', items, end: from + text.length - 1, indent: '' };
}

function blockList(doc: Text, first: number, lines: Range): Property['value'] | null {
  const items: Value[] = [];
  let indent: string | null = null;
  for (let number = first; number <= doc.lineAt(lines.to).number; number++) {
    const line = doc.line(number);
    const match = /^([ \t]*)-[ \t]+/u.exec(line.text);
    const plain = match === null ? '' : withoutComment(line.text.slice(match[0].length));
    const scalar = plain === '' ? null : scalarOf(plain);
    if (match === null || scalar === null || (indent !== null && indent !== match[1])) return null;
    indent = match[1]!;
    const from = line.from + match[0].length;
    items.push({ from, to: from + plain.length, text: scalar });
  }
  return { kind: 'list', style: 'block', items, end: lines.to, indent: indent ?? '  ' };
}

/** A text as YAML has it: as it is where it may stay so, else in quotes. `was` is what stands there now; its quotes are kept. */
export function written(text: string, was: string, isInList = false): string {
  if (was.startsWith("'")) return `'${text.replaceAll("'", "''")}'`;
  const special = isInList ? /[,[\]{}]/u : /^$^/u;
  const isPlain = text === text.trim() && scalarOf(text) === text && !/\s#|^#|^-{3}$/u.test(text) && !special.test(text);
  if (!was.startsWith('"') && (isPlain || (text === '' && !isInList))) return text;
  return `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
}

/** Makes a property, or an item of a list, say something else. */
export function setText(doc: Text, { from, to }: Range, text: string, isInList = false): Change {
  const insert = written(text, doc.sliceString(from, to), isInList);
  // Behind a bare colon there is no space yet.
  return { from, to, insert: from === to && insert !== '' && doc.sliceString(from - 1, from) === ':' ? ` ${insert}` : insert };
}

/** Puts an item behind the others of a list. */
export function addItem({ value }: Property, text: string): Change | null {
  if (value.kind !== 'list') return null;
  const item = written(text, '', true);
  if (value.style === 'block') return { from: value.end, insert: `\n${value.indent}- ${item}` };
  return { from: value.items.at(-1)?.to ?? value.end, insert: value.items.length === 0 ? item : `, ${item}` };
}

/** Takes an item out of a list, with its comma or its line. */
export function removeItem(doc: Text, { value }: Property, at: number): Change | null {
  const item = value.kind === 'list' ? value.items[at] : undefined;
  if (value.kind !== 'list' || item === undefined) return null;
  if (value.style === 'block') {
    const line = doc.lineAt(item.from);
    return { from: line.from - 1, to: line.to };
  }
  const [before, after] = [value.items[at - 1], value.items[at + 1]];
  if (after !== undefined) return { from: item.from, to: after.from };
  return { from: before?.to ?? item.from, to: item.to };
}

/** Puts a property without a value behind the others; null where its name cannot be one, or is taken. */
export function addProperty(doc: Text, name: string): Change | null {
  const front = frontOf(doc);
  const key = name.trim();
  if (front === null || key === 'vmark' || !/^[\p{L}\p{N}_](?:[\p{L}\p{N}_ ./-]*[\p{L}\p{N}_])?$/u.test(key)) return null;
  if (propertiesOf(doc)?.some((property) => property.key === key) === true) return null;
  return { from: doc.lineAt(front.all.to).from, insert: `${key}:\n` };
}

/** Takes a property away with its lines. */
export const removeProperty = ({ lines }: Property): Change => ({ from: lines.from, to: lines.to + 1 });
