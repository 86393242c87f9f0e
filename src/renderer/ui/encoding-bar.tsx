import type { Buffer } from '#renderer/editor/buffer.ts';
import { useWords } from '#renderer/words.ts';
import { useStudio } from './studio.ts';

/** Says that a document cannot be changed because it is not in the encoding that it was read in, and offers to pick another. */
export function EncodingBar({ path, reason }: { readonly path: string; readonly reason: NonNullable<Buffer['readOnly']> }) {
  const words = useWords();
  const { view } = useStudio();
  return (
    <section className="change-bar" data-region="encoding" tabIndex={-1} aria-label={words('format.region')}>
      <p>{words(`format.${reason}`, { path })}</p>
      <div className="acts">
        <button type="button" className="line" onClick={() => view.ask({ kind: 'format', path })}>
          {words('format.pick')}
        </button>
      </div>
    </section>
  );
}
