import type { Code } from '#core/grammars/code';
import { type BoundForm, createWriter, type Writer } from '#core/grammars/normal-form';
import type { Found, Scope, ShapePart, Table, Through } from '#core/grammars/table';
import type { Declaration } from '#kernel/declaration';
import { type EncodedRange, encodedName } from '#kernel/declaration-encoding';
import { hashParts, type Sha256, trigramsOf } from '#kernel/declaration-hash';
import { hasDamage, touchesDamage } from '#kernel/declaration-tree';

/** A declaration that has its place, and not yet its hashes. */
interface Placed extends Found {
  readonly containerName: string;
  /** The container's own name. */
  readonly owner: string;
  readonly isDamaged: boolean;
}

/** What `declarationsOf` needs besides the code. */
export interface Declaring {
  readonly table: Table;
  readonly form: BoundForm;
  readonly sha256: Sha256;
  readonly trigrams: boolean;
  /** The own name of the container of what stands at the top, where the code is a piece of a file. */
  readonly owner?: string;
  /** The visibility to hash, where the code is a piece of a file and the rest of it may have made it visible. */
  readonly visibility?: string;
}

/** All that a file declares, containers before their members. */
export function declarationsOf(code: Code, { table, form, sha256, trigrams, owner = '', visibility }: Declaring): Declaration[] {
  const placed = place(code, table);
  const writer = createWriter(form, code);
  for (const found of placed) for (const node of found.body) writer.want(node);
  const labels = labelsOf(placed);
  const lines = lineStarts(code.tree.source);
  return placed.map((found, index) => {
    const body = found.body.map((node) => rangeOf(writer, node));
    const shape = found.shape.length === 0 ? [] : [writer.range(() => writeShape(writer, found.shape))];
    const names = [found.name, owner !== '' && /^_?$/u.test(found.owner) ? owner : found.owner]
      .filter((name) => name !== '')
      .map(encodedName);
    const label = labels[index] as Label;
    const start = table.isIndented
      ? indented(code.tree.source, code.tree.starts[found.from] as number)
      : (code.tree.starts[found.from] as number);
    const end = code.tree.ends[found.to] as number;
    return {
      language: table.language,
      kind: found.kind,
      qualifiedName: qualified(found.containerName, label.qualified),
      baseName: found.name,
      plainName: qualified(found.containerName, label.plain),
      container: found.containerName,
      lineStart: lineOf(lines, code.tree.starts[found.lines ?? found.from] as number),
      lineEnd: lineOf(lines, Math.max(start, (code.tree.ends[found.lines ?? found.to] as number) - 1)),
      start,
      end,
      ...hashParts({ encoding: writer.encoding, body, shape, visibility: visibility ?? found.visibility, names }, sha256),
      visibility: visibility ?? found.visibility,
      bodyTokens: found.body.reduce((sum, node) => sum + code.leaves(node), 0),
      ...(trigrams ? { trigrams: trigramsOf(writer.encoding, body, names) } : {}),
      damaged: found.isDamaged,
      besideDamage:
        found.isDamaged ||
        touchesDamage(code.tree, found.from, code.tree.next[found.to] as number, end) ||
        (code.tree.damage.length > 0 && table.mayBeCutOff?.(code, found.from) === true),
    };
  });
}

const qualified = (container: string, name: string): string => (container === '' ? name : `${container}.${name}`);

function writeShape(writer: Writer, shape: readonly ShapePart[]): void {
  for (const part of shape) {
    if (typeof part === 'number') writer.node(part);
    else part(writer);
  }
}

/** Where a body was written within the body of its container; written now if that is not so. */
function rangeOf(writer: Writer, node: number): EncodedRange {
  return writer.ranges.get(node) ?? writer.range(() => writer.node(node));
}

function place(code: Code, table: Table): Placed[] {
  const placed: Placed[] = [];
  const exports = table.exports?.(code);
  const top: Scope = { container: '', owner: '', kind: '', prefix: [], exported: (name) => exports?.get(name) ?? '' };
  const within = (container: string, owner: string, kind: string): Scope => ({ container, owner, kind, prefix: [], exported: () => '' });

  /** The signatures before an implementation are one declaration with it. */
  function joined(found: Found, containerName: string): Found {
    const before = placed.at(-1);
    const isSame = before?.kind === found.kind && before.name === found.name && before.containerName === containerName;
    if (!before?.isOverload || !isSame) return found;
    placed.pop();
    return { ...found, from: before.from, shape: [...before.shape, ...found.shape] };
  }

  function add(found: Found, scope: Scope, isDamaged: boolean): void {
    const containerName = found.container === undefined ? scope.container : qualified(scope.container, found.container);
    const whole = joined(found, containerName);
    const owner = found.container === undefined ? scope.owner : (/[^.]*$/u.exec(found.container)?.[0] ?? '');
    placed.push({
      ...whole,
      containerName,
      owner,
      isDamaged: isDamaged || hasDamage(code.tree, whole.from, code.tree.next[whole.to] as number),
    });
    for (const node of found.members ?? [])
      walk(node, within(qualified(containerName, found.label ?? found.name), found.name, found.kind), isDamaged);
  }

  function walk(parent: number, scope: Scope, isDamaged: boolean): void {
    let prefix: number[] = [];
    for (const node of code.children(parent)) {
      const kind = code.kind(node);
      if (table.prefixes.includes(kind)) {
        prefix.push(node);
        continue;
      }
      if (kind === 'ERROR') walk(node, scope, true);
      const finding = kind === 'ERROR' ? null : table.find(code, node, { ...scope, prefix });
      if (finding !== null) take(finding, { ...scope, prefix }, isDamaged);
      prefix = [];
    }
  }

  function take(finding: readonly Found[] | Through, scope: Scope, isDamaged: boolean): void {
    if (!('through' in finding)) for (const found of finding) add(found, scope, isDamaged);
    else {
      const inner =
        finding.container === undefined ? scope : within(qualified(scope.container, finding.container), finding.container, 'namespace');
      for (const node of finding.through) walk(node, inner, isDamaged);
    }
  }

  walk(0, top, false);
  return placed;
}

interface Label {
  readonly qualified: string;
  readonly plain: string;
}

/** What each is called: by its label; where labels are equal, by types; where types are equal, by the place among its equals. */
function labelsOf(placed: readonly Placed[]): Label[] {
  const counts = new Map<string, number>();
  const key = (found: Placed, label: string) => `${found.kind}\0${found.containerName}\0${label}`;
  const count = (name: string) => {
    const times = (counts.get(name) ?? 0) + 1;
    counts.set(name, times);
    return times;
  };
  const plain = placed.map((found) => found.label ?? found.name);
  placed.forEach((found, index) => void count(key(found, plain[index] as string)));
  const typed = placed.map((found, index) => {
    const label = plain[index] as string;
    return (counts.get(key(found, label)) ?? 0) > 1 ? (found.typedLabel ?? label) : label;
  });
  counts.clear();
  return placed.map((found, index) => {
    const label = typed[index] as string;
    const times = count(key(found, label));
    return { qualified: times > 1 ? `${label}#${times}` : label, plain: plain[index] as string };
  });
}

/** Where the line begins, if nothing but white space stands before `start` in it. */
function indented(source: string, start: number): number {
  const line = source.lastIndexOf('\n', start - 1) + 1;
  return source.slice(line, start).trim() === '' ? line : start;
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
