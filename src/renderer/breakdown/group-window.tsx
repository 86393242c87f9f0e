import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** Up to this many groups all are drawn: then the browser's own search finds every row. */
const drawnWhole = 120;

/** How many groups are drawn beyond either edge of what is seen. */
const beyond = 6;

/** About how high the head of a group and one closed row of it are, in px: where a group was not drawn yet. */
const [headHeight, rowHeight] = [56, 37];

/** What the window of groups needs to know of each. */
export interface WindowedGroup {
  readonly key: string;
  readonly rows: number;
}

interface GroupWindowProps {
  readonly groups: readonly WindowedGroup[];
  /** Groups that are drawn wherever they are, by their places: those that the keys act on, and their neighbours. */
  readonly kept: readonly number[];
  readonly draw: (at: number) => ReactNode;
}

/** Draws groups: a few whole, and of many those in sight. The nearest `.bd-page` is what scrolls. */
export function GroupWindow(props: GroupWindowProps) {
  const { groups, draw } = props;
  if (groups.length <= drawnWhole) return groups.map(({ key }, at) => <Whole key={key}>{draw(at)}</Whole>);
  return <Windowed {...props} />;
}

function Whole({ children }: { readonly children: ReactNode }) {
  return children;
}

function Windowed({ groups, kept, draw }: GroupWindowProps) {
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const virtualizer = useVirtualizer({
    count: groups.length,
    getScrollElement: () => list.current?.closest('.bd-page') ?? null,
    estimateSize: (at) => headHeight + rowHeight * (groups[at]?.rows ?? 1),
    getItemKey: (at) => groups[at]?.key ?? at,
    overscan: beyond,
    scrollMargin: margin,
    rangeExtractor: (range) => extended(range, kept),
  });
  useLayoutEffect(() => {
    // What stands above changes by an act, not by scrolling; asked in each frame, it would have the whole page laid out twice.
    if (!virtualizer.isScrolling) setMargin(list.current?.offsetTop ?? 0);
  });
  return (
    <div ref={list} className="bd-window" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <div key={key} ref={virtualizer.measureElement} data-index={index} style={{ transform: `translateY(${start - margin}px)` }}>
          {draw(index)}
        </div>
      ))}
    </div>
  );
}

/** The places that are drawn, in their order. */
function extended(range: Range, kept: readonly number[]): number[] {
  return [...new Set([...defaultRangeExtractor(range), ...kept.filter((at) => at >= 0 && at < range.count)])].sort((a, b) => a - b);
}
