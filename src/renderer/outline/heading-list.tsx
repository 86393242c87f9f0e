import { type KeyboardEvent, useRef } from 'react';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import type { Buffer } from '#renderer/editor/buffer.ts';
import type { OutlineHeading } from '#renderer/editor/outline.ts';
import { goTo } from '#renderer/ui/mode.ts';
import { focusPage, useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { moveBefore, moveByOne } from './sections.ts';

interface HeadingListProps {
  readonly buffer: Buffer;
  readonly headings: readonly OutlineHeading[];
  /** The heading whose section is looked at; -1: none. */
  readonly current: number;
}

/** In pixels, as in the style sheet. */
const rowHeight = 26;

const keyOf = (at: number) => `heading-${at}`;
const placeOf = (key: unknown) => Number(String(key).slice('heading-'.length));

/** The headings of a document: Enter or a click goes to one, Alt with an arrow or a drag moves its section. */
export function HeadingList({ buffer, headings, current }: HeadingListProps) {
  const words = useWords();
  const studio = useStudio();
  const frame = useRef<HTMLDivElement>(null);
  const least = headings.reduce((level, heading) => Math.min(level, heading.level), 6);
  const items = headings.map((heading, at) => ({ ...heading, id: keyOf(at), at }));
  const moved = (at: number, place: number | null) => {
    const name = headings[at]?.words ?? '';
    if (place === null) return studio.view.announce(words('outline.stays', { name }));
    studio.view.announce(words('outline.moved', { name }));
    focusRow(frame.current, place);
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': headings[placeOf(key)]?.words ?? '' })),
    getDropOperation: () => 'move',
    onReorder({ keys, target }) {
      const at = placeOf([...keys][0]);
      moved(at, moveBefore(buffer, at, placeOf(target.key) + (target.dropPosition === 'after' ? 1 : 0)));
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className="outline-drop" />,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    // What was moved here is taken back here: the focus is in the list still.
    if ((studio.isMac ? event.metaKey : event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      event.stopPropagation();
      return studio.pane?.run(event.shiftKey ? 'edit.redo' : 'edit.undo');
    }
    const at = placeOf((event.target as Element).closest('.outline-row')?.getAttribute('data-key'));
    const isMove = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && /^Arrow(Up|Down)$/u.test(event.key);
    if (!isMove || Number.isNaN(at)) return;
    event.preventDefault();
    event.stopPropagation();
    moved(at, moveByOne(buffer, headings, at, event.key === 'ArrowUp'));
  };
  return (
    <div
      className="outline-frame"
      role="presentation"
      ref={frame}
      style={{ height: `${headings.length * rowHeight}px` }}
      onKeyDownCapture={onKeyDown}
    >
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight }}>
        <GridList
          className="outline-list"
          aria-label={words('outline.headings')}
          aria-describedby="outline-help"
          items={items}
          dependencies={[current, headings]}
          selectionMode="none"
          dragAndDropHooks={dragAndDropHooks}
          onAction={(key) => {
            goTo(studio, headings[placeOf(key)]?.line ?? 1, 1);
            focusPage(studio);
          }}
        >
          {({ id, at, words: name, level }) => (
            <GridListItem
              id={id}
              className="outline-row"
              textValue={words(at === current ? 'outline.heading-here' : 'outline.heading', {
                name: name || words('outline.unnamed'),
                level,
              })}
              data-current={at === current}
            >
              <span className="outline-face" style={{ paddingInlineStart: `${(level - least) * 13 + 8}px` }} data-level={level - least}>
                {name || <i>{words('outline.unnamed')}</i>}
              </span>
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    </div>
  );
}

/** The rows are drawn anew with the text: the focus follows the heading to its new one, unless it has been taken elsewhere. */
function focusRow(frame: HTMLElement | null, place: number): void {
  let tries = 0;
  const look = () => {
    const row = frame?.querySelector<HTMLElement>(`[data-key="${keyOf(place)}"]`);
    const holder = document.activeElement;
    const isElsewhere = holder !== null && holder !== document.body && frame?.contains(holder) !== true;
    if (isElsewhere) return;
    if (row != null) row.focus();
    else if (tries++ < 20) requestAnimationFrame(look);
  };
  setTimeout(look, 30);
}
