import type { Code } from '#core/grammars/code';
import { bare, commonEscapes, everything, numberSpecial, stringSpecial } from '#core/grammars/literals';
import type { NormalForm, Special, Writer } from '#core/grammars/normal-form';
import type { Finding, Found, Scope, ShapePart, Table } from '#core/grammars/table';

const string = stringSpecial({
  quotes: /^(["`])[\s\S]*(["`])$/u,
  kind: () => 'string',
  values: [],
  escapes: (opening) => (opening === '`' ? null : { escapes: { ...commonEscapes, a: '\x07', v: '\v' }, unknown: 'both' }),
});

/** `func f() (int)` is `func f() int`. */
const parameters: Special = (writer, node) => {
  const { code } = writer;
  const inner = code.children(node).filter((child) => !/^'[(),]$/u.test(code.kind(child)));
  const [only] = inner;
  if (code.field(node) !== 'result' || inner.length !== 1 || only === undefined || code.kind(only) !== 'parameter_declaration')
    return false;
  if (code.at(only, 'name') >= 0) return false;
  writer.node(code.at(only, 'type'));
  return true;
};

/** `[]T{T{1}}` is `[]T{{1}}`: a type that the outer one says may be left out. */
const compositeLiteral: Special = (writer, node) => {
  const { code } = writer;
  const type = code.at(node, 'type');
  writer.open('composite_literal');
  writer.node(type);
  literalValue(writer, code.at(node, 'body'), type);
  writer.close();
};

function literalValue(writer: Writer, value: number, type: number): void {
  const { code } = writer;
  const inner = /^(slice_type|array_type|implicit_length_array_type)$/u.test(type < 0 ? '' : code.kind(type)) ? 'element' : 'value';
  const expected = type < 0 ? -1 : code.at(type, inner);
  const key = type < 0 || inner === 'element' ? -1 : code.at(type, 'key');
  writer.open('literal_value');
  for (const child of code.children(value)) {
    if (code.kind(child) === 'literal_element') literalElement(writer, child, expected);
    else if (code.kind(child) !== 'keyed_element') writer.node(child);
    else {
      const [first, ...others] = code.children(child);
      writer.open('keyed_element');
      literalElement(writer, first as number, key);
      for (const other of others) literalElement(writer, other, expected);
      writer.close();
    }
  }
  writer.close();
}

function literalElement(writer: Writer, element: number, expected: number): void {
  const { code } = writer;
  const [content] = code.children(element);
  if (content === undefined || code.kind(element) !== 'literal_element') {
    writer.node(element);
    return;
  }
  const isPointer = expected >= 0 && code.kind(expected) === 'pointer_type';
  const type = isPointer ? (code.children(expected)[1] as number) : expected;
  const isAddress = code.kind(content) === 'unary_expression' && code.children(content).length === 2 && code.text(content).startsWith('&');
  const literal = isAddress && isPointer ? (code.children(content)[1] as number) : content;
  const hasType = code.kind(literal) === 'composite_literal' && (isPointer ? isAddress : true);
  const isSame = hasType && type >= 0 && code.words(code.at(literal, 'type')) === code.words(type);
  writer.open('literal_element');
  if (isSame) literalValue(writer, code.at(literal, 'body'), type);
  else if (code.kind(content) === 'literal_value') literalValue(writer, content, type);
  else writer.node(content);
  writer.close();
}

/** `for i, _ := range x` is `for i := range x`, and `for _ = range x` is `for range x`. */
const rangeClause: Special = (writer, node) => {
  const { code } = writer;
  const left = code.at(node, 'left');
  const names = left < 0 ? [] : code.children(left).filter((child) => code.kind(child) !== "',");
  if (names.length === 0 || code.text(names.at(-1) as number) !== '_') return false;
  while (names.length > 0 && code.text(names.at(-1) as number) === '_') names.pop();
  writer.open('range_clause');
  if (names.length > 0) {
    writer.open('expression_list');
    for (const name of names) writer.node(name);
    writer.close();
  }
  for (const child of code.rest(node, left)) if (names.length > 0 || !/^':?=$/u.test(code.kind(child))) writer.node(child);
  writer.close();
  return true;
};

const form: NormalForm = {
  dropped: ['comment', "',", "';"],
  inlined: [],
  same: {},
  references: ['identifier', 'type_identifier'],
  members: [],
  dots: ["'."],
  self: [],
  special: {
    interpreted_string_literal: string,
    raw_string_literal: string,
    composite_literal: compositeLiteral,
    parameter_list: parameters,
    for_clause: everything,
    range_clause: rangeClause,
    parenthesized_expression: bare,
    parenthesized_type: bare,
    int_literal: numberSpecial,
    float_literal: numberSpecial,
    imaginary_literal: numberSpecial,
  },
};

function find(code: Code, node: number, scope: Scope): Finding {
  switch (code.kind(node)) {
    case 'function_declaration':
      return func(code, node, 'func');
    case 'method_declaration':
      return func(code, node, 'method');
    case 'method_elem':
      return func(code, node, 'method');
    case 'type_declaration':
      return specs(code, node, (spec, whole) => type(code, spec, whole));
    case 'const_declaration':
      return constants(code, node);
    case 'var_declaration':
      return specs(code, node, (spec, whole) => values(code, spec, whole, 'var', []));
    case 'field_declaration':
      return scope.kind === 'struct' ? fields(code, node) : null;
    default:
      return null;
  }
}

function func(code: Code, node: number, kind: string): Finding {
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  const receiver = code.at(node, 'receiver');
  const declared = receiver < 0 ? -1 : code.child(receiver, 'parameter_declaration');
  const type = declared < 0 ? -1 : code.at(declared, 'type');
  const container = type < 0 ? undefined : code.text(type).replaceAll(/[\s*()]|\[[\s\S]*$/gu, '');
  const shape = [...(type < 0 ? [] : [type]), ...code.rest(node, name, body, receiver).filter((child) => code.kind(child) !== "'func")];
  const found: Found = { kind, name: code.text(name), from: node, to: node, shape, body: body < 0 ? [] : [body], visibility: '' };
  return [container === undefined ? found : { ...found, container }];
}

/** The specs of a declaration, one by one or in a group; the whole statement is the text of one that stands alone. */
function specs(code: Code, node: number, read: (spec: number, whole: number) => Found[]): Found[] {
  const isGroup = code.child(node, "'(", 'var_spec_list') >= 0;
  const list = code.child(node, 'var_spec_list');
  return code
    .children(list < 0 ? node : list)
    .flatMap((spec) => (/_spec$|^type_alias$/u.test(code.kind(spec)) ? read(spec, isGroup ? spec : node) : []));
}

function type(code: Code, spec: number, whole: number): Found[] {
  const name = code.at(spec, 'name');
  const given = code.at(spec, 'type');
  const kind = code.kind(given) === 'struct_type' ? 'struct' : code.kind(given) === 'interface_type' ? 'interface' : 'type';
  const members = kind === 'struct' ? [code.child(given, 'field_declaration_list')] : kind === 'interface' ? [given] : [];
  const shape = code.rest(spec, name, given);
  return [
    { kind, name: code.text(name), from: whole, to: whole, shape, body: [given], visibility: '', members: members.filter((at) => at >= 0) },
  ];
}

/** The names of a spec, each with its own value where there is one for each. */
function values(code: Code, spec: number, whole: number, kind: string, extra: readonly ShapePart[], inherited = -1): Found[] {
  const names = code.children(spec).filter((child) => code.field(child) === 'name' && code.kind(child) === 'identifier');
  const own = code.at(spec, 'value');
  const list = own < 0 ? inherited : own;
  const given = list < 0 ? [] : code.children(list).filter((child) => code.kind(child) !== "',");
  const shape = [...code.rest(spec, ...names, own).filter((child) => !/^'[,=]$/u.test(code.kind(child))), ...extra];
  return names.map((name, index) => {
    const value = given.length === names.length ? given[index] : list;
    const body = value === undefined || value < 0 ? [] : [value];
    return { kind, name: code.text(name), from: whole, to: whole, lines: spec, shape, body, visibility: '' };
  });
}

/** Constants: one without a value repeats the one before, and where `iota` is in it its place counts. */
function constants(code: Code, node: number): Found[] {
  let inherited = -1;
  let place = -1;
  return specs(code, node, (spec, whole) => {
    const own = code.at(spec, 'value');
    if (own >= 0) inherited = own;
    const at = String(++place);
    const isCounted = inherited >= 0 && /\biota\b/u.test(code.text(inherited));
    if (!isCounted) return values(code, spec, whole, 'const', [], inherited);
    // Alone it would be counted anew: its text is the whole group.
    return values(code, spec, node, 'const', [(writer) => writer.leaf('iota', at)], inherited);
  });
}

function fields(code: Code, node: number): Found[] {
  const names = code.children(node).filter((child) => code.field(child) === 'name');
  const shape = code.rest(node, ...names).filter((child) => code.kind(child) !== "',");
  return names.map((name) => ({ kind: 'field', name: code.text(name), from: node, to: node, shape, body: [], visibility: '' }));
}

/** Go. Visibility is in the names. */
export const go: Table = {
  language: 'go',
  grammar: 'tree-sitter-go@0.25.0',
  comments: ['comment'],
  form,
  prefixes: [],
  find,
  frames: [
    ['', ''],
    ['type _ struct {\n', '\n}'],
    ['type _ interface {\n', '\n}'],
    ['type (\n', '\n)'],
    ['const (\n', '\n)'],
    ['var (\n', '\n)'],
  ],
};
