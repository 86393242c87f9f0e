import { Annotation, EditorState, type Extension } from '@codemirror/state';

/** Marks a transaction that takes over what is on disk: nobody typed it. */
export const fromDisk = Annotation.define<true>();

/** Lets nobody change a text but what is on disk. */
export const locked: Extension = [
  EditorState.readOnly.of(true),
  EditorState.changeFilter.of((transaction) => transaction.annotation(fromDisk) === true),
];
