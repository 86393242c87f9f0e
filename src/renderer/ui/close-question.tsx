import { useWords } from '#renderer/words.ts';
import { Box, takeFocus } from './box.tsx';
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
    const outcome = await documents.save(path);
    if (outcome === 'saved' || outcome === 'clean') close();
    else view.notify(words('close.kept', { path }));
  };
  return (
    <Box title={words('close.title', { name: path.slice(path.lastIndexOf('/') + 1) })} className="narrow" isQuestion>
      <p className="muted">{words('close.explain')}</p>
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
