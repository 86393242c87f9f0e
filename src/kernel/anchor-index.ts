import { type Found, identityKey } from '#kernel/anchor';
import { familyOf, type ParsedFile } from '#kernel/declaration';

/** A file that was read, for the ladder. */
export interface ReadFile {
  readonly path: string;
  readonly parsed: ParsedFile;
  /** Generated, vendored or a declaration file: looked at last. */
  readonly isMinor: boolean;
}

/** The declarations of many files, found by what they are called and by what they do. */
export interface CodeIndex {
  /** The file at a path, if it was read. */
  file(path: string): ReadFile | null;
  isMinor(path: string): boolean;
  withIdentity(key: string): readonly Found[];
  /** Declarations of a family whose body has this hash. */
  withBody(family: string, bodyHash: string): readonly Found[];
  /** Declarations of a family and a kind. */
  ofKind(family: string, kind: string): readonly Found[];
}

/** Indexes files; a file that is given twice counts as given last. Answers come in the order of paths, then of the file. */
export function indexCode(files: Iterable<ReadFile>): CodeIndex {
  const byPath = new Map([...files].map((file) => [file.path, file]));
  const sorted = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const identities = new Map<string, Found[]>();
  const bodies = new Map<string, Found[]>();
  const kinds = new Map<string, Found[]>();
  for (const { path, parsed } of sorted) {
    for (const declaration of parsed.declarations) {
      const { language, kind, qualifiedName, bodyHash, damaged } = declaration;
      const found = { file: path, declaration };
      add(identities, identityKey(language, kind, qualifiedName), found);
      if (damaged) continue;
      add(bodies, `${familyOf(language)}\n${bodyHash}`, found);
      add(kinds, `${familyOf(language)}\n${kind}`, found);
    }
  }
  return {
    file: (path) => byPath.get(path) ?? null,
    isMinor: (path) => byPath.get(path)?.isMinor ?? false,
    withIdentity: (key) => identities.get(key) ?? [],
    withBody: (family, bodyHash) => bodies.get(`${family}\n${bodyHash}`) ?? [],
    ofKind: (family, kind) => kinds.get(`${family}\n${kind}`) ?? [],
  };
}

function add(map: Map<string, Found[]>, key: string, found: Found): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [found]);
  else list.push(found);
}

const minorFolder =
  /(^|\/)(dist|build|out|target|vendor|vendors|third[_-]party|node_modules|\.next|generated|__generated__|gen|Pods|Carthage)\//u;
const minorName = /(\.d\.[cm]?ts|\.min\.[cm]?js|\.bundle\.js|\.pb\.(go|swift)|_pb2\.pyi?|\.g\.[a-z]+|\.generated\.[a-z]+)$/u;

/** Whether a path is that of built, vendored or generated code, or of a file that only declares: such a file is looked at last. */
export const isMinorPath = (path: string): boolean => minorFolder.test(path) || minorName.test(path);
