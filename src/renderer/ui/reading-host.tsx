import { useEffect, useRef } from 'react';
import type { Buffer } from '#renderer/editor/buffer.ts';
import { wikiAddress } from '#renderer/editor/link-target.ts';
import { isBroken } from '#renderer/editor/live/link-state.ts';
import { scrollingEvents, scrollToCharacter, topCharacter } from '#renderer/editor/scroll.ts';
import type { Reader, ReaderOptions } from '#renderer/reading/reader.ts';
import { drawingWordsOf, readingWordsOf } from '#renderer/reading/reading-words.ts';
import { useWords } from '#renderer/words.ts';
import { followAddress } from './follow-link.ts';
import { fetchPicture, pictureAddress } from './picture.ts';
import { type Studio, useStudio } from './studio.ts';

/** How long the writer rests before what is read beside the text is drawn anew, in ms. */
const rest = 120;
interface ReadingHostProps {
  readonly path: string;
  /** Whether the text stands beside it, so that both scroll together. */
  readonly isBeside: boolean;
}

/** A document as it reads. What draws it is fetched when it is first asked for. */
export function ReadingHost({ path, isBeside }: ReadingHostProps) {
  const words = useWords();
  const studio = useStudio();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buffer = studio.documents.bufferOf(path);
    const parent = host.current;
    if (buffer === undefined || parent === null) return;
    let stop: (() => void) | null = null;
    let isOver = false;
    void import('#renderer/reading/reader.ts').then(({ createReader }) => {
      if (!isOver) stop = startReader(studio, buffer, isBeside, words, (options) => createReader(parent, options));
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [studio, path, isBeside, words]);
  return <div className="reading-host" ref={host} />;
}

type Words = ReturnType<typeof useWords>;

function startReader(
  studio: Studio,
  buffer: Buffer,
  isBeside: boolean,
  words: Words,
  create: (options: ReaderOptions) => Reader,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isByHand = true;
  const scroller = isBeside ? (buffer.view?.scrollDOM ?? null) : null;
  const touched = () => {
    isByHand = true;
  };
  const follow = () => {
    if (buffer.view !== null && isByHand) reader.scrollTo(topCharacter(buffer.view));
  };
  const reader = create({
    ...optionsOf(studio, buffer, words),
    scrolled: (at) => {
      studio.readPlace.setState({ path: buffer.path, at });
      if (!isBeside || buffer.view === null) return;
      isByHand = false;
      scrollToCharacter(buffer.view, at);
    },
    shown: () => {},
  });
  const show = () => reader.show(buffer.state.doc.toString());
  const stopHearing = studio.hearText((changed) => {
    if (changed !== buffer) return;
    clearTimeout(timer);
    timer = setTimeout(show, rest);
  });
  studio.reader = reader;
  scroller?.addEventListener('scroll', follow, { passive: true });
  for (const event of scrollingEvents) scroller?.addEventListener(event, touched, { passive: true, capture: true });
  const beginning = isBeside && buffer.view !== null ? topCharacter(buffer.view) : (studio.modes.takePlace(buffer.path) ?? 0);
  studio.readPlace.setState({ path: buffer.path, at: beginning });
  reader.scrollTo(beginning);
  show();
  if (!isBeside) reader.focus();
  return () => {
    clearTimeout(timer);
    stopHearing();
    scroller?.removeEventListener('scroll', follow);
    for (const event of scrollingEvents) scroller?.removeEventListener(event, touched, { capture: true });
    if (studio.reader === reader) studio.reader = null;
    reader.destroy();
  };
}

function optionsOf(studio: Studio, { path, state }: Buffer, words: Words): Omit<ReaderOptions, 'scrolled' | 'shown'> {
  const root = () => studio.workspace.store.getState().info?.root ?? '';
  return {
    path,
    name: words('reading.name', { path }),
    failed: words('reading.failed'),
    reading: readingWordsOf(words),
    words: drawingWordsOf(words),
    pictureAddress: (picture) => pictureAddress(root(), picture),
    fetchPicture: (url) => fetchPicture(studio.connection.call, url),
    isBroken: (address, isName) => isBroken(state, isName ? wikiAddress(decodeURI(address)) : address),
    follow: (address, isName) => void followAddress(studio, isName ? wikiAddress(decodeURI(address)) : address),
  };
}
