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

/** An index that grows file by file, so that whoever builds it may let others have their turn. */
export interface GrowingIndex extends CodeIndex {
  /** Adds a file; one that is there already is left as it is. */
  add(file: ReadFile): void;
}

/** An index without files. Answers come in the order of paths, then of the file, whatever order files were added in. */
export function createCodeIndex(): GrowingIndex {
  const files = new Map<string, ReadFile>();
  const [identities, bodies, kinds] = [createLists(), createLists(), createLists()];
  return {
    add(file) {
      if (files.has(file.path)) return;
      files.set(file.path, file);
      for (const declaration of file.parsed.declarations) {
        const { language, kind, plainName, bodyHash, damaged } = declaration;
        const found = { file: file.path, declaration };
        identities.add(identityKey(language, kind, plainName), found);
        if (damaged) continue;
        bodies.add(`${familyOf(language)}\n${bodyHash}`, found);
        kinds.add(`${familyOf(language)}\n${kind}`, found);
      }
    },
    file: (path) => files.get(path) ?? null,
    isMinor: (path) => files.get(path)?.isMinor ?? false,
    withIdentity: identities.get,
    withBody: (family, bodyHash) => bodies.get(`${family}\n${bodyHash}`),
    ofKind: (family, kind) => kinds.get(`${family}\n${kind}`),
  };
}

function createLists() {
  const lists = new Map<string, Found[]>();
  const unsorted = new Set<string>();
  return {
    add(key: string, found: Found): void {
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [found]);
      else {
        list.push(found);
        unsorted.add(key);
      }
    },
    get(key: string): readonly Found[] {
      const list = lists.get(key) ?? [];
      if (unsorted.delete(key)) list.sort((a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1));
      return list;
    },
  };
}

const minorFolder =
  /(^|\/)(dist|build|out|target|vendor|vendors|third[_-]party|node_modules|\.next|generated|__generated__|gen|Pods|Carthage)\//u;
const minorName = /(\.d\.[cm]?ts|\.min\.[cm]?js|\.bundle\.js|\.pb\.(go|swift)|_pb2\.pyi?|\.g\.[a-z]+|\.generated\.[a-z]+)$/u;

/** Whether a path is that of built, vendored or generated code, or of a file that only declares: such a file is looked at last. */
export const isMinorPath = (path: string): boolean => minorFolder.test(path) || minorName.test(path);
