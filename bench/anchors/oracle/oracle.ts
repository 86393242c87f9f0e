import ts from 'typescript';

/** A declaration as TypeScript's own parser sees it, in one canonical print. */
export interface Judged {
  /** Containers and name, joined by '.'; accessors with `get ` or `set ` before it. */
  readonly name: string;
  readonly container: string;
  /** All of it but its name, equal if and only if it says the same. */
  readonly print: string;
  /** What it does, its own name replaced; '' if it has no body. */
  readonly body: string;
}

interface Part {
  readonly name: string;
  readonly node: ts.Node;
  readonly around: string;
  readonly body: ts.Node | undefined;
  readonly members: readonly ts.Node[];
}

const K = ts.SyntaxKind;

/** Every named declaration of the top level and of containers, to any depth; members of objects are not judged. */
export function judge(path: string, text: string): Judged[] | null {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const diagnostics = (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  if (diagnostics.length > 0) return null;
  const found: Judged[] = [];
  walk(file.statements, '', found, exportsOf(file));
  return found;
}

function exportsOf(file: ts.SourceFile): Map<string, string> {
  const words = new Map<string, string[]>();
  const add = (name: string, word: string) => words.set(name, [...(words.get(name) ?? []), word]);
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && ts.isIdentifier(statement.expression)) add(statement.expression.text, 'default');
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause) continue;
    if (!ts.isNamedExports(statement.exportClause)) continue;
    for (const { name, propertyName } of statement.exportClause.elements) add((propertyName ?? name).text, name.text);
  }
  return new Map([...words].map(([name, list]) => [name, list.sort().join()]));
}

function walk(nodes: readonly ts.Node[], container: string, found: Judged[], exported: ReadonlyMap<string, string>): void {
  let last: { name: string; print: string; at: number; isOverload: boolean } | undefined;
  for (const part of nodes.flatMap(partsOf)) {
    const bare = container === '' ? part.name : `${container}.${part.name}`;
    const name = ts.isGetAccessor(part.node) ? `get ${bare}` : ts.isSetAccessor(part.node) ? `set ${bare}` : bare;
    const body = part.body ? print(part.body, part.name) : '';
    let text = `${part.around} ${exported.get(part.name) ?? ''} ${print(part.node, part.name)}`;
    const isFunction = ts.isFunctionLike(part.node);
    if (last?.name === name && last.isOverload && isFunction) {
      found.splice(last.at, 1);
      text = `${last.print} ${text}`;
    }
    last = { name, print: text, at: found.length, isOverload: isFunction && !part.body };
    found.push({ name, container, print: text, body });
    walk(part.members, bare, found, new Map());
  }
}

const nameOf = (name: ts.PropertyName | ts.BindingName | ts.ModuleName | undefined): string | null => {
  if (!name) return null;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
  if (ts.isStringLiteral(name) || ts.isNumericLiteral(name)) return name.text;
  return null;
};

const modifiersOf = (node: ts.Node): string =>
  ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []).map(({ kind }) => K[kind]).join(' ') : '';

function partsOf(node: ts.Node): Part[] {
  const part = (name: string | null, body: ts.Node | undefined, members: readonly ts.Node[] = [], around = ''): Part[] =>
    name === null ? [] : [{ name, node, around, body, members }];
  if (ts.isFunctionDeclaration(node)) return part(node.name?.text ?? 'default', node.body);
  if (ts.isClassDeclaration(node)) return part(node.name?.text ?? 'default', node, node.members);
  if (ts.isInterfaceDeclaration(node)) return part(node.name.text, node, node.members);
  if (ts.isEnumDeclaration(node)) return part(node.name.text, node, node.members);
  if (ts.isTypeAliasDeclaration(node)) return part(node.name.text, node.type);
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.flatMap((declared) => variable(node, declared));
  if (ts.isModuleDeclaration(node)) return module(node);
  if (ts.isConstructorDeclaration(node)) return part('constructor', node.body);
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return part(nameOf(node.name), 'body' in node ? node.body : undefined);
  if (ts.isAccessor(node)) return part(nameOf(node.name), node.body);
  if (ts.isPropertyDeclaration(node)) return part(nameOf(node.name), valueBody(node.initializer));
  if (ts.isPropertySignature(node)) return part(nameOf(node.name), undefined);
  if (ts.isEnumMember(node)) return part(nameOf(node.name), node.initializer);
  return [];
}

const valueBody = (value: ts.Expression | undefined): ts.Node | undefined =>
  value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value.body : value;

function variable(statement: ts.VariableStatement, declared: ts.VariableDeclaration): Part[] {
  const name = nameOf(declared.name);
  const word = statement.declarationList.flags & ts.NodeFlags.BlockScoped;
  const around = `${modifiersOf(statement)} ${word}`;
  return name === null ? [] : [{ name, node: declared, around, body: valueBody(declared.initializer), members: [] }];
}

/** `namespace A.B {}` is one name. */
function module(node: ts.ModuleDeclaration): Part[] {
  let name = node.name.text;
  let body = node.body;
  while (body && ts.isModuleDeclaration(body)) {
    name += `.${body.name.text}`;
    body = body.body as ts.ModuleBody | undefined;
  }
  const statements = body && ts.isModuleBlock(body) ? body.statements : [];
  return [{ name, node, around: '', body, members: statements }];
}

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A node in one print: no comments, no layout, literals by their value, its own name replaced. */
export function print(node: ts.Node, own: string): string {
  const out: string[] = [];
  write(node, own, out, node);
  return out.join('');
}

function write(node: ts.Node, own: string, out: string[], root: ts.Node): void {
  const inner = bareNode(node);
  if (inner !== node) {
    if (inner) write(inner, own, out, root);
    return;
  }
  if (node === (root as { name?: ts.Node }).name) {
    out.push('(own)');
    return;
  }
  out.push('(', kindOf(node), extraOf(node), textIn(node, own));
  for (const child of childrenOf(node)) write(child, own, out, root);
  out.push(')');
}

/** What counts of a node that says nothing itself; null if nothing does. */
function bareNode(node: ts.Node): ts.Node | null {
  if (ts.isParenthesizedExpression(node)) return node.expression;
  if (ts.isParenthesizedTypeNode(node)) return node.type;
  if (ts.isUnionTypeNode(node) && node.types.length === 1) return node.types[0] as ts.Node;
  const isListed = ts.isEmptyStatement(node) && (ts.isBlock(node.parent) || ts.isSourceFile(node.parent) || ts.isModuleBlock(node.parent));
  return isListed || node.kind === K.SemicolonClassElement || (ts.isJsxExpression(node) && !node.expression) ? null : node;
}

function kindOf(node: ts.Node): string {
  if (ts.isJsxSelfClosingElement(node)) return K[K.JsxElement] as string;
  return K[node.kind] as string;
}

/** What is in a node but not among its children. */
function extraOf(node: ts.Node): string {
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) || ts.isTypeOperatorNode(node)) return ` ${node.operator}`;
  if (ts.isHeritageClause(node)) return ` ${node.token}`;
  if (ts.isVariableDeclarationList(node)) return ` ${node.flags & ts.NodeFlags.BlockScoped}`;
  if (ts.isMetaProperty(node)) return ` ${node.keywordToken}`;
  if (ts.isModuleDeclaration(node)) return ` ${node.flags & ts.NodeFlags.GlobalAugmentation}`;
  if (ts.isImportTypeNode(node)) return ` ${node.isTypeOf}`;
  return node.flags & ts.NodeFlags.OptionalChain ? ' ?' : '';
}

function textIn(node: ts.Node, own: string): string {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node))
    return JSON.stringify(node.text === own && !isMember(node) ? '\0own' : node.text);
  if (ts.isStringLiteral(node) && isKey(node) && (identifier.test(node.text) || /^\d+$/u.test(node.text)))
    return `key${JSON.stringify(node.text)}`;
  if (ts.isTemplateLiteralToken(node)) return JSON.stringify(node.rawText ?? node.text);
  if (ts.isRegularExpressionLiteral(node)) return JSON.stringify(node.text.replace(/[a-z]*$/u, (flags) => [...flags].sort().join('')));
  if (ts.isLiteralExpression(node)) return JSON.stringify(node.text);
  return '';
}

/** A name after a dot, which is another thing of the same name, unless it is said of `this`. */
const isMember = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node.parent) && node.parent.name === node && node.parent.expression.kind !== K.ThisKeyword;

const isKey = (node: ts.Node): boolean => (node.parent as { name?: ts.Node }).name === node;

const isLogical = (kind: ts.SyntaxKind): boolean =>
  kind === K.AmpersandAmpersandToken || kind === K.BarBarToken || kind === K.QuestionQuestionToken;

function childrenOf(node: ts.Node): ts.Node[] {
  if (ts.isBinaryExpression(node) && isLogical(node.operatorToken.kind))
    return [node.operatorToken, ...operands(node, node.operatorToken.kind)];
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) return members(node, node.kind);
  if (ts.isJsxElement(node))
    return [
      node.openingElement.tagName,
      node.openingElement.attributes,
      ...(node.openingElement.typeArguments ?? []),
      ...jsx(node.children),
    ];
  if (ts.isJsxSelfClosingElement(node)) return [node.tagName, node.attributes, ...(node.typeArguments ?? [])];
  if (ts.isJsxFragment(node)) return jsx(node.children);
  if (ts.isJsxAttribute(node)) return [node.name, ...attribute(node.initializer)];
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children.map((child) => (ts.isStringLiteral(child) && isKey(child) && identifier.test(child.text) ? asIdentifier(child) : child));
}

/** A quoted key as the name that it is. */
function asIdentifier(node: ts.StringLiteral): ts.Node {
  const name = ts.factory.createIdentifier(node.text);
  (name as { parent: ts.Node }).parent = node.parent;
  return name;
}

function operands(node: ts.BinaryExpression, kind: ts.SyntaxKind): ts.Node[] {
  return [node.left, node.right].flatMap((side) => {
    let inner: ts.Expression = side;
    while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
    return ts.isBinaryExpression(inner) && inner.operatorToken.kind === kind ? operands(inner, kind) : [inner];
  });
}

function members(node: ts.UnionOrIntersectionTypeNode, kind: ts.SyntaxKind): ts.Node[] {
  return [...node.types].flatMap((type) => {
    let inner: ts.TypeNode = type;
    while (ts.isParenthesizedTypeNode(inner)) inner = inner.type;
    return inner.kind === kind ? members(inner as ts.UnionOrIntersectionTypeNode, kind) : [inner];
  });
}

const attribute = (value: ts.JsxAttributeValue | undefined): ts.Node[] => {
  if (!value) return [];
  const inner = ts.isJsxExpression(value) && value.expression && ts.isStringLiteral(value.expression) ? value.expression : value;
  return [inner];
};

/** Children of an element: texts by React's rule, joined with the spaces that stand in braces. */
function jsx(children: readonly ts.JsxChild[]): ts.Node[] {
  const out: ts.Node[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') out.push(ts.factory.createStringLiteral(text));
    text = '';
  };
  for (const child of children) {
    const space =
      ts.isJsxExpression(child) && child.expression && ts.isStringLiteral(child.expression) && /^[ \t]+$/u.test(child.expression.text);
    if (ts.isJsxText(child)) text += reactText(child.text);
    else if (space) text += (child.expression as ts.StringLiteral).text;
    else if (!ts.isJsxExpression(child) || child.expression) {
      flush();
      out.push(child);
    }
  }
  flush();
  for (const node of out) if (!node.parent) (node as { parent: ts.Node }).parent = children[0]?.parent as ts.Node;
  return out;
}

function reactText(raw: string): string {
  const lines = raw.split(/\r?\n/u);
  return lines
    .map((line, at) => (at === 0 ? line : line.trimStart()))
    .map((line, at) => (at === lines.length - 1 ? line : line.trimEnd()))
    .filter((line) => line !== '')
    .join(' ');
}
