import type { Code } from '#core/grammars/code';
import { bare, commonEscapes, numberSpecial, stringSpecial } from '#core/grammars/literals';
import type { NormalForm, Special } from '#core/grammars/normal-form';
import { cook } from '#core/grammars/strings';
import type { Finding, Found, Scope, Table } from '#core/grammars/table';

const escapes = { ...commonEscapes, a: '\x07', v: '\v' };
const string = stringSpecial({
  quotes: /^([a-z]*(?:"""|'''|"|'))[\s\S]*?("""|'''|"|')$/iu,
  kind: (opening) =>
    /b/iu.test(opening) ? 'bytes' : /^[ru]*f/iu.test(opening) ? 'formatted' : /^[ru]*t/iu.test(opening) ? 'template' : 'string',
  values: ['interpolation'],
  escapes: (opening) => (/r/iu.test(opening) ? null : { escapes, unknown: 'both' }),
});

/** Strings side by side are one string, if none of them has values in it. */
const concatenated: Special = (writer, node) => {
  const { code } = writer;
  const parts = code.children(node);
  const prefix = (part: number) => /^[a-z]*/iu.exec(code.text(part))?.[0].toLowerCase() ?? '';
  if (parts.some((part) => code.kind(part) !== 'string' || !/^u?$/u.test(prefix(part)))) return false;
  const texts = parts.map((part) => /^[a-z]*("""|'''|"|')([\s\S]*)\1$/iu.exec(code.text(part))?.[2] ?? '');
  writer.leaf('string', texts.map((text) => cook(text, { escapes, unknown: 'both' })).join(''));
  return true;
};

/** A statement that is nothing but a text: documentation. */
const statement: Special = (writer, node) => {
  const [only, ...others] = writer.code.children(node);
  const isText = only !== undefined && others.length === 0 && /^(concatenated_)?string$/u.test(writer.code.kind(only));
  return isText && writer.code.child(only, 'interpolation') < 0;
};

/** A tuple, with parentheses or without; what has no comma is none. */
const tuple: Special = (writer, node) => {
  const children = writer.code.children(node);
  if (children.length === 3 && writer.code.kind(children[0] as number) === "'(") return bare(writer, node);
  writer.open('tuple');
  writer.within(node, "'(", "')");
  writer.close();
};

const withoutParentheses: Special = (writer, node) => {
  writer.open(writer.code.kind(node));
  writer.within(node, "'(", "')");
  writer.close();
};

/** `x[a,]` is `x[(a,)]`, not `x[a]`. */
const subscript: Special = (writer, node) => {
  const { code } = writer;
  const children = code.children(node);
  const isTuple = code.kind(children.at(-2) ?? node) === "'," && children.filter((child) => code.field(child) === 'subscript').length === 1;
  if (!isTuple) return false;
  writer.open('subscript');
  writer.within(node);
  writer.word('tuple');
  writer.close();
  return true;
};

/** `class A():` is `class A:`. */
const argumentList: Special = (writer, node) => writer.code.field(node) === 'superclasses' && writer.code.children(node).length <= 2;

const form: NormalForm = {
  dropped: ['comment', 'line_continuation', "',", "';"],
  inlined: [],
  same: {},
  references: ['identifier'],
  members: [],
  dots: ["'."],
  self: [],
  special: {
    string,
    concatenated_string: concatenated,
    expression_statement: statement,
    tuple,
    tuple_pattern: tuple,
    pattern_list: tuple,
    expression_list: tuple,
    with_clause: withoutParentheses,
    import_from_statement: withoutParentheses,
    subscript,
    argument_list: argumentList,
    parenthesized_expression: bare,
    integer: numberSpecial,
    float: numberSpecial,
  },
};

function find(code: Code, node: number, scope: Scope): Finding {
  switch (code.kind(node)) {
    case 'decorated_definition':
      return definition(code, code.at(node, 'definition'), scope, node);
    case 'function_definition':
    case 'class_definition':
      return definition(code, node, scope, node);
    case 'expression_statement':
      return assignment(code, node, scope);
    case 'type_alias_statement':
      return alias(code, node);
    case 'if_statement':
    case 'try_statement':
    case 'with_statement':
      return { through: [node] };
    case 'block':
    case 'else_clause':
    case 'elif_clause':
    case 'except_clause':
    case 'except_group_clause':
    case 'finally_clause':
      return { through: [node] };
    default:
      return null;
  }
}

function definition(code: Code, node: number, scope: Scope, whole: number): Finding {
  if (node < 0) return null;
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  const decorators = whole === node ? [] : code.children(whole).filter((child) => code.kind(child) === 'decorator');
  const words = decorators.map((decorator) => code.text(decorator).replaceAll(/\s/gu, ''));
  const isClass = code.kind(node) === 'class_definition';
  const shape = [...decorators, ...code.rest(node, name, body).filter((child) => !/^'(def|class|:)$/u.test(code.kind(child)))];
  const found: Found = {
    kind: isClass ? 'class' : accessor(words, scope),
    name: code.text(name),
    from: whole,
    to: whole,
    shape,
    body: [body],
    visibility: '',
    members: isClass ? [body] : [],
    isOverload: words.some((word) => /^@(?:\w+\.)?overload$/u.test(word)),
  };
  return [found];
}

function accessor(words: readonly string[], scope: Scope): string {
  if (scope.kind !== 'class') return 'def';
  if (words.some((word) => /\.setter$/u.test(word))) return 'setter';
  if (words.some((word) => /\.deleter$/u.test(word))) return 'deleter';
  return words.some((word) => /^@(?:\w+\.)?(?:cached_)?property$/u.test(word)) ? 'getter' : 'def';
}

function assignment(code: Code, node: number, scope: Scope): Finding {
  const inner = code.child(node, 'assignment');
  const left = inner < 0 ? -1 : code.at(inner, 'left');
  if (left < 0 || code.kind(left) !== 'identifier') return null;
  const right = code.at(inner, 'right');
  const kind = scope.kind === 'class' ? 'attribute' : 'variable';
  const shape = code.rest(inner, left, right).filter((child) => !/^'[:=]$/u.test(code.kind(child)));
  return [{ kind, name: code.text(left), from: node, to: node, shape, body: right < 0 ? [] : [right], visibility: '' }];
}

function alias(code: Code, node: number): Finding {
  const left = code.at(node, 'left');
  const name = /^\w+/u.exec(code.text(left))?.[0] ?? '';
  return name === '' ? null : [{ kind: 'type', name, from: node, to: node, shape: [], body: [code.at(node, 'right')], visibility: '' }];
}

/** Python. Texts that stand alone are documentation, and so silent like comments. */
export const python: Table = {
  language: 'python',
  grammar: 'tree-sitter-python@0.25.0',
  comments: ['comment', 'line_continuation'],
  form,
  prefixes: [],
  find,
  isIndented: true,
  frames: [
    ['', ''],
    ['class _:\n', '\n'],
  ],
};
