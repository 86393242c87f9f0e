import { type Alias, type Document, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import type { YamlMapping } from '#kernel/identity';

function hasRepeatedKey(map: YAMLMap<unknown, unknown>): boolean {
  const keys = map.items.map(({ key }) => (isScalar(key) ? key.value : key));
  return new Set(keys).size < keys.length;
}

function isSound(document: Document): boolean {
  let sound = true;
  const refuse = (isRefused: boolean): symbol | undefined => {
    if (isRefused) sound = false;
    return isRefused ? visit.BREAK : undefined;
  };
  visit(document, {
    Map: (_, map) => refuse(hasRepeatedKey(map)),
    Alias: (_, alias: Alias) => refuse(alias.resolve(document) === undefined),
  });
  return sound;
}

/** Answers with the `yaml` package: one document, no error, every alias known, and a mapping without repeated keys or nothing at all. */
export const yamlMapping: YamlMapping = {
  isMapping(text) {
    // The parser's own check for repeated keys compares each with each, which a generated frontmatter of thousands would feel.
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
    if (document.errors.length > 0) return false;
    return document.contents === null || (isMap(document.contents) && isSound(document));
  },
};
