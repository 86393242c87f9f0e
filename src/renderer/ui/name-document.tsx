import { useId, useState } from 'react';
import { folderOf, nameOf } from '#kernel/address';
import { useWords } from '#renderer/words.ts';
import { newPath } from './file-name.ts';
import { FormBox } from './form-box.tsx';
import { copyDocument, freeName, likelyFolder, nameDocument, suggestedName } from './naming.ts';
import { focusIn, focusPage, useStudio, useWorkspace } from './studio.ts';

/** Asks for the name and the folder of a document that has no file yet, and saves it there; `named` follows. */
export function NameDocument({ path, named }: { readonly path: string; readonly named: (path: string) => void }) {
  const words = useWords();
  const studio = useStudio();
  const [offered] = useState(() => ({ name: suggestedName(studio, path), folder: likelyFolder(studio) }));
  const [where] = useState<'front' | 'beside'>(() => (studio.documents.tabs.getState().active === path ? 'front' : 'beside'));
  const save = async (wanted: string) => {
    const isSaved = await nameDocument(studio, path, wanted);
    studio.view.answered();
    focusIn(studio, where);
    if (isSaved) named(wanted);
  };
  return <NameBox title={words('name.title')} offered={offered} save={save} />;
}

/** Asks where a copy of a document is to be, makes it of the text as it stands in the window, and opens it. */
export function CopyDocument({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const [offered] = useState(() => ({ name: freeName(studio, path), folder: folderOf(path) }));
  const save = async (wanted: string) => {
    await copyDocument(studio, path, wanted);
    studio.view.answered();
    focusPage(studio);
  };
  return <NameBox title={words('name.copy', { name: nameOf(path) })} about={words('name.copy-hint')} offered={offered} save={save} />;
}

interface NameBoxProps {
  readonly title: string;
  readonly about?: string;
  readonly offered: { readonly name: string; readonly folder: string };
  /** Saves it there; what it throws is said in the box. */
  readonly save: (wanted: string) => Promise<void>;
}

function NameBox({ title, about, offered, save: saveAt }: NameBoxProps) {
  const words = useWords();
  const folders = useFolders();
  const list = useId();
  const [name, setName] = useState(offered.name);
  const [folder, setFolder] = useState(offered.folder);
  const wanted = newPath(`${folder.trim().replace(/\/*$/u, '/')}${name}`);
  const save = async () => {
    if (wanted === null || name.trim() === '') return words('new.no-name');
    await saveAt(wanted);
    return undefined;
  };
  const isNamed = wanted !== null && name.trim() !== '';
  return (
    <FormBox
      title={title}
      hint={isNamed ? words('new.will-be', { path: wanted }) : words('new.hint')}
      act={words('close.save')}
      submit={save}
    >
      {about !== undefined && <p className="muted small">{about}</p>}
      <label className="field">
        <span>{words('new.name')}</span>
        <input ref={takeFocusWhole} value={name} spellCheck={false} onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="field">
        <span>{words('name.folder')}</span>
        <input value={folder} list={list} spellCheck={false} onChange={(event) => setFolder(event.target.value)} />
      </label>
      <datalist id={list}>
        {folders.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </FormBox>
  );
}

/** The name that is offered is one key away from another one. */
const takeFocusWhole = (field: HTMLInputElement | null): void => field?.select();

function useFolders(): readonly string[] {
  const files = useWorkspace((workspace) => workspace.files);
  const empty = useWorkspace((workspace) => workspace.emptyFolders);
  return [...new Set([...files.map((file) => folderOf(file.path)), ...empty])].filter(Boolean).sort();
}
