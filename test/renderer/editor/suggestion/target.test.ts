import { EditorSelection } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { split } from '#renderer/editor/line-breaks.ts';
import { createState } from '#renderer/editor/setup.ts';
import { targetOf } from '#renderer/editor/suggestion/target.ts';

/** A state from a text in which `|` is the cursor, or two of them the selection. */
function stateOf(marked: string) {
  const [first, second] = [marked.indexOf('|'), marked.lastIndexOf('|')];
  const fresh = createState(split(marked.replaceAll('|', '')), { say: (key) => key, follow: () => {} });
  return fresh.update({ selection: EditorSelection.single(first, second > first ? second - 1 : first) }).state;
}
const content = (marked: string, scope: 'selection' | 'block' | 'document') => targetOf(stateOf(marked), scope, 0).content;
const front = '---\nvmark:\n  id: 01a1d92e-6a2f-74fd-80de-320b2a2969fb\n---\n';

describe('what is asked about', () => {
  it.each([
    ['a selection without the blank at its ends', 'selection', 'One.|\n\nTwo. |Three.', 'Two.'],
    ['the paragraph of the cursor where nothing is selected', 'selection', 'One.\n\nTwo\nlines|.\n\nThree.', 'Two\nlines.'],
    ['a list as one block', 'block', 'One.\n\n- a\n\n- |b\n\nThree.', '- a\n\n- b'],
    ['a fenced block with blank lines', 'block', '```\na\n\n|b\n```\n\nThree.', '```\na\n\nb\n```'],
    ['on a blank line the block before it', 'block', 'One.\n\n|\n\nThree.', 'One.'],
    ['the document without its frontmatter', 'document', `${front}# A\n\nText.|\n\n`, '# A\n\nText.'],
    ['nothing of the frontmatter, wherever the cursor is', 'block', `-|${front.slice(1)}# A\n\nText.\n`, '# A'],
    ['nothing where there is nothing', 'document', `${front}|\n\n`, ''],
  ] as const)('is %s', (_, scope, marked, wanted) => {
    expect(content(marked, scope)).toBe(wanted);
  });

  it('has as many blocks around it as a genie wants to see', () => {
    const state = stateOf(`${front}# A\n\nOne.\n\nTwo.\n\nThree|.\n\nFour.\n\nFive.\n\nSix.\n`);
    expect(targetOf(state, 'block', 1)).toMatchObject({ content: 'Three.', before: 'Two.', after: 'Four.' });
    expect(targetOf(state, 'block', 2)).toMatchObject({ before: 'One.\n\nTwo.', after: 'Four.\n\nFive.' });
    expect(targetOf(state, 'block', 0)).toMatchObject({ before: '', after: '' });
  });
});
