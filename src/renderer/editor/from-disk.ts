import { Annotation } from '@codemirror/state';

/** Marks a transaction that takes over what is on disk: nobody typed it. */
export const fromDisk = Annotation.define<true>();
