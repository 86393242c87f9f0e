import type { Code } from '#core/grammars/code';
import { bare, commonEscapes, numberSpecial, stringSpecial } from '#core/grammars/literals';
import type { NormalForm, Special } from '#core/grammars/normal-form';
import { type Finding, makerWith, type Scope, type Table, withoutWords } from '#core/grammars/table';

const string = stringSpecial({
  quotes: /^(#*(?:"""|"))[\s\S]*?((?:"""|")#*)$/u,
  kind: () => 'string',
  values: ["'\\(", 'interpolated_expression', 'raw_str_interpolation'],
  escapes: (opening) => (opening.startsWith('#') ? null : { escapes: commonEscapes, unknown: 'both' }),
  lines: (_writer, _node, opening, whole) => (opening.endsWith('"""') ? block(whole) : (piece) => piece),
});

/** A string of several lines without the indentation that its last line has. */
function block(whole: string): (piece: string, isFirst: boolean, isLast: boolean) => string {
  const depth = /\n([ \t]*)$/u.exec(whole)?.[1]?.length ?? 0;
  const indentation = new RegExp(`\\n[ \\t]{0,${depth}}`, 'gu');
  return (piece, isFirst, isLast) => {
    const even = piece.replaceAll(indentation, '\n');
    const begun = isFirst ? even.replace(/^\n/u, '') : even;
    return isLast ? begun.replace(/\n[ \t]*$/u, '') : begun;
  };
}

/** `(x)` is `x`; with a label or a second value it is a tuple. */
const tuple: Special = (writer, node) => {
  const inner = writer.code.children(node).filter((child) => !/^'[(),]$/u.test(writer.code.kind(child)));
  return inner.length === 1 ? bare(writer, node) : false;
};

/** `f() { … }` is `f { … }`. */
const callSuffix: Special = (writer, node) => {
  const { code } = writer;
  const given = code.child(node, 'value_arguments');
  if (given < 0 || code.child(node, 'lambda_literal') < 0 || code.children(given).length !== 2) return false;
  writer.open('call_suffix');
  for (const child of code.rest(node, given)) writer.node(child);
  writer.close();
  return true;
};

const form: NormalForm = {
  dropped: ['comment', 'multiline_comment', "',", "';"],
  inlined: ['statements'],
  same: {},
  references: ['simple_identifier', 'type_identifier'],
  members: [],
  dots: ["'."],
  self: ["'self"],
  special: {
    line_string_literal: string,
    multi_line_string_literal: string,
    raw_string_literal: string,
    tuple_expression: tuple,
    call_suffix: callSuffix,
    integer_literal: numberSpecial,
    real_literal: numberSpecial,
    hex_literal: numberSpecial,
    oct_literal: numberSpecial,
    bin_literal: numberSpecial,
  },
};

const visible = (word: string): boolean => /^(open|public|package|internal|fileprivate|private)\b/u.test(word);

function visibilityIn(code: Code, node: number): string {
  const at = code.child(node, 'modifiers');
  const words = at < 0 ? [] : code.children(at).map((child) => code.text(child).replaceAll(/\s/gu, ''));
  return words
    .filter((word) => visible(word) && word !== 'internal')
    .sort()
    .join(' ');
}

const make = makerWith(visible, visibilityIn);

function find(code: Code, node: number, scope: Scope): Finding {
  switch (code.kind(node)) {
    case 'class_declaration':
    case 'protocol_declaration':
      return container(code, node);
    case 'function_declaration':
    case 'protocol_function_declaration':
      return callable(code, node, 'func', code.at(node, 'name'));
    case 'init_declaration':
      return callable(code, node, 'init', code.at(node, 'name'));
    case 'deinit_declaration':
      return [make(code, node, 'deinit', 'deinit', [], bodyOf(code, node))];
    case 'subscript_declaration':
      return callable(code, node, 'subscript', -1);
    case 'property_declaration':
    case 'protocol_property_declaration':
      return properties(code, node);
    case 'typealias_declaration':
    case 'associatedtype_declaration':
      return alias(code, node);
    case 'enum_entry':
      return scope.kind === 'enum' ? entries(code, node) : null;
    default:
      return null;
  }
}

function container(code: Code, node: number): Finding {
  const word = code.child(node, "'class", "'struct", "'enum", "'actor", "'extension", "'protocol");
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  if (word < 0 || name < 0) return null;
  const kind = code.text(word);
  const own = withoutWords(code, code.rest(node, word, name, body), /^'[:,]$/u);
  const inside = body < 0 ? [] : [body];
  return [make(code, node, kind, code.words(name).replace(/<.*$/u, ''), own, inside, { members: inside })];
}

function bodyOf(code: Code, node: number): number[] {
  const body = code.at(node, 'body');
  return body < 0 ? code.children(node).filter((child) => /^computed_property$/u.test(code.kind(child))) : [body];
}

function callable(code: Code, node: number, kind: string, name: number): Finding {
  const body = bodyOf(code, node);
  const own = withoutWords(code, code.rest(node, name, ...body), /^'(func|init|subscript)$/u);
  const given = name < 0 ? kind : code.text(name);
  const parameters = code.children(node).filter((child) => code.kind(child) === 'parameter');
  const labels = parameters.map((parameter) => code.text(labelOf(code, parameter)));
  const typed = parameters.map((parameter, index) => `${labels[index]}: ${typeText(code, parameter)}`);
  const label = `${given}(${labels.map((word) => `${word}:`).join('')})`;
  return [make(code, node, kind, given, own, body, { label, typedLabel: `${given}(${typed.join(', ')})` })];
}

const labelOf = (code: Code, parameter: number): number => {
  const outer = code.at(parameter, 'external_name');
  return outer < 0 ? code.at(parameter, 'name') : outer;
};

function typeText(code: Code, parameter: number): string {
  const children = code.children(parameter);
  const colon = children.findIndex((child) => code.kind(child) === "':");
  return children
    .slice(colon + 1)
    .map((child) => code.words(child))
    .join(' ');
}

/** Each name of `let a = 1, b = 2` with what follows it. */
function properties(code: Code, node: number): Finding {
  const groups = grouped(code.children(node), (child) => code.field(child) === 'name' && code.kind(child) === 'pattern');
  const kind = /\b(let|var)\b/u.exec(code.text(code.child(node, 'value_binding_pattern', 'pattern')))?.[0] ?? 'var';
  const before = withoutWords(code, groups.before, /^value_binding_pattern$/u);
  return groups.groups.flatMap(([pattern, ...parts]) => {
    const name = code.at(pattern as number, 'bound_identifier');
    if (name < 0) return [];
    const body = parts.filter((part) => /^(value|computed_value)$/u.test(code.field(part)) || /block$/u.test(code.kind(part)));
    const own = withoutWords(
      code,
      parts.filter((part) => !body.includes(part)),
      /^'[=,]$/u,
    );
    return [make(code, node, kind, code.text(name), [...before, ...own], body)];
  });
}

function entries(code: Code, node: number): Finding {
  const { before, groups } = grouped(
    code.children(node),
    (child) => code.field(child) === 'name' && code.kind(child) === 'simple_identifier',
  );
  const own = withoutWords(code, before, /^'case$/u);
  return groups.map(([name, ...parts]) => {
    const value = parts.filter((part) => code.field(part) === 'raw_value');
    const rest = withoutWords(
      code,
      parts.filter((part) => !value.includes(part)),
      /^'[=,;]$/u,
    );
    return make(code, node, 'case', code.text(name as number), [...own, ...rest], value);
  });
}

interface Groups {
  readonly before: number[];
  readonly groups: number[][];
}

/** Children in groups, each of which begins where `starts` says so. */
function grouped(children: readonly number[], starts: (child: number) => boolean): Groups {
  const groups: number[][] = [];
  const before: number[] = [];
  for (const child of children) {
    if (starts(child)) groups.push([child]);
    else (groups.at(-1) ?? before).push(child);
  }
  return { before, groups };
}

function alias(code: Code, node: number): Finding {
  const name = code.at(node, 'name');
  const children = code.rest(node, name);
  const sign = children.findIndex((child) => code.kind(child) === "'=");
  const own = withoutWords(code, sign < 0 ? children : children.slice(0, sign), /^'(typealias|associatedtype)$/u);
  const kind = code.kind(node) === 'typealias_declaration' ? 'typealias' : 'associatedtype';
  return name < 0 ? null : [make(code, node, kind, code.text(name), own, sign < 0 ? [] : children.slice(sign + 1))];
}

/** Swift. Members of an extension belong to the type that it extends. */
export const swift: Table = {
  language: 'swift',
  grammar: 'tree-sitter-swift@0.7.1',
  comments: ['comment', 'multiline_comment'],
  form,
  prefixes: [],
  find,
  // `@Option()`: the grammar misses a `!` between parentheses that hold nothing.
  isHarmless: (code, node) => code.kind(node) === "'!" && code.tree.source[(code.tree.starts[node] as number) - 1] === '(',
  frames: [
    ['', ''],
    ['class _ {\n', '\n}'],
    ['protocol _ {\n', '\n}'],
    ['enum _ {\n', '\n}'],
  ],
};
