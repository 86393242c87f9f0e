import type { Code } from '#core/grammars/code';
import { bare, commonEscapes, numberSpecial, stringSpecial } from '#core/grammars/literals';
import type { NormalForm, Special, Writer } from '#core/grammars/normal-form';
import { type Finding, makerWith, type Scope, type Table, withoutWords } from '#core/grammars/table';

const string = stringSpecial({
  quotes: /^("""|")[\s\S]*("""|")$/u,
  kind: () => 'string',
  values: ['interpolation'],
  names: /\\[\s\S]|\$(?!this\b)([\p{L}_][\p{L}\p{N}_]*)/gu,
  escapes: (opening) => (opening === '"""' ? null : { escapes: { ...commonEscapes, $: '$' }, unknown: 'both' }),
  lines: (writer, node, opening, whole) => (opening === '"""' ? trimmed(writer, node, whole) : (piece) => piece),
});

/** A raw string that is trimmed where it stands: its indentation is the code's. */
function trimmed(writer: Writer, node: number, whole: string): (piece: string) => string {
  const { source, ends } = writer.code.tree;
  const after = /^\s*\.\s*(trimIndent|trimMargin)\s*\(\s*\)/u.exec(source.slice(ends[node], (ends[node] as number) + 200))?.[1];
  if (after === 'trimMargin') return (piece) => piece.replaceAll(/\n[ \t]*\|/gu, '\n|').replaceAll(/\n[ \t]+$/gu, '\n');
  if (after !== 'trimIndent') return (piece) => piece;
  const depths = whole
    .split(/\r?\n/u)
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/u.exec(line)?.[0].length ?? 0);
  const depth = Math.min(...depths);
  const indentation = new RegExp(`\\n[ \\t]{0,${Number.isFinite(depth) ? depth : 0}}`, 'gu');
  return (piece) => piece.replaceAll(indentation, '\n').replaceAll(/\n[ \t]+$/gu, '\n');
}

/** `$name` is `${name}`. */
const interpolation: Special = (writer, node) => {
  writer.open('interpolation');
  writer.within(node, "'$", "'${", "'}");
  writer.close();
};

const form: NormalForm = {
  dropped: ['line_comment', 'block_comment', "',", "';"],
  inlined: [],
  same: {},
  references: ['identifier'],
  members: [],
  dots: ["'.", "'?."],
  self: ["'this"],
  special: {
    string_literal: string,
    multiline_string_literal: string,
    interpolation,
    parenthesized_expression: bare,
    parenthesized_type: bare,
    number_literal: numberSpecial,
    float_literal: numberSpecial,
  },
};

const visible = (word: string): boolean => /^(public|protected|private|internal)$/u.test(word);

function visibilityIn(code: Code, node: number): string {
  const at = code.child(node, 'modifiers');
  const found = at < 0 ? undefined : code.children(at).find((child) => visible(code.text(child)));
  const word = found === undefined ? '' : code.text(found);
  return word === 'public' ? '' : word;
}

/** `@Suppress("unused")` before a class is an expression of its own for a parser that stumbled anywhere in the file. */
function mayBeCutOff(code: Code, node: number): boolean {
  const { next } = code.tree;
  for (let at = node - 1; at >= 0 && (next[at] as number) <= node; at--)
    if (next[at] === node && code.kind(at) === 'annotated_expression') return true;
  return false;
}

function find(code: Code, node: number, scope: Scope): Finding {
  switch (code.kind(node)) {
    case 'class_declaration':
    case 'object_declaration':
      return container(code, node);
    case 'companion_object':
      return { through: [code.child(node, 'class_body')].filter((at) => at >= 0) };
    case 'function_declaration':
      return callable(code, node, 'fun', code.at(node, 'name'));
    case 'secondary_constructor':
      return callable(code, node, 'constructor', -1);
    case 'property_declaration':
      return property(code, node);
    case 'class_parameter':
      return parameterProperty(code, node);
    case 'enum_entry':
      return scope.kind === 'enum' ? entry(code, node) : null;
    case 'type_alias':
      return alias(code, node);
    default:
      return null;
  }
}

const make = makerWith(visible, visibilityIn);

function container(code: Code, node: number): Finding {
  const name = code.at(node, 'name');
  const body = code.child(node, 'class_body', 'enum_class_body');
  if (name < 0) return null;
  const isEnum =
    (body >= 0 && code.kind(body) === 'enum_class_body') ||
    /\benum\b/u.test(code.text(Math.max(0, code.child(node, 'modifiers'))).slice(0, 200));
  const word = code.child(node, "'interface") >= 0 ? 'interface' : code.child(node, "'object") >= 0 ? 'object' : 'class';
  const own = withoutWords(code, code.rest(node, name, body), /^'(class|interface|object)$/u);
  const primary = code.child(node, 'primary_constructor');
  const parameters = primary < 0 ? -1 : code.child(primary, 'class_parameters');
  const members = [parameters, body].filter((at) => at >= 0);
  return [make(code, node, word === 'class' && isEnum ? 'enum' : word, code.text(name), own, body < 0 ? [] : [body], { members })];
}

function callable(code: Code, node: number, kind: string, name: number): Finding {
  const body = code.child(node, 'function_body', 'block');
  const own = withoutWords(code, code.rest(node, name, body), /^'(fun|constructor|\.)$/u);
  const given = name < 0 ? 'constructor' : code.text(name);
  const prefix = receiver(code, node);
  const list = code.child(node, 'function_value_parameters');
  const parameters = list < 0 ? [] : code.children(list).filter((child) => code.kind(child) === 'parameter');
  const names = parameters.map((parameter) => code.text(code.child(parameter, 'identifier')));
  const typed = parameters.map((parameter) => code.words(parameter).replace(':', ': '));
  const label = `${prefix}${given}(${names.join(', ')})`;
  return [make(code, node, kind, given, own, body < 0 ? [] : [body], { label, typedLabel: `${prefix}${given}(${typed.join(', ')})` })];
}

/** The type that an extension is for, with its dot; '' if it is none. */
function receiver(code: Code, node: number): string {
  const children = code.children(node);
  const dot = children.findIndex((child) => code.kind(child) === "'.");
  const type = dot > 0 ? (children[dot - 1] as number) : -1;
  return type < 0 ? '' : `${code.words(type).replaceAll(' ', '')}.`;
}

function property(code: Code, node: number): Finding {
  const variable = code.child(node, 'variable_declaration');
  const name = variable < 0 ? -1 : code.child(variable, 'identifier');
  if (name < 0) return null;
  const children = code.rest(node, variable);
  const sign = children.findIndex((child) => code.kind(child) === "'=");
  const value = sign < 0 ? -1 : (children[sign + 1] ?? -1);
  const body = children.filter((child) => child === value || /^(property_delegate|getter|setter)$/u.test(code.kind(child)));
  const types = code.rest(variable, name).filter((child) => code.kind(child) !== "':");
  const own = withoutWords(code, [...children.filter((child) => !body.includes(child)), ...types], /^'(val|var|=|\.)$/u);
  const kind = code.child(node, "'var") >= 0 ? 'var' : 'val';
  const prefix = receiver(code, node);
  return [make(code, node, kind, code.text(name), own, body, { label: prefix + code.text(name) })];
}

function parameterProperty(code: Code, node: number): Finding {
  const word = code.child(node, "'val", "'var");
  const name = code.child(node, 'identifier');
  if (word < 0 || name < 0) return null;
  const children = code.rest(node, name, word);
  const sign = children.findIndex((child) => code.kind(child) === "'=");
  const own = withoutWords(code, sign < 0 ? children : children.slice(0, sign), /^':$/u);
  return [make(code, node, code.text(word), code.text(name), own, sign < 0 ? [] : children.slice(sign + 1))];
}

function entry(code: Code, node: number): Finding {
  const name = code.child(node, 'identifier');
  const body = code.child(node, 'class_body');
  if (name < 0) return null;
  const inside = body < 0 ? [] : [body];
  return [make(code, node, 'entry', code.text(name), withoutWords(code, code.rest(node, name, body), /^$/u), inside, { members: inside })];
}

function alias(code: Code, node: number): Finding {
  const name = code.child(node, 'identifier');
  const children = code.rest(node, name);
  const sign = children.findIndex((child) => code.kind(child) === "'=");
  if (name < 0 || sign < 0) return null;
  const own = withoutWords(code, children.slice(0, sign), /^'typealias$/u);
  return [make(code, node, 'typealias', code.text(name), own, children.slice(sign + 1))];
}

/** Kotlin. Members of a companion belong to the class. */
export const kotlin: Table = {
  language: 'kotlin',
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin@1.1.0',
  comments: ['line_comment', 'block_comment'],
  form,
  prefixes: [],
  find,
  mayBeCutOff,
  frames: [
    ['', ''],
    ['class _ {\n', '\n}'],
    ['interface _ {\n', '\n}'],
    ['class _(\n', '\n)'],
    ['enum class _ {\n', '\n}'],
  ],
};
