import { Facet, StateEffect } from '@codemirror/state';
import type { Words } from '#protocol/words';

/** What became of asking for a picture. */
export type Picture = { readonly kind: 'shown'; readonly source: string } | { readonly kind: 'missing' | 'refused' | 'too-large' };

/** What a document can ask about what lies around it. Paths are the workspace's. */
export interface Neighbours {
  /** The paths of all files, in no order; null while they are not known. */
  files(): readonly string[] | null;
  /** The text of a document, as it is open or else on disk; null where there is none. */
  read(path: string): Promise<string | null>;
  /** The tags of all documents, those used most first; none where they are not known. */
  tags(): Promise<readonly string[]>;
  /** A picture of the workspace, as an address that the page may show. */
  picture(path: string): Promise<Picture>;
  /** A picture of the net; asked for only when the writer has said so for this one. */
  remotePicture(url: string): Promise<Picture>;
}

/** What a document is in: its own path, its words, its neighbours, and how a link is followed. */
export interface Place {
  readonly path: string;
  readonly say: Words;
  readonly follow: (address: string) => void;
  readonly neighbours: Neighbours | null;
}

const nowhere: Place = { path: '', say: (key) => key, follow: () => {}, neighbours: null };

/** Where the document of a state is. */
export const place = Facet.define<Place, Place>({ combine: ([first]) => first ?? nowhere });

/** Says that files came or went: links are looked at again. */
export const neighboursChanged = StateEffect.define<null>();
