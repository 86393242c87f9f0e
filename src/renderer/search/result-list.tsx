import { memo, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { folderOf, nameOf } from '#kernel/address';
import { replacementFor, type SearchPattern, searchPattern } from '#kernel/search-pattern';
import type { FoundFile, FoundMatch } from '#protocol/search-calls';
import { useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { openMatch } from './opening.ts';
import { keyOf, type SearchState, type Wanted } from './search-store.ts';

/** What was found, by documents. */
export function ResultList() {
  const words = useWords();
  const { search } = useStudio();
  const { files, left, wanted } = useStore(search.store);
  const [current, setCurrent] = useState('');
  const preview = usePreview(wanted);
  return (
    <ul className="search-results" aria-label={words('search.results')}>
      {files.map((file) => (
        <FileHits
          key={file.path}
          file={file}
          left={wanted.isReplacing ? left : null}
          preview={preview}
          current={current.endsWith(` ${file.path}`) ? current : ''}
          setCurrent={setCurrent}
        />
      ))}
    </ul>
  );
}

type Preview = ((match: FoundMatch) => string) | null;

/** What would stand in place of a match; null while nothing is to be replaced. */
function usePreview({ isReplacing, replacement, ...query }: Wanted): Preview {
  const { text, isExpression, matchesCase, wholeWords } = query;
  return useMemo(() => {
    const pattern: SearchPattern | null = isReplacing ? searchPattern({ text, isExpression, matchesCase, wholeWords }) : null;
    if (pattern === null) return null;
    return ({ before, text: found, behind }) => {
      const place = { start: before.length, end: before.length + found.length };
      return replacementFor(pattern, isExpression, before + found + behind, place, replacement);
    };
  }, [isReplacing, replacement, text, isExpression, matchesCase, wholeWords]);
}

interface FileHitsProps {
  readonly file: FoundFile;
  readonly left: SearchState['left'] | null;
  readonly preview: Preview;
  readonly current: string;
  readonly setCurrent: (key: string) => void;
}

const FileHits = memo(function FileHits({ file, left, preview, current, setCurrent }: FileHitsProps) {
  const words = useWords();
  const { search } = useStudio();
  const { path, matches, more } = file;
  const keys = matches.map((match) => keyOf(path, match));
  const isTicked = left === null || keys.some((key) => !left.has(key));
  return (
    <li className="search-file">
      <div className="search-head" title={path}>
        {left !== null && (
          <input
            type="checkbox"
            aria-label={words('search.tick-file', { path })}
            checked={isTicked}
            onChange={() => search.tick(keys, !isTicked)}
          />
        )}
        <span className="search-name">{nameOf(path)}</span>
        <span className="faint small search-folder">{folderOf(path)}</span>
        <span className="faint small">{more ? words('search.many', { number: matches.length }) : matches.length}</span>
      </div>
      <ul>
        {matches.map((match, at) => (
          <Hit
            key={keys[at]}
            path={path}
            match={match}
            left={left}
            preview={preview}
            isCurrent={keys[at] === current}
            setCurrent={setCurrent}
          />
        ))}
      </ul>
    </li>
  );
});

interface HitProps extends Pick<FileHitsProps, 'left' | 'preview' | 'setCurrent'> {
  readonly path: string;
  readonly match: FoundMatch;
  readonly isCurrent: boolean;
}

function Hit({ path, match, left, preview, isCurrent, setCurrent }: HitProps) {
  const words = useWords();
  const studio = useStudio();
  const key = keyOf(path, match);
  const open = (stays: boolean) => {
    setCurrent(key);
    void openMatch(studio, path, match, stays);
  };
  return (
    <li className="search-line">
      {left !== null && (
        <input
          type="checkbox"
          aria-label={words('search.tick', { line: match.line, path })}
          checked={!left.has(key)}
          onChange={(event) => studio.search.tick([key], event.target.checked)}
        />
      )}
      <button
        type="button"
        className="search-hit"
        data-current={isCurrent}
        onClick={(event) => open(event.detail !== 1)}
        title={words('files.line', { line: match.line })}
      >
        <span className="faint">{match.line}</span> {headOf(match.before)}
        {preview === null ? <mark>{shown(match.text)}</mark> : <del>{shown(match.text)}</del>}
        {preview !== null && <ins>{shown(preview(match))}</ins>}
        {match.behind}
      </button>
    </li>
  );
}

/** So much of a line before its match that the match is seen in a narrow panel. */
const headLength = 20;

function headOf(before: string): string {
  const head = before.trimStart();
  return head.length <= headLength ? head : `…${head.slice(-headLength).toWellFormed()}`;
}

const shown = (text: string) => text.replaceAll(/\r\n|\r|\n/g, '⏎');
