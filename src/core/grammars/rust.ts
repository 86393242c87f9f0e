import type { Code } from '#core/grammars/code';
import { bare, commonEscapes, everything, numberSpecial, stringSpecial } from '#core/grammars/literals';
import type { NormalForm, Special } from '#core/grammars/normal-form';
import type { Finding, Found, Scope, Table } from '#core/grammars/table';

const string = stringSpecial({
  quotes: /^([a-z]*#*")[\s\S]*("#*)$/u,
  kind: (opening) => (opening.startsWith('b') ? 'bytes' : opening.startsWith('c') ? 'cstring' : 'string'),
  values: [],
  escapes: (opening) => (opening.includes('r') ? null : { escapes: commonEscapes, unknown: 'both' }),
});

/** A block that is nothing but one expression, where formatters put one around it or take it away. */
function onlyExpression(code: Code, node: number): number {
  let at = node;
  while (code.kind(at) === 'block') {
    const [opening, only, closing, ...others] = code.children(at);
    const isSingle = opening !== undefined && only !== undefined && closing !== undefined && others.length === 0;
    if (!isSingle || code.kind(opening) !== "'{" || !isExpression(code, only)) break;
    at = only;
  }
  return at;
}

const isExpression = (code: Code, node: number): boolean =>
  code.kind(node) === 'expression_statement'
    ? code.child(node, "';") < 0
    : !/(_item|_declaration|_definition|_statement)$/u.test(code.kind(node));

const unwrapped = (field: string): Special => {
  return (writer, node) => {
    const { code } = writer;
    const value = code.at(node, field);
    if (value < 0 || onlyExpression(code, value) === value) return false;
    writer.open(code.kind(node));
    for (const child of code.children(node)) writer.node(child === value ? onlyExpression(code, value) : child);
    writer.close();
    return true;
  };
};

/** `return x` at the end of a block is `return x;`, and a block-like expression is itself. */
const expressionStatement: Special = (writer, node) => {
  const { code } = writer;
  const [only] = code.children(node);
  const isLeaving = only !== undefined && /^(return|break|continue)_expression$/u.test(code.kind(only));
  if (only === undefined || (!isLeaving && code.child(node, "';") >= 0)) return false;
  writer.node(only);
  return true;
};

/** Alternatives without nesting and without the sign before the first. */
const orPattern: Special = (writer, node) => {
  const { code } = writer;
  const gather = (pattern: number): number[] =>
    code
      .children(pattern)
      .flatMap((child) => (code.kind(child) === "'|" ? [] : code.kind(child) === 'or_pattern' ? gather(child) : [child]));
  const patterns = gather(node);
  if (patterns.length !== 1) writer.open('or_pattern');
  for (const pattern of patterns) writer.node(pattern);
  if (patterns.length !== 1) writer.close();
};

/** `#[derive(A)] #[derive(B)]` is `#[derive(A, B)]`. */
const attribute: Special = (writer, node) => {
  const inner = /^#\[derive\((.*)\)\]$/u.exec(writer.code.words(node))?.[1];
  if (inner === undefined) return false;
  for (const name of inner.split(',')) if (name.trim() !== '') writer.leaf('derive', name.trim());
  return true;
};

/** `[x; 3]` is not `[x, 3]`. */
const array: Special = (writer, node) => {
  writer.open(writer.code.kind(node));
  for (const child of writer.code.children(node)) {
    if (writer.code.kind(child) === "';") writer.word("';");
    else writer.node(child);
  }
  writer.close();
};

const byText = (code: Code, nodes: readonly number[]): number[] => [...nodes].sort((a, b) => (code.words(a) < code.words(b) ? -1 : 1));

/** The order in which names are brought in says nothing, and formatters sort them. */
const useList: Special = (writer, node) => {
  writer.open('use_list');
  for (const child of byText(writer.code, writer.code.children(node))) writer.node(child);
  writer.close();
};

/** Imports that follow each other, in one order. */
const statements: Special = (writer, node) => {
  const { code } = writer;
  const children = code.children(node);
  if (!children.some((child) => code.kind(child) === 'use_declaration')) return false;
  writer.open(code.kind(node));
  for (let i = 0; i < children.length; i++) {
    const from = i;
    while (code.kind(children[i] ?? node) === 'use_declaration' && i < children.length) i++;
    for (const child of byText(code, children.slice(from, i))) writer.node(child);
    if (i < children.length) writer.node(children[i] as number);
  }
  writer.close();
  return true;
};

/** What is handed to a macro: every token, but for a comma before the end. */
const tokenTree: Special = (writer, node) => {
  const { code } = writer;
  const children = code.children(node);
  writer.open('token_tree');
  children.forEach((child, index) => {
    const isLast = index === children.length - 2;
    if (isLast && code.kind(child) === "',") return;
    if (code.kind(child).startsWith("'")) writer.word(code.kind(child));
    else writer.node(child);
  });
  writer.close();
};

const form: NormalForm = {
  dropped: ['line_comment', 'block_comment', "',", "';", 'empty_statement'],
  inlined: [],
  same: {},
  references: ['identifier', 'type_identifier'],
  members: ['field_identifier'],
  dots: ["'.", "'::"],
  self: ['self', 'Self'],
  special: {
    string_literal: string,
    raw_string_literal: string,
    match_arm: unwrapped('value'),
    closure_expression: unwrapped('body'),
    expression_statement: expressionStatement,
    or_pattern: orPattern,
    attribute_item: attribute,
    array_expression: array,
    array_type: array,
    use_list: useList,
    block: statements,
    declaration_list: statements,
    token_tree: tokenTree,
    token_tree_pattern: everything,
    parenthesized_expression: bare,
    integer_literal: numberSpecial,
    float_literal: numberSpecial,
  },
};

const kinds: Readonly<Record<string, string>> = {
  struct_item: 'struct',
  enum_item: 'enum',
  union_item: 'union',
  trait_item: 'trait',
  impl_item: 'impl',
  function_item: 'fn',
  function_signature_item: 'fn',
  const_item: 'const',
  static_item: 'static',
  type_item: 'type',
  associated_type: 'type',
  mod_item: 'mod',
  macro_definition: 'macro_rules!',
  enum_variant: 'variant',
  field_declaration: 'field',
};

function find(code: Code, node: number, scope: Scope): Finding {
  const kind = kinds[code.kind(node)];
  if (code.kind(node) === 'foreign_mod_item') return { through: [code.at(node, 'body')].filter((at) => at >= 0) };
  if (kind === undefined) return null;
  const name = code.at(node, 'name');
  const given = kind === 'impl' ? implName(code, node) : name < 0 ? '' : code.text(name);
  if (given === '') return null;
  const body = bodyOf(code, node, kind);
  const visibility = code.child(node, 'visibility_modifier');
  const rest = kind === 'macro_rules!' ? [] : code.rest(node, name, visibility, ...body);
  const keyword = new RegExp(`^'(${kind}|;|=|:)$`, 'u');
  const found: Found = {
    kind,
    name: kind === 'impl' ? implOwner(code, node) : given,
    from: scope.prefix[0] ?? node,
    to: node,
    shape: [...scope.prefix, ...rest.filter((child) => !keyword.test(code.kind(child)))],
    body,
    visibility: visibility < 0 ? '' : code.words(visibility),
    members: /^(struct|enum|union|trait|impl|mod|variant)$/u.test(kind) ? body : [],
  };
  return [kind === 'impl' ? { ...found, label: given } : found];
}

/** What a declaration says after its signature. */
function bodyOf(code: Code, node: number, kind: string): number[] {
  if (kind === 'macro_rules!') return code.children(node).filter((child) => code.kind(child) === 'macro_rule');
  const field = kind === 'const' || kind === 'static' ? 'value' : kind === 'type' ? 'type' : kind === 'field' ? '' : 'body';
  const at = field === '' ? -1 : Math.max(code.at(node, field), kind === 'variant' ? code.at(node, 'value') : -1);
  return at < 0 ? [] : [at];
}

const implOwner = (code: Code, node: number): string => code.words(code.at(node, 'type')).replace(/<.*$/u, '');

/** `Type`, or `Trait for Type`. */
function implName(code: Code, node: number): string {
  const trait = code.at(node, 'trait');
  if (trait < 0) return implOwner(code, node);
  return `${code.words(trait)} for ${code.words(code.at(node, 'type'))}`;
}

/** Rust. */
export const rust: Table = {
  language: 'rust',
  grammar: 'tree-sitter-rust@0.24.0',
  comments: ['line_comment', 'block_comment'],
  form,
  prefixes: ['attribute_item'],
  find,
  frames: [
    ['', ''],
    ['impl _ {\n', '\n}'],
    ['trait _ {\n', '\n}'],
    ['struct _ {\n', '\n}'],
    ['enum _ {\n', '\n}'],
    ['extern "C" {\n', '\n}'],
  ],
};
