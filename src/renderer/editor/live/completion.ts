import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { type Extension, Prec, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { foldedTag, tagsIn } from '#kernel/tag';
import { isInCode } from '../code-place.ts';
import { targetOf, wikiPath } from '../link-target.ts';
import { outlineOf } from '../outline.ts';
import { slugOf } from '../slug.ts';
import { place } from './neighbours.ts';

/** So many characters of a document are looked through for tags of its own. */
const tagReach = 200_000;

const isDocument = (path: string) => /\.(?:md|markdown|mdown|mkd)$/iu.test(path);
const withoutKind = (path: string) => path.replace(/\.[^./]+$/u, '');
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Puts a choice in, and the brackets that close it unless they stand there already; the cursor goes behind them. */
const closing = (text: string, close: string) => (view: EditorView, _: Completion, from: number, to: number) => {
  const isClosed = view.state.sliceDoc(to, to + close.length) === close;
  const insert = isClosed ? text : text + close;
  const anchor = from + text.length + close.length;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: 'input.complete' });
};

/** How a wikilink names each document: by its name alone where no other has it. */
export function wikiNames(files: readonly string[]): readonly { readonly path: string; readonly name: string }[] {
  const documents = files.filter(isDocument);
  const counts = new Map<string, number>();
  const short = (path: string) => withoutKind(nameOf(path));
  for (const path of documents) counts.set(short(path).toLowerCase(), (counts.get(short(path).toLowerCase()) ?? 0) + 1);
  return documents.map((path) => ({ path, name: counts.get(short(path).toLowerCase()) === 1 ? short(path) : withoutKind(path) }));
}

const documents: CompletionSource = (context) => {
  const match = context.matchBefore(/\[\[[^\][|#\n]*$/u);
  const files = context.state.facet(place).neighbours?.files() ?? [];
  if (match === null) return null;
  const options = wikiNames(files).map(
    ({ path, name }): Completion => ({ label: name, detail: folderOf(path), apply: closing(name, ']]') }),
  );
  return { from: match.from + 2, options, validFor: /^[^\][|#\n]*$/u };
};

const headings: CompletionSource = async (context) => {
  const wiki = context.matchBefore(/\[\[[^\][|#\n]*#[^\][|\n]*$/u);
  const link = wiki === null ? context.matchBefore(/\]\([^()\s#]*#[^()\s]*$/u) : null;
  const match = wiki ?? link;
  if (match === null) return null;
  const name = match.text.slice(2, match.text.indexOf('#'));
  const text = await textOf(context, name, wiki !== null);
  if (text === null) return null;
  const options = outlineOf(text).map(
    ({ words, level }): Completion => ({
      label: words,
      detail: '#'.repeat(level),
      apply: wiki === null ? closing(slugOf(words), ')') : closing(words, ']]'),
    }),
  );
  return { from: match.from + match.text.indexOf('#') + 1, options, filter: true };
};

async function textOf({ state }: CompletionContext, name: string, isWiki: boolean): Promise<Text | null> {
  const { path, neighbours } = state.facet(place);
  const files = neighbours?.files() ?? [];
  const target = isWiki || name === '' ? null : targetOf(name, path);
  const found = isWiki ? wikiPath(name.trim(), path, files) : target === null ? path : target.kind === 'document' ? target.path : null;
  if (found === null) return null;
  if (found === path) return state.doc;
  const text = await neighbours?.read(found);
  return text == null ? null : Text.of(text.split(/\r\n?|\n/u));
}

/** Completes a tag behind `#` and a letter; inside of a line behind `#` alone, for at its start that begins a heading as well. */
export const tagCompletions: CompletionSource = async (context) => {
  const match = context.matchBefore(/(?<=^|\s)#(?:\p{L}[\p{L}\p{M}\p{N}_/-]*)?$/u);
  if (match === null || isInCode(context.state, match.from)) return null;
  const isBare = match.to === match.from + 1;
  if (isBare && !context.explicit && match.from === context.state.doc.lineAt(match.from).from) return null;
  const typed = foldedTag(match.text.slice(1));
  const own = tagsIn(context.state.sliceDoc(0, tagReach));
  const known = new Map([...own, ...((await context.state.facet(place).neighbours?.tags()) ?? [])].map((tag) => [foldedTag(tag), tag]));
  // What is being typed is a tag of the document already.
  known.delete(typed);
  const options = [...known.values()].map((label): Completion => ({ label, type: 'tag' }));
  return options.length === 0 ? null : { from: match.from + 1, options, validFor: /^[\p{L}\p{M}\p{N}_/-]*$/u };
};

const paths: CompletionSource = (context): CompletionResult | null => {
  const match = context.matchBefore(/\]\([^()\s#:]*$/u);
  if (match === null) return null;
  const { path, neighbours } = context.state.facet(place);
  const options = (neighbours?.files() ?? []).map((file): Completion => {
    const link = relativeTo(file, folderOf(path));
    return { label: file, apply: closing(link, ')') };
  });
  return { from: match.from + 2, options, validFor: /^[^()\s#:]*$/u };
};

/** A path as a link from a folder sees it, encoded as Markdown needs it. */
export function relativeTo(path: string, folder: string): string {
  const [to, from] = [path.split('/'), folder === '' ? [] : folder.split('/')];
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  const steps = [...from.slice(same).map(() => '..'), ...to.slice(same)];
  return steps.join('/').replaceAll(/[ ()<>\\%#?]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** What of a line may be completed: behind `[[`, behind the `#` of a tag and a sign of it, or in the address of a link. */
const open = /\[\[[^\][|\n]*$|(?:\s#|^#\p{L})[\p{L}\p{M}\p{N}_/-]*$|\]\([^()\s]+$/u;

/** So many characters of a line before the cursor are looked at. */
const near = 200;

/**
 * Asks for completions where there can be some. Left to itself the library would ask with every letter, and draw the editor three times for
 * one key.
 */
const asking = EditorView.updateListener.of(({ docChanged, state, view, transactions }) => {
  if (!docChanged || completionStatus(state) !== null || !transactions.some((one) => one.isUserEvent('input.type'))) return;
  const { head, empty } = state.selection.main;
  if (!empty) return;
  const { from } = state.doc.lineAt(head);
  if (open.test(state.sliceDoc(Math.max(from, head - near), head))) startCompletion(view);
});

/** Completes documents behind `[[`, headings behind `#` in a link, tags behind another `#`, and paths in the address of a link. */
export const completion: Extension = [
  autocompletion({ override: [documents, headings, tagCompletions, paths], icons: false, activateOnTyping: false }),
  asking,
  Prec.highest(keymap.of([{ key: 'Tab', run: acceptCompletion }])),
];
