import type { Graph } from '#kernel/graph';
import { none, wordsFromHex } from '#kernel/key-table';
import type { RevisionId } from '#kernel/revision';
import type { Uuid } from '#kernel/uuid';

/** The revisions of one object as a scan or a capture needs them. */
export interface Versions {
  readonly heads: readonly RevisionId[];
  /** The revision that was last seen on disk: as kept, else the single head; null when neither tells. */
  readonly working: RevisionId | null;
  /** Newest recorded revision with a content, or null. */
  withContent(hash: string): RevisionId | null;
  contentOf(revision: RevisionId): string;
}

/** The id of the entry that counts for an idem, or null where there is none. */
export function entryWithIdem(graph: Graph, idem: Uuid): Uuid | null {
  const row = rowWithIdem(graph, idem);
  return row === none ? null : graph.entryText(row);
}

/** The row of that entry in the graph, or `none`. */
export function rowWithIdem(graph: Graph, idem: Uuid): number {
  const words = new Uint32Array(4);
  wordsFromHex(idem, 0, 4, words, 0);
  return graph.idems.find(words);
}

/** The number that a content has in the graph, or `none`. */
function contentWith(graph: Graph, hash: string): number {
  const words = new Uint32Array(8);
  wordsFromHex(hash, 'sha256:'.length, 8, words, 0);
  return graph.contents.find(words);
}

/** The heads of an object by its id; none where the ledger does not know it (any more: git may take lines away at any time). */
export function headsOf(graph: Graph, object: Uuid): number[] {
  const number = graph.findObject(object);
  return number === none ? [] : graph.heads(number);
}

/** Reads the versions of an object; `kept` is its working revision as the position holds it, if it does. */
export function versionsOf(graph: Graph, object: Uuid, kept: string | undefined): Versions {
  const number = graph.findObject(object);
  const heads = headsOf(graph, object);
  const keptNode = kept === undefined ? none : graph.findNode(number, kept);
  const working = keptNode !== none ? keptNode : heads.length === 1 ? heads[0]! : none;
  const text = (node: number) => graph.revisionText(node);
  return {
    heads: heads.map(text),
    working: working === none ? null : text(working),
    contentOf: (revision) => graph.contentText(graph.findNode(number, revision)),
    withContent(hash) {
      if (number === none) return null;
      const content = contentWith(graph, hash);
      if (content === none) return null;
      const same = [...graph.revisions(number)].filter((node) => graph.nodeContent.at(node) === content);
      const newest = same.sort(
        (a, b) => graph.depth(b) - graph.depth(a) || graph.entryTime.at(graph.nodeEntry.at(b)) - graph.entryTime.at(graph.nodeEntry.at(a)),
      );
      return newest[0] === undefined ? null : text(newest[0]);
    },
  };
}

/** The parents of a text that git did not make: what it was written over (`spec/format.md` §8). */
export function parentsOf(versions: Versions): readonly RevisionId[] {
  return versions.working === null ? versions.heads : [versions.working];
}
