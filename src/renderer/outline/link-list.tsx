import { useEffect, useState } from 'react';
import { folderOf, nameOf } from '#kernel/address';
import type { LinkSource } from '#protocol/file-calls';
import { openAt } from '#renderer/ui/mode.ts';
import { useStudio } from '#renderer/ui/studio.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { FoldedPart } from './folded-part.tsx';
import { followFiles } from './following.ts';

type Links = { readonly links: readonly LinkSource[]; readonly more: boolean };

/** The documents that link to one, with the lines in which they do. */
export function LinkList({ path }: { readonly path: string }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const [found, setFound] = useState<Links | 'failed' | null>(null);
  useEffect(() => {
    let isOver = false;
    const { call, on } = studio.connection;
    const ask = () =>
      void call('files/links-to', { path }).then(
        (links) => !isOver && setFound(links),
        () => !isOver && setFound('failed'),
      );
    const stop = followFiles(on, ask);
    return () => {
      isOver = true;
      stop();
    };
  }, [studio, path]);
  if (found === null || found === 'failed')
    return found === null ? null : <p className="muted none small">{words('outline.links-failed')}</p>;
  const number = new Intl.NumberFormat(locale);
  const count = `${number.format(found.links.length)}${found.more ? '+' : ''}`;
  return (
    <FoldedPart name={words('outline.links')} count={count}>
      {found.links.length === 0 && <p className="muted none small">{words('outline.no-links')}</p>}
      <ul className="outline-links">
        {byDocument(found.links).map(([from, links]) => (
          <li key={from}>
            <button type="button" className="outline-document" title={from} onClick={() => void openAt(studio, from, links[0]!.line)}>
              {nameOf(from)} <span className="muted small">{folderOf(from)}</span>
            </button>
            {links.map(({ line, text }) => (
              <button type="button" className="outline-link" key={line} onClick={() => void openAt(studio, from, line)}>
                {text}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </FoldedPart>
  );
}

/** One row for each line: a line that links twice is shown once. */
function byDocument(links: readonly LinkSource[]): (readonly [string, readonly LinkSource[]])[] {
  const documents = new Map<string, LinkSource[]>();
  for (const link of links) {
    const known = documents.get(link.path) ?? [];
    documents.set(link.path, known);
    if (known.at(-1)?.line !== link.line) known.push(link);
  }
  return [...documents];
}
