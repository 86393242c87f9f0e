import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { tagCompletions } from '#renderer/editor/live/completion.ts';
import { type Neighbours, place } from '#renderer/editor/live/neighbours.ts';
import { grammar } from '#renderer/editor/syntax.ts';

const neighbours: Neighbours = {
  files: () => [],
  read: async () => null,
  tags: async () => ['ferry', 'Harbour', 'ferry/winter'],
  picture: async () => ({ kind: 'missing' }),
  remotePicture: async () => ({ kind: 'missing' }),
};

/** What is offered at the `|` of a text; null where nothing is asked for. */
async function offered(text: string, source: CompletionSource = tagCompletions): Promise<readonly string[] | null> {
  const at = text.indexOf('|');
  const around = place.of({ path: 'a.md', say: (key) => key, follow: () => {}, neighbours });
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [grammar, around] });
  const result = await source(new CompletionContext(state, at, false));
  return result === null ? null : result.options.map(({ label }) => label);
}

describe('a tag is completed', () => {
  it('behind # and a letter, by those of all documents and those of its own', async () => {
    expect(await offered('#own\n\nA text #f|')).toEqual(['own', 'ferry', 'Harbour', 'ferry/winter']);
    expect(await offered('#f|')).toEqual(['ferry', 'Harbour', 'ferry/winter']);
  });
  it('behind # alone inside of a line, but not at its start, where a heading begins', async () => {
    expect(await offered('A text #|')).toEqual(['ferry', 'Harbour', 'ferry/winter']);
    expect(await offered('#|')).toBeNull();
    expect(await offered('##|')).toBeNull();
  });
  it('not in code, and not inside of a word or an address', async () => {
    expect(await offered('```\n#f|\n```')).toBeNull();
    expect(await offered('a `b #f|` c')).toBeNull();
    expect(await offered('C#f|')).toBeNull();
    expect(await offered('[a](b#f|)')).toBeNull();
  });
  it('not by what is being typed itself', async () => {
    expect(await offered('#ferry|')).not.toContain('ferry');
  });
});
