import { useId, useState } from 'react';
import { folderOf, nameOf } from '#kernel/address';
import { Box, takeFocus } from '#renderer/ui/box.tsx';
import { isName } from '#renderer/ui/file-name.ts';
import { FormBox } from '#renderer/ui/form-box.tsx';
import { useStudio, useWorkspace } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { createFolder, moveOrAsk, throwAway } from './acts.ts';

interface NameFormProps {
  readonly title: string;
  readonly label: string;
  readonly first: string;
  readonly act: string;
  readonly choices?: readonly string[];
  /** Does it; a fault is said in the box. */
  readonly submit: (text: string) => Promise<void>;
  /** Why a text cannot be taken; null where it can. */
  readonly problemIn: (text: string) => string | null;
}

/** A box with one field. */
function NameForm({ title, label, first, act, choices = [], submit, problemIn }: NameFormProps) {
  const list = useId();
  const [text, setText] = useState(first);
  const go = async () => {
    const wrong = problemIn(text);
    if (wrong === null) await submit(text);
    return wrong ?? undefined;
  };
  return (
    <FormBox title={title} act={act} submit={go}>
      <label className="field">
        <span>{label}</span>
        <input
          ref={takeFocus}
          value={text}
          spellCheck={false}
          {...(choices.length === 0 ? {} : { list })}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <datalist id={list}>
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </FormBox>
  );
}

const trimmed = (text: string) => text.trim().replace(/^\/+|\/+$/g, '');

/** Asks for the name of a new folder in `folder`. */
export function NewFolder({ folder }: { readonly folder: string }) {
  const words = useWords();
  const studio = useStudio();
  const submit = async (text: string) => {
    await createFolder(studio, folder === '' ? trimmed(text) : `${folder}/${trimmed(text)}`);
    studio.view.answered();
  };
  const problemIn = (text: string) => (trimmed(text).split('/').every(isName) ? null : words('files.no-name'));
  const title = folder === '' ? words('files.new-folder') : words('files.new-folder-in', { folder });
  return (
    <NameForm title={title} label={words('files.folder-name')} first="" act={words('new.create')} submit={submit} problemIn={problemIn} />
  );
}

/** Asks for the folder that a file or a folder goes to; folders that are not there are made. */
export function MoveTo({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const files = useWorkspace((workspace) => workspace.files);
  const folders = [...new Set(files.map((file) => folderOf(file.path)))]
    .filter((folder) => folder !== '' && folder !== folderOf(path))
    .sort();
  const submit = async (text: string) => {
    studio.view.answered();
    const folder = trimmed(text);
    await moveOrAsk(studio, [{ from: path, to: folder === '' ? nameOf(path) : `${folder}/${nameOf(path)}` }]);
  };
  const problemIn = (text: string) => (trimmed(text) === '' || trimmed(text).split('/').every(isName) ? null : words('files.no-name'));
  return (
    <NameForm
      title={words('files.move-title', { name: nameOf(path) })}
      label={words('files.move-folder')}
      first={folderOf(path)}
      act={words('files.move')}
      choices={folders}
      submit={submit}
      problemIn={problemIn}
    />
  );
}

interface NoTrashQuestionProps {
  readonly paths: readonly string[];
  readonly reason: string;
}

/** Asks again where there is no trash: what is deleted then is gone. */
export function NoTrashQuestion({ paths, reason }: NoTrashQuestionProps) {
  const words = useWords();
  const studio = useStudio();
  const remove = () => {
    studio.view.answered();
    void throwAway(studio, paths, true);
  };
  return (
    <Box title={words('files.no-trash-title')} className="narrow" isQuestion>
      <p>{words('files.no-trash-explain', { paths: paths.join(', ') })}</p>
      <p className="muted small">{reason}</p>
      <div className="acts end">
        <button type="button" className="line" onClick={remove}>
          {words('files.delete-forever')}
        </button>
        <span className="space" />
        <button type="button" className="solid" ref={takeFocus} onClick={studio.view.answered}>
          {words('files.keep')}
        </button>
      </div>
    </Box>
  );
}
