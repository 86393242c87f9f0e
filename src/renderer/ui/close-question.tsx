import { isUntitled } from '#renderer/editor/untitled.ts';
import { useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
import { withName } from './naming.ts';
import { focusPage, useStudio } from './studio.ts';

/** Asks what becomes of unsaved changes before a tab is closed. */
export function CloseQuestion({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const { documents, view } = studio;
  const close = () => {
    view.answered();
    documents.close(path);
    focusPage(studio);
  };
  const save = async () => {
    view.answered();
    if (isUntitled(path)) {
      return withName(studio, path, (named) => {
        documents.close(named);
        focusPage(studio);
      });
    }
    const outcome = await documents.save(path);
    if (outcome === 'saved' || outcome === 'clean') close();
    else view.notify(words('close.kept', { path }));
  };
  return (
    <Box title={words('close.title', { name: path.slice(path.lastIndexOf('/') + 1) })} className="narrow" isQuestion>
      <p className="muted">{words(isUntitled(path) ? 'close.explain-untitled' : 'close.explain')}</p>
      <div className="acts end">
        <button type="button" className="line" onClick={close}>
          {words('close.discard')}
        </button>
        <span className="space" />
        <button type="button" className="line" onClick={view.answered}>
          {words('dialog.cancel')}
        </button>
        <button type="button" className="solid" ref={takeFocus} onClick={() => void save()}>
          {words('close.save')}
        </button>
      </div>
    </Box>
  );
}
