import type { Code } from '#core/grammars/code';
import { bare, everything } from '#core/grammars/literals';
import type { NormalForm, Special, Writer } from '#core/grammars/normal-form';
import { cook } from '#core/grammars/strings';

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

/** The value of a string literal. */
export const stringValue = (text: string): string => cook(text.slice(1, -1), { escapes, unknown: 'itself' });

/** A property's name as people say it: without quotes, brackets kept. */
export function keyText(code: Code, key: number): string {
  const text = code.text(key);
  if (code.kind(key) === 'string') return stringValue(text);
  if (code.kind(key) !== 'computed_property_name') return text;
  const inner = code.children(key)[1];
  if (inner !== undefined && code.kind(inner) === 'string') return stringValue(code.text(inner));
  return text.replaceAll(/\s+|,(?=\s*[\])])/gu, '').replaceAll("'", '"');
}

const isKey = (code: Code, node: number): boolean => code.field(node) === 'key' || code.field(node) === 'name';

const string: Special = (writer, node) => {
  const { code } = writer;
  const value = stringValue(code.text(node));
  if (isKey(code, node) && (identifier.test(value) || /^(0|[1-9]\d{0,14})$/u.test(value))) writer.leaf('property_identifier', value);
  else writer.leaf('string', value);
};

function numberValue(written: string): string {
  if (/^(?:0|[1-9]\d{0,14})$/u.test(written)) return written;
  const text = written.replaceAll('_', '').toLowerCase();
  return text.endsWith('n') || /^0\d/u.test(text) ? text : String(Number(text));
}

const number: Special = (writer, node) => {
  const { code } = writer;
  writer.leaf(isKey(code, node) ? 'property_identifier' : 'number', numberValue(code.text(node)));
};

/** A template: its texts as they are (a tag may read them raw), its values as code. */
const template: Special = (writer, node) => {
  const { code } = writer;
  const { starts, ends, source } = code.tree;
  writer.open('template_string');
  let at = (starts[node] as number) + 1;
  for (const child of code.children(node)) {
    if (code.kind(child) !== 'template_substitution' && code.kind(child) !== 'template_type') continue;
    writer.leaf('template_text', source.slice(at, starts[child]));
    writer.node(child);
    at = ends[child] as number;
  }
  writer.leaf('template_text', source.slice(at, Math.max(at, (ends[node] as number) - 1)));
  writer.close();
};

/** It stands behind the left side; comments may stand between. */
const operatorOf = (code: Code, node: number): number => {
  const { next } = code.tree;
  const end = next[node] as number;
  for (let child = node + 1; child < end; child = next[child] as number) if (code.kind(child).charCodeAt(0) === 0x27) return child;
  return -1;
};

/** `a && (b && c)` is `a && b && c`. */
const binary: Special = (writer, node) => {
  const { code } = writer;
  const operator = operatorOf(code, node);
  if (operator < 0 || !/^'(&&|\|\||\?\?)$/u.test(code.kind(operator))) return false;
  const kind = code.kind(operator);
  const write = (side: number): void => {
    let inner = side;
    while (code.kind(inner) === 'parenthesized_expression' && code.children(inner).length === 3) inner = code.children(inner)[1] as number;
    if (code.kind(inner) === 'binary_expression' && code.kind(operatorOf(code, inner)) === kind) operands(inner);
    else writer.node(side);
  };
  const operands = (chain: number): void => {
    write(code.at(chain, 'left'));
    write(code.at(chain, 'right'));
  };
  writer.open('binary_expression');
  writer.word(kind);
  operands(node);
  writer.close();
  return true;
};

/** A parenthesis that ends an optional chain says something: `(a?.b).c` fails where `a?.b.c` does not. */
const parentheses: Special = (writer, node) => {
  const { code } = writer;
  const isObject = code.field(node) === 'object' || code.field(node) === 'function';
  if (!isObject || !code.text(node).includes('?.')) return bare(writer, node);
  let inner = node;
  while (code.kind(inner) === 'parenthesized_expression') inner = code.children(inner)[1] ?? -1;
  const isChain = isOptionalChain(code, inner);
  if (isChain) writer.open('chain');
  writer.within(node, "'(", "')");
  if (isChain) writer.close();
  return true;
};

function isOptionalChain(code: Code, node: number): boolean {
  for (let at = node; at >= 0; at = Math.max(code.at(at, 'object'), code.at(at, 'function'))) {
    if (!/^(member_expression|subscript_expression|call_expression|non_null_expression)$/u.test(code.kind(at))) return false;
    if (code.child(at, 'optional_chain', "'?.") >= 0) return true;
  }
  return false;
}

/** `new Thing` is `new Thing()`. */
const newExpression: Special = (writer, node) => {
  if (writer.code.at(node, 'arguments') >= 0) return false;
  writer.open('new_expression');
  writer.within(node);
  writer.open('arguments');
  writer.word("'(");
  writer.word("')");
  writer.close();
  writer.close();
  return true;
};

/** `x => x` is `(x) => x`. */
const arrow: Special = (writer, node) => {
  const { code } = writer;
  if (code.at(node, 'parameter') < 0) return false;
  writer.open('arrow_function');
  for (const child of code.children(node)) {
    if (code.field(child) === 'parameter') arrowParameter(writer, child);
    else writer.node(child);
  }
  writer.close();
  return true;
};

/** The only parameter of an arrow function, in parentheses. */
export function arrowParameter(writer: Writer, node: number): void {
  writer.open('formal_parameters');
  writer.word("'(");
  writer.node(node);
  writer.word("')");
  writer.close();
}

/** A parameter that is nothing but a name or pattern. */
const parameter: Special = (writer, node) => {
  const [pattern, ...others] = writer.code.children(node);
  if (pattern === undefined || others.length > 0) return false;
  writer.node(pattern);
  return true;
};

/** Holes of an array count, a comma at its end does not. */
const array: Special = (writer, node) => {
  const { code } = writer;
  writer.open(code.kind(node));
  let isEmpty = true;
  for (const child of code.children(node)) {
    const isComma = code.kind(child) === "',";
    if (!isComma) writer.node(child);
    else if (isEmpty) writer.word('hole');
    isEmpty = isComma || code.kind(child) === "'[";
  }
  writer.close();
};

/** A union or intersection without its nesting and its leading sign. */
const union: Special = (writer, node) => {
  const { code } = writer;
  const kind = code.kind(node);
  const members: number[] = [];
  const gather = (type: number): void => {
    for (const child of code.children(type)) {
      if (code.kind(child) === "'|" || code.kind(child) === "'&") continue;
      let inner = child;
      while (code.kind(inner) === 'parenthesized_type') inner = code.children(inner)[1] ?? -1;
      if (inner >= 0 && code.kind(inner) === kind) gather(inner);
      else members.push(child);
    }
  };
  gather(node);
  if (members.length !== 1) writer.open(kind);
  for (const member of members) writer.node(member);
  if (members.length !== 1) writer.close();
};

/** An empty statement counts where a statement is missing without it, as in `while (next());`. */
const emptyStatement: Special = (writer, node) => {
  if (writer.code.field(node) !== '') writer.word("';");
};

const flags: Special = (writer, node) => writer.leaf('regex_flags', [...writer.code.text(node)].sort().join('')) ?? true;

/** What JavaScript and TypeScript have in common. */
export const ecmascriptForm: NormalForm = {
  dropped: ['comment', "',", "';"],
  inlined: [],
  same: {},
  references: ['identifier'],
  members: ['property_identifier', 'private_property_identifier'],
  dots: ["'.", "'?.", 'optional_chain'],
  self: ['this'],
  special: {
    string,
    number,
    template_string: template,
    binary_expression: binary,
    parenthesized_expression: parentheses,
    new_expression: newExpression,
    arrow_function: arrow,
    array,
    array_pattern: array,
    empty_statement: emptyStatement,
    for_statement: everything,
    regex_flags: flags,
  },
};

/** What TypeScript has besides. */
export const typescriptForm: NormalForm = {
  ...ecmascriptForm,
  same: { type_identifier: 'identifier' },
  references: ['identifier', 'type_identifier'],
  special: {
    ...ecmascriptForm.special,
    required_parameter: parameter,
    union_type: union,
    intersection_type: union,
    parenthesized_type: bare,
    template_literal_type: template,
  },
};
