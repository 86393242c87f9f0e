import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseSync } from 'vite';

/** A file by its path from the top of the repository, with '/'. */
export interface SourceFile {
  readonly file: string;
  readonly source: string;
}

/** Which other parts each part may use (docs/ARCHITECTURE.md). */
export const mayUse: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  protocol: ['kernel'],
  core: ['protocol', 'kernel'],
  web: ['protocol', 'kernel'],
  mcp: ['protocol', 'kernel'],
  preload: ['protocol'],
  renderer: ['protocol', 'kernel'],
  main: ['core', 'web', 'mcp', 'protocol', 'kernel'],
  cli: ['core', 'web', 'mcp', 'protocol', 'kernel'],
};

const withoutNode: readonly string[] = ['kernel', 'protocol', 'preload', 'renderer'];
const programs: readonly string[] = ['main', 'cli'];
const withElectron: readonly string[] = ['main', 'preload'];

/** Files longer than 600 lines that may stay so, each with its reason. */
export const longFiles: ReadonlyMap<string, string> = new Map();

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

interface Parsed {
  readonly body: readonly Node[];
  readonly nodes: readonly Node[];
  readonly comments: readonly { type: string; value: string; start: number; end: number }[];
  readonly errors: readonly unknown[];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function nodesUnder(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesUnder);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesUnder)];
}

function parse({ file, source }: SourceFile): Parsed {
  const { program, comments, errors } = parseSync(file, source);
  const body: unknown = program.body;
  return { body: (body as unknown[]).filter(isNode), nodes: nodesUnder(body), comments, errors };
}

const partOf = (file: string): string | undefined => /^src\/([^/]+)\//u.exec(file)?.[1];

/** One mention of a module: static, type-only, re-exported, dynamic or `import('x').T`; null where it is computed. */
export interface Mention {
  readonly specifier: string | null;
  readonly names: readonly string[];
}

const literal = (node: unknown): string | null => (isNode(node) && typeof node.value === 'string' ? node.value : null);

function nameOf(specifier: unknown): string[] {
  const side = isNode(specifier) ? (specifier.imported ?? specifier.local) : undefined;
  return isNode(side) && typeof side.name === 'string' ? [side.name] : [];
}

function mentionIn(node: Node): Mention[] {
  const names = Array.isArray(node.specifiers) ? node.specifiers.flatMap(nameOf) : [];
  if (node.type === 'CallExpression') {
    const isRequire = isNode(node.callee) && node.callee.name === 'require';
    return isRequire && Array.isArray(node.arguments) ? [{ specifier: literal(node.arguments[0]), names }] : [];
  }
  if (node.type === 'ExportNamedDeclaration' && !node.source) return [];
  if (!/^(ImportDeclaration|Export(Named|All)Declaration|ImportExpression|TSImportType|TSExternalModuleReference)$/u.test(node.type))
    return [];
  return [{ specifier: literal(node.source ?? node.argument ?? node.expression), names }];
}

/** Every module that a file mentions. */
export const mentionsOf = (file: SourceFile): Mention[] => parse(file).nodes.flatMap(mentionIn);

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1).split('/')[0];
  return specifier.startsWith('.') ? (partOf(`${posix.join(posix.dirname(file), specifier)}/`) ?? 'outside src') : undefined;
}

function packageBreaches(file: string, part: string, specifier: string): string[] {
  const isNodeModule = isBuiltin(specifier);
  const isElectron = specifier === 'electron' || specifier.startsWith('electron/');
  return [
    ...(isNodeModule && withoutNode.includes(part) ? [`${file} may not use ${specifier}: ${part} has no Node`] : []),
    ...(!isNodeModule && part === 'kernel' ? [`${file} may not use ${specifier}: kernel has no packages`] : []),
    ...(isElectron && !withElectron.includes(part) ? [`${file} may not use electron: only ${withElectron.join(' and ')} may`] : []),
  ];
}

function mentionBreaches(file: string, part: string, { specifier, names }: Mention): string[] {
  if (specifier === null) return [`${file} computes the path of an import`];
  const target = targetOf(file, specifier);
  if (target === undefined) return packageBreaches(file, part, specifier);
  const built = target === 'core' && part !== 'core' ? names.filter((name) => /^(create|open)Core$/u.test(name)) : [];
  // Core runs in a process of its own (main/core-process.ts), not in Electron's first.
  if (file === 'src/main/index.ts' && target === 'core') return [`${file} may not use core: core-process does`];
  const allowed = target === part || (mayUse[part] ?? []).includes(target) || (target === 'outside src' && specifier.endsWith('.json'));
  return [
    ...(allowed ? [] : [`${file} may not use ${target}`]),
    ...(programs.includes(part) ? [] : built.map((name) => `${file} may not construct core: ${name}`)),
  ];
}

/** Imports that go the wrong way, or to a package or a part of the system that the part has not. */
export function importBreaches(source: SourceFile): string[] {
  const part = partOf(source.file);
  if (part === undefined || !(part in mayUse)) return [`${source.file} is in no part`];
  return mentionsOf(source).flatMap((mention) => mentionBreaches(source.file, part, mention));
}

/** Names that are no kebab-case nouns, or that say nothing. */
export function nameBreaches({ file }: SourceFile): string[] {
  const parts = file
    .split('/')
    .slice(1)
    .map((part) => part.replace(/(\.browser)?(\.d)?\.tsx?$/u, ''));
  const empty = /(^|-)(utils?|helpers?|common|misc|managers?|services?|types?)(-|$)/u;
  return parts.flatMap((part) => [
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/u.test(part) ? [] : [`${file}: "${part}" is not kebab-case`]),
    ...(empty.test(part) ? [`${file}: "${part}" is no noun of the domain`] : []),
  ]);
}

const linesOf = (source: string) => source.split('\n').length - (source.endsWith('\n') ? 1 : 0);

/** Files that are too long, one by one and taken together. */
export function sizeBreaches(files: readonly SourceFile[], exceptions: ReadonlyMap<string, string> = longFiles): string[] {
  const sizes = files.map(({ source }) => linesOf(source)).sort((a, b) => a - b);
  const at = (share: number) => sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)] ?? 0;
  const long = files.filter(({ file, source }) => linesOf(source) > 600 && !exceptions.has(file));
  return [
    ...long.map(({ file, source }) => `${file} has ${linesOf(source)} lines, more than 600`),
    ...(at(0.5) > 150 ? [`the median file has ${at(0.5)} lines, more than 150`] : []),
    ...(at(0.95) > 400 ? [`the 95th percentile is ${at(0.95)} lines, more than 400`] : []),
  ];
}

function declaredNames(declaration: Node): string[] {
  const declared = Array.isArray(declaration.declarations) ? (declaration.declarations as unknown[]).filter(isNode) : [declaration];
  return declared.map(({ id }) => (isNode(id) && typeof id.name === 'string' ? id.name : 'a pattern'));
}

/** Exported declarations without a doc comment directly before them; of overloads, the first needs one. */
export function docBreaches(file: SourceFile): string[] {
  const { body, comments } = parse(file);
  const docEnds = comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*') && value.trim() !== '*')
    .map(({ end }) => end);
  const seen = new Set<string>();
  return body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !isNode(node.declaration)) return [];
    const names = declaredNames(node.declaration).filter((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    const isDocumented = docEnds.some((end) => end <= node.start && /^\s*$/u.test(file.source.slice(end, node.start)));
    return isDocumented ? [] : names.map((name) => `${file.file}: ${name} has no doc comment`);
  });
}

/** Default exports, `export *`, and names that are exported apart from their declaration (and so from their doc comment). */
export function exportBreaches(file: SourceFile, mayDefault = false): string[] {
  const { body, errors } = parse(file);
  const apart = (node: Node) =>
    node.type === 'ExportNamedDeclaration' && !node.source && !node.declaration && (node.specifiers as unknown[]).length > 0;
  return [
    ...(errors.length > 0 ? [`${file.file} does not parse`] : []),
    ...body.filter(({ type }) => type === 'ExportDefaultDeclaration' && !mayDefault).map(() => `${file.file} has a default export`),
    ...body.filter(({ type }) => type === 'ExportAllDeclaration').map(() => `${file.file} has an \`export *\``),
    ...body.filter(apart).map(() => `${file.file} exports a name apart from its declaration`),
  ];
}

const traces: readonly [what: string, pattern: RegExp][] = [
  ['a home folder', /(?<![\w.}])\/(?:home|Users)\/[A-Za-z][\w.-]*\/|[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/)\w/u],
  [
    'a package registry',
    /\bhttps?:\/\/[^\s"'`]*(?:registry|npmjs\.org|yarnpkg|artifactory|verdaccio)|^\s*"resolved":|^\s*\/\/[^\s]*:_auth|^\s*registry\s*=/mu,
  ],
];

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, '\\$&');

/** Traces of a developer's machine: home folders, registries, and the given folders of this one. */
export function traceBreaches({ file, source }: SourceFile, folders: readonly string[] = []): string[] {
  const here = folders
    .filter((folder) => folder.length > 1)
    .map((folder): [string, RegExp] => ['a folder of this machine', new RegExp(`(?<![\\w.}\\])-])${escaped(folder)}(?![\\w-])`, 'u')]);
  return [...traces, ...here].filter(([, pattern]) => pattern.test(source)).map(([what]) => `${file} names ${what}`);
}
