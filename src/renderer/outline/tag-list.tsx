import { useEffect, useState } from 'react';
import { foldedTag, tagsIn } from '#kernel/tag';
import type { TagUse } from '#protocol/file-calls';
import type { Buffer } from '#renderer/editor/buffer.ts';
import { openAt } from '#renderer/ui/mode.ts';
import { useStudio } from '#renderer/ui/studio.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { FoldedPart } from './folded-part.tsx';
import { followFiles } from './following.ts';

/** The tags of the workspace, those of the document in front first; one that is pressed shows its documents. */
export function TagList({ buffer }: { readonly buffer: Buffer }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const [tags, setTags] = useState<readonly TagUse[]>([]);
  const [open, setOpen] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    const { call, on } = studio.connection;
    const stop = followFiles(
      on,
      () =>
        void call('files/tags', {}).then(
          (answer) => !isOver && setTags(answer.tags),
          // What is known stays, until the next change.
          () => {},
        ),
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [studio]);
  if (tags.length === 0) return null;
  const own = new Set(tagsIn(buffer.state.doc.sliceString(0, 200_000)).map(foldedTag));
  const ordered = [...tags].sort((a, b) => Number(own.has(foldedTag(b.tag))) - Number(own.has(foldedTag(a.tag))));
  const number = new Intl.NumberFormat(locale);
  return (
    <FoldedPart name={words('outline.tags')} count={number.format(tags.length)}>
      <ul className="outline-links">
        {ordered.map(({ tag, count, paths }) => (
          <li key={tag}>
            <button
              type="button"
              className="outline-tag"
              data-own={own.has(foldedTag(tag))}
              aria-expanded={open === tag}
              onClick={() => setOpen(open === tag ? null : tag)}
            >
              #{tag} <span className="outline-count">{number.format(count)}</span>
            </button>
            {open === tag &&
              paths.map((path) => (
                <button type="button" className="outline-link" key={path} title={path} onClick={() => void openAt(studio, path, null)}>
                  {path}
                </button>
              ))}
          </li>
        ))}
      </ul>
    </FoldedPart>
  );
}
