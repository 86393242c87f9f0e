import type { Code } from '#core/grammars/code';
import { arrowParameter, ecmascriptForm, keyText, typescriptForm } from '#core/grammars/ecmascript-form';
import { jsxSpecials } from '#core/grammars/jsx-form';
import type { Finding, Found, Scope, ShapePart, Table } from '#core/grammars/table';

const functions = ['function_expression', 'arrow_function', 'generator_function', 'function_declaration', 'generator_function_declaration'];
const wrappers = [
  'parenthesized_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'await_expression',
  'type_assertion',
];

/** What a value is once parentheses and assertions are looked through. */
function unwrapped(code: Code, value: number): number {
  let at = value;
  while (at >= 0 && wrappers.includes(code.kind(at))) {
    at = code.children(at).find((child) => !/^'|^type_arguments$/u.test(code.kind(child))) ?? -1;
  }
  return at;
}

interface Value {
  readonly shape: readonly ShapePart[];
  readonly body: readonly number[];
  readonly members: readonly number[];
}

const nothing: Value = { shape: [], body: [], members: [] };

/** The signature, body and members that a value gives to what is called after it. */
function valueParts(code: Code, value: number): Value {
  if (value < 0) return nothing;
  const inner = unwrapped(code, value);
  const kind = code.kind(inner);
  if (functions.includes(kind)) return functionValue(code, inner);
  if (kind === 'class') return { ...classParts(code, inner), members: [code.at(inner, 'body')] };
  return { shape: [], body: [value], members: objectsIn(code, inner) };
}

function functionValue(code: Code, node: number): Value {
  const body = code.at(node, 'body');
  const shape = code.rest(node, body).map((child): ShapePart => {
    return code.field(child) === 'parameter' ? (writer) => arrowParameter(writer, child) : child;
  });
  return {
    shape: shape.filter((part) => typeof part !== 'number' || code.kind(part) !== "'function"),
    body: body < 0 ? [] : [body],
    members: [],
  };
}

/** The objects whose members are named after a value: itself, or what is handed to a call, as in `defineStore({…})`. */
function objectsIn(code: Code, value: number): number[] {
  const kind = value < 0 ? '' : code.kind(value);
  if (kind === 'object') return [value];
  if (kind !== 'call_expression' && kind !== 'new_expression') return [];
  const handed = code.at(value, 'arguments');
  return handed < 0
    ? []
    : code
        .children(handed)
        .map((argument) => unwrapped(code, argument))
        .filter((argument) => argument >= 0 && code.kind(argument) === 'object');
}

function classParts(code: Code, node: number): Pick<Value, 'shape' | 'body'> {
  const body = code.at(node, 'body');
  const shape = code.rest(node, body, code.at(node, 'name')).filter((child) => code.kind(child) !== "'class");
  return { shape, body: body < 0 ? [] : [body] };
}

/** What stands around a declaration: `export`, `declare`, decorators before them. */
interface Around {
  readonly from: number;
  readonly to: number;
  readonly shape: readonly number[];
  readonly visibility: string;
  readonly scope: Scope;
}

const seen = (around: Around, name: string): string =>
  [...new Set([around.visibility, around.scope.exported(name)])].filter(Boolean).join(' ');

function makeFound(around: Around, kind: string, name: string, value: Value, extra: Partial<Found> = {}): Found[] {
  const { from, to } = around;
  const shape = [...around.shape, ...value.shape];
  return [{ kind, name, from, to, shape, body: value.body, members: value.members, visibility: seen(around, name), ...extra }];
}

function statement(code: Code, node: number, around: Around): Finding {
  switch (code.kind(node)) {
    case 'export_statement':
      return exported(code, node, around);
    case 'ambient_declaration':
      return ambient(code, node, around);
    case 'expression_statement':
      return expression(code, node, around);
    case 'lexical_declaration':
    case 'variable_declaration':
      return variables(code, node, around);
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
      return functionStatement(code, node, around);
    case 'class_declaration':
    case 'abstract_class_declaration':
      return named(code, node, around, 'class');
    case 'interface_declaration':
      return named(code, node, around, 'interface');
    case 'enum_declaration':
      return named(code, node, around, 'enum');
    case 'type_alias_declaration':
      return alias(code, node, around);
    case 'internal_module':
    case 'module':
      return namespace(code, node, around);
    default:
      return null;
  }
}

function functionStatement(code: Code, node: number, around: Around): Finding {
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  const isOverload = code.kind(node) === 'function_signature';
  const value: Value = { shape: code.rest(node, name, body, code.child(node, "'function")), body: body < 0 ? [] : [body], members: [] };
  return makeFound(around, 'function', name < 0 ? 'default' : code.text(name), value, { isOverload });
}

function named(code: Code, node: number, around: Around, kind: string): Finding {
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  const shape = code.rest(node, name, body).filter((child) => code.kind(child) !== `'${kind}`);
  return makeFound(around, kind, name < 0 ? 'default' : code.text(name), { shape, body: [body], members: [body] });
}

function alias(code: Code, node: number, around: Around): Finding {
  const name = code.at(node, 'name');
  const value = code.at(node, 'value');
  const shape = code.rest(node, name, value).filter((child) => !/^'(type|=|;)$/u.test(code.kind(child)));
  return makeFound(around, 'type', code.text(name), { shape, body: [value], members: [] });
}

function namespace(code: Code, node: number, around: Around): Finding {
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  const isNamed = code.kind(name) !== 'string';
  const inside = body < 0 ? [] : [body];
  return makeFound(around, isNamed ? 'namespace' : 'module', keyText(code, name).replaceAll(/\s+/gu, ''), {
    shape: [],
    body: inside,
    members: inside,
  });
}

function variables(code: Code, node: number, around: Around): Finding {
  const kind = code.text(code.children(node)[0] as number);
  return code.children(node).flatMap((declarator) => {
    const name = code.at(declarator, 'name');
    if (code.kind(declarator) !== 'variable_declarator' || !/identifier$/u.test(code.kind(name))) return [];
    const value = valueParts(code, code.at(declarator, 'value'));
    const own = code.rest(declarator, name, code.at(declarator, 'value')).filter((child) => code.kind(child) !== "'=");
    const isAlone = code.children(node).filter((child) => code.kind(child) === 'variable_declarator').length === 1;
    return makeFound(around, kind, code.text(name), { ...value, shape: [...own, ...value.shape] }, isAlone ? {} : { lines: declarator });
  });
}

function exported(code: Code, node: number, around: Around): Finding {
  const isDefault = code.child(node, "'default") >= 0;
  const outer: Around = {
    ...around,
    shape: [...around.shape, ...code.children(node).filter((child) => code.kind(child) === 'decorator')],
    visibility: isDefault ? 'export default' : 'export',
  };
  const declaration = code.at(node, 'declaration');
  if (declaration >= 0) return statement(code, declaration, outer);
  const value = code.at(node, 'value');
  const inner = value < 0 ? -1 : unwrapped(code, value);
  if (inner < 0 || code.kind(inner) === 'identifier') return null;
  const kind = functions.includes(code.kind(inner)) ? 'function' : code.kind(inner) === 'class' ? 'class' : 'const';
  const name = code.at(inner, 'name');
  const isNamed = kind !== 'const' && name >= 0;
  return makeFound(outer, kind, isNamed ? code.text(name) : 'default', valueParts(code, value));
}

function ambient(code: Code, node: number, around: Around): Finding {
  const declare = code.child(node, "'declare");
  const outer = { ...around, shape: [...around.shape, declare] };
  if (code.child(node, "'global") >= 0) {
    const block = code.child(node, 'statement_block');
    return makeFound(around, 'namespace', 'global', { shape: [], body: [block], members: [block] });
  }
  return (
    code
      .children(node)
      .map((child) => statement(code, child, outer))
      .find((finding) => finding !== null) ?? null
  );
}

function expression(code: Code, node: number, around: Around): Finding {
  const inner = code.children(node)[0] ?? -1;
  if (inner < 0) return null;
  if (code.kind(inner) === 'internal_module') return namespace(code, inner, around);
  if (code.kind(inner) !== 'assignment_expression') return null;
  const left = code.at(inner, 'left');
  const value = code.at(inner, 'right');
  const target = code.kind(left) === 'member_expression' ? code.text(left).replaceAll(/\s+/gu, '') : '';
  return assigned(code, target, value, around);
}

/** `exports.x =`, `module.exports =`, `Thing.prototype.x = function`, `Thing.x = function`. */
function assigned(code: Code, target: string, value: number, around: Around): Finding {
  const inner = unwrapped(code, value);
  const isFunction = inner >= 0 && functions.includes(code.kind(inner));
  const isClass = inner >= 0 && code.kind(inner) === 'class';
  const outer = { ...around, visibility: 'export' };
  const kind = isFunction ? 'function' : isClass ? 'class' : 'const';
  if (target === 'module.exports') {
    const isName = inner >= 0 && code.kind(inner) === 'identifier';
    return isName ? null : makeFound(outer, kind, 'exports', valueParts(code, value), { container: 'module' });
  }
  const name = /^(?:module\.)?exports\.([^.[(]+)$/u.exec(target)?.[1];
  if (name !== undefined) return makeFound(outer, kind, name, valueParts(code, value), { container: 'exports' });
  const member = /^([\p{ID_Start}$_][\p{ID_Continue}$]*)\.(?:prototype\.)?([\p{ID_Continue}$]+)$/u.exec(target);
  if (!member || !isFunction || member[1] === 'window' || member[2] === 'prototype') return null;
  return makeFound(around, 'method', member[2] as string, valueParts(code, value), { container: member[1] as string });
}

/** Members of classes, interfaces, enums and objects. */
function member(code: Code, node: number, scope: Scope): Finding {
  const around: Around = { from: scope.prefix[0] ?? node, to: node, shape: scope.prefix, visibility: visibilityOf(code, node), scope };
  switch (code.kind(node)) {
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature':
      return method(code, node, around);
    case 'public_field_definition':
    case 'field_definition':
    case 'property_signature':
    case 'pair':
    case 'enum_assignment':
      return property(code, node, around, scope);
    case 'property_identifier':
    case 'string':
    case 'private_property_identifier':
      return scope.kind === 'enum' ? makeFound(around, 'member', keyText(code, node), nothing) : null;
    default:
      return null;
  }
}

function visibilityOf(code: Code, node: number): string {
  const modifier = code.child(node, 'accessibility_modifier');
  const word = modifier < 0 ? '' : code.text(modifier);
  return word === 'public' ? '' : word;
}

function method(code: Code, node: number, around: Around): Finding {
  const name = code.at(node, 'name');
  const body = code.at(node, 'body');
  const accessor = code.child(node, "'get", "'set");
  const text = keyText(code, name);
  const isConstructor = text === 'constructor' && code.kind(node) === 'method_definition';
  const kind = accessor >= 0 ? (code.kind(accessor) === "'get" ? 'getter' : 'setter') : isConstructor ? 'constructor' : 'method';
  const shape = code.rest(node, name, body, code.child(node, 'accessibility_modifier'));
  const isOverload = body < 0 && code.kind(node) !== 'abstract_method_signature';
  return makeFound(around, kind, text, { shape, body: body < 0 ? [] : [body], members: [] }, { isOverload });
}

function property(code: Code, node: number, around: Around, scope: Scope): Finding {
  const field = ['name', 'property', 'key'].map((name) => code.at(node, name)).find((child) => child >= 0) ?? -1;
  if (field < 0) return null;
  const given = code.at(node, 'value');
  const value = valueParts(code, given);
  const own = code
    .rest(node, field, given, code.child(node, 'accessibility_modifier'))
    .filter((child) => !/^'[=:]$/u.test(code.kind(child)));
  const kind = scope.kind === 'enum' ? 'member' : 'property';
  return makeFound(around, kind, keyText(code, field), { ...value, shape: [...own, ...value.shape] });
}

/** Names that `export { a as b }` and `export default a` make visible. */
function exportsOf(code: Code): ReadonlyMap<string, string> {
  const words = new Map<string, string[]>();
  const add = (name: string, word: string) => words.set(name, [...(words.get(name) ?? []), word]);
  for (const node of code.children(0)) {
    if (code.kind(node) !== 'export_statement' || code.at(node, 'source') >= 0) continue;
    const clause = code.child(node, 'export_clause');
    for (const specifier of clause < 0 ? [] : code.children(clause)) {
      if (code.kind(specifier) !== 'export_specifier') continue;
      const name = code.text(code.at(specifier, 'name'));
      const other = code.at(specifier, 'alias');
      add(
        name,
        other < 0 || code.text(other) === name
          ? 'export'
          : code.text(other) === 'default'
            ? 'export default'
            : `export as ${code.text(other)}`,
      );
    }
    const value = code.at(node, 'value');
    if (code.child(node, "'default") >= 0 && value >= 0 && code.kind(value) === 'identifier') add(code.text(value), 'export default');
  }
  return new Map([...words].map(([name, list]) => [name, list.sort().join(' ')]));
}

const table = (language: Table['language'], grammar: string, form: Table['form']): Table => ({
  language,
  grammar,
  comments: ['comment'],
  form,
  prefixes: ['decorator'],
  find(code, node, scope) {
    const isStatement = /^(|namespace|module)$/u.test(scope.kind);
    if (!isStatement) return member(code, node, scope);
    return statement(code, node, { from: scope.prefix[0] ?? node, to: node, shape: scope.prefix, visibility: '', scope });
  },
  exports: exportsOf,
  frames: [
    ['', ''],
    ['class _ {', '}'],
    ['abstract class _ {', '}'],
    ['interface _ {', '}'],
    ['const _ = {', '}'],
    ['enum _ {', '}'],
  ],
});

/** TypeScript. */
export const typescript = table('typescript', 'tree-sitter-typescript@0.23.2', typescriptForm);

/** TypeScript with JSX. */
export const tsx = table('tsx', 'tree-sitter-typescript@0.23.2', {
  ...typescriptForm,
  special: { ...typescriptForm.special, ...jsxSpecials },
});

/** JavaScript, JSX included. */
export const javascript = table('javascript', 'tree-sitter-javascript@0.25.0', {
  ...ecmascriptForm,
  special: { ...ecmascriptForm.special, ...jsxSpecials },
});
