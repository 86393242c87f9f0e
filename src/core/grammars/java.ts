import type { Code } from '#core/grammars/code';
import { bare, commonEscapes, everything, numberSpecial, stringSpecial } from '#core/grammars/literals';
import type { NormalForm, Special } from '#core/grammars/normal-form';
import { withoutIndentation } from '#core/grammars/strings';
import type { Finding, Found, ShapePart, Table } from '#core/grammars/table';

const string = stringSpecial({
  quotes: /^("""|")[\s\S]*("""|")$/u,
  kind: () => 'string',
  values: ['string_interpolation'],
  escapes: () => ({ escapes: { ...commonEscapes, s: ' ' }, unknown: 'both' }),
  lines: (_writer, _node, opening) => (piece) => (opening === '"""' ? textBlock(piece) : piece),
});

/** A text block without the indentation that it has in the code; where its end stands says how deep that is. */
function textBlock(text: string): string {
  const lines = text.replace(/^[ \t]*\n/u, '').split('\n');
  const last = lines.at(-1) ?? '';
  const marked = last.trim() === '' ? [...lines.slice(0, -1), `${last}|`] : lines;
  const even = withoutIndentation(marked.join('\n'));
  return (last.trim() === '' ? even.slice(0, -1) : even).replaceAll(/[ \t]+$/gmu, '');
}

const visible = (word: string): boolean => /^(public|protected|private)$/u.test(word);

/** Modifiers in one order, annotations before them. */
function sortedModifiers(code: Code, node: number, isSilent: (word: string) => boolean): ShapePart[] {
  const children = code.children(node);
  const annotations = children.filter((child) => /annotation$/u.test(code.kind(child)));
  const words = children.filter((child) => !annotations.includes(child) && !isSilent(code.text(child))).map((child) => code.kind(child));
  return [
    ...annotations,
    ...words.sort().map(
      (word): ShapePart =>
        (writer) =>
          writer.word(word),
    ),
  ];
}

const modifiers: Special = (writer, node) => {
  writer.open('modifiers');
  for (const part of sortedModifiers(writer.code, node, () => false)) {
    if (typeof part === 'number') writer.node(part);
    else part(writer);
  }
  writer.close();
};

/** `(x) -> x` is `x -> x`. */
const inferred: Special = (writer, node) => {
  const names = writer.code.children(node).filter((child) => writer.code.kind(child) === 'identifier');
  if (names.length !== 1) return false;
  writer.node(names[0] as number);
  return true;
};

const form: NormalForm = {
  dropped: ['line_comment', 'block_comment', "',", "';"],
  inlined: ['enum_body_declarations'],
  same: {},
  references: ['identifier', 'type_identifier'],
  members: [],
  dots: ["'."],
  self: ['this'],
  special: {
    string_literal: string,
    modifiers,
    inferred_parameters: inferred,
    for_statement: everything,
    parenthesized_expression: bare,
    decimal_integer_literal: numberSpecial,
    hex_integer_literal: numberSpecial,
    octal_integer_literal: numberSpecial,
    binary_integer_literal: numberSpecial,
    decimal_floating_point_literal: numberSpecial,
    hex_floating_point_literal: numberSpecial,
  },
};

const kinds: Readonly<Record<string, string>> = {
  class_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
  record_declaration: 'record',
  annotation_type_declaration: '@interface',
  method_declaration: 'method',
  annotation_type_element_declaration: 'method',
  constructor_declaration: 'constructor',
  compact_constructor_declaration: 'constructor',
  enum_constant: 'constant',
};

function find(code: Code, node: number): Finding {
  const kind = code.kind(node);
  if (kind === 'enum_body_declarations') return { through: [node] };
  if (kind === 'field_declaration' || kind === 'constant_declaration') return fields(code, node);
  const word = kinds[kind];
  if (word === undefined) return null;
  const name = code.at(node, 'name');
  if (name < 0) return null;
  const body = Math.max(code.at(node, 'body'), code.at(node, 'value'));
  const isContainer = /^(class|interface|enum|record|@interface|constant)$/u.test(word);
  const rest = code.rest(node, name, body, code.child(node, 'modifiers'));
  const keyword = new RegExp(`^'(${word}|;)$`, 'u');
  const found: Found = {
    kind: word,
    name: code.text(name),
    from: node,
    to: node,
    shape: [...modifiersIn(code, node), ...rest.filter((child) => !keyword.test(code.kind(child)))],
    body: body < 0 ? [] : [body],
    visibility: visibilityIn(code, node),
    members: isContainer && body >= 0 && kind !== 'annotation_type_element_declaration' ? [body] : [],
  };
  const isCallable = word === 'method' || kind === 'constructor_declaration';
  return [isCallable ? { ...found, label: `${found.name}(${types(code, node)})` } : found];
}

function modifiersIn(code: Code, node: number): ShapePart[] {
  const at = code.child(node, 'modifiers');
  return at < 0 ? [] : sortedModifiers(code, at, visible);
}

function visibilityIn(code: Code, node: number): string {
  const at = code.child(node, 'modifiers');
  const word = at < 0 ? undefined : code.children(at).find((child) => visible(code.text(child)));
  return word === undefined ? '' : code.text(word);
}

/** The types of the parameters as they are written. */
function types(code: Code, node: number): string {
  const list = code.at(node, 'parameters');
  const parameters = list < 0 ? [] : code.children(list).filter((child) => /^(formal|spread)_parameter$/u.test(code.kind(child)));
  return parameters.map((parameter) => typeText(code, parameter)).join(', ');
}

function typeText(code: Code, parameter: number): string {
  const parts = code.children(parameter).filter((child) => code.kind(child) !== 'modifiers' && code.field(child) !== 'name');
  return parts.map((part) => (code.kind(part) === 'variable_declarator' ? '' : code.words(part))).join('');
}

function fields(code: Code, node: number): Finding {
  const declarators = code.children(node).filter((child) => code.kind(child) === 'variable_declarator');
  const own = code.rest(node, ...declarators, code.child(node, 'modifiers')).filter((child) => !/^'[,;]$/u.test(code.kind(child)));
  return declarators.map((declarator): Found => {
    const [name, value] = [code.at(declarator, 'name'), code.at(declarator, 'value')];
    const rest = code.rest(declarator, name, value).filter((child) => code.kind(child) !== "'=");
    return {
      kind: 'field',
      name: code.text(name),
      from: node,
      to: node,
      shape: [...modifiersIn(code, node), ...own, ...rest],
      body: value < 0 ? [] : [value],
      visibility: visibilityIn(code, node),
    };
  });
}

/** Java. */
export const java: Table = {
  language: 'java',
  grammar: 'tree-sitter-java@0.23.5',
  comments: ['line_comment', 'block_comment'],
  form,
  prefixes: [],
  find,
  frames: [
    ['', ''],
    ['class _ {\n', '\n}'],
    ['interface _ {\n', '\n}'],
    ['enum _ {\n', '\n}'],
    ['@interface _ {\n', '\n}'],
  ],
};
