import { useState } from 'react';
import { useWords } from '#renderer/words.ts';
import { takeFocus } from './box.tsx';
import { beginOfTemplate, makeDocument, templatesOf } from './document-making.ts';
import { newPath } from './file-name.ts';
import { FormBox } from './form-box.tsx';
import { beginUntitled } from './naming.ts';
import { useStudio } from './studio.ts';

/** Asks for the name of a new document; it is made in `folder`, or in that of the document in front. */
export function NewDocument({ folder }: { readonly folder: string | null }) {
  const words = useWords();
  const studio = useStudio();
  const { documents, view } = studio;
  const templates = templatesOf(studio);
  const [template, setTemplate] = useState('');
  const active = documents.tabs.getState().active ?? '';
  const [name, setName] = useState(folder === null ? active.slice(0, active.lastIndexOf('/') + 1) : folder === '' ? '' : `${folder}/`);
  const path = newPath(name);
  const isUnnamed = /^$|\/$/u.test(name.trim());
  const create = async () => {
    if (path === null && !isUnnamed) return words('new.no-name');
    if (path !== null) await makeDocument(studio, path, template === '' ? null : template);
    else if (template === '') beginUntitled(studio);
    else await beginOfTemplate(studio, template);
    // While the file was made something else may have been asked for.
    if (view.store.getState().asking?.kind === 'new-document') view.answered();
    return undefined;
  };
  const hint = path === null ? words(isUnnamed ? 'new.unnamed' : 'new.hint') : words('new.will-be', { path });
  return (
    <FormBox title={words('new.title')} hint={hint} act={words('new.create')} submit={create}>
      <label className="field">
        <span>{words('new.name')}</span>
        <input
          ref={takeFocus}
          value={name}
          spellCheck={false}
          placeholder={words('new.example')}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      {templates.length > 0 && (
        <label className="field">
          <span>{words('new.template')}</span>
          <select value={template} onChange={(event) => setTemplate(event.target.value)}>
            <option value="">{words('new.no-template')}</option>
            {templates.map((path) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
        </label>
      )}
    </FormBox>
  );
}
