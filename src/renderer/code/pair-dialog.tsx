import { useState } from 'react';
import { Fault } from '#protocol/fault';
import { faultOf } from '#renderer/breakdown/listing.ts';
import { Box } from '#renderer/ui/box.tsx';
import { focusPage, useStudio, useWorkspace } from '#renderer/ui/studio.ts';
import { FuzzyList } from './code-fuzzy.tsx';
import type { CodeSaid } from './code-list.ts';
import { useCodeSaid } from './code-said.ts';
import { TurnOn } from './turn-on.tsx';
import { useCodeWords } from './words.ts';
import '#renderer/breakdown/breakdown.css';
import './code.css';

/** Ties the document in front to another one that is to say the same. */
export function PairDialog({ path }: { readonly path: string }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const studio = useStudio();
  const { connection, documents, view, workspace } = studio;
  const [role, setRole] = useState<'technical' | 'human'>('technical');
  const [said, setSaid] = useState<CodeSaid | null>(null);
  const [waiting, setWaiting] = useState<string | null>(null);
  const files = useWorkspace((known) => known.files);
  const others = files.filter(({ path: other, document }) => document && other !== path).map((file) => file.path);
  const pair = async (other: string) => {
    const saved = await documents.save(path);
    if (saved !== 'saved' && saved !== 'clean') return view.notify(words('pick.unsaved', { document: path }));
    const [technical, human] = role === 'technical' ? [path, other] : [other, path];
    try {
      await connection.call('pair/make', { technical, human });
      view.answered();
      view.notify(words('pair.made', { technical, human }));
      focusPage(studio);
    } catch (error) {
      // Nothing was ever recorded here, and the writer has not said that it may be.
      if (error instanceof Fault && error.code === 'no-workspace-record') return setWaiting(other);
      setSaid(faultOf(error));
    }
  };
  const turnOn = async (other: string) => {
    try {
      await workspace.setProvenance(true);
      setWaiting(null);
      await pair(other);
    } catch (error) {
      setSaid(faultOf(error));
    }
  };
  return (
    <Box title={words('pair.title')}>
      <p className="muted">{words('pair.about')}</p>
      <fieldset className="pair-role">
        <legend className="bd-faint">{words('pair.role', { path })}</legend>
        {(['technical', 'human'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="role" checked={role === one} onChange={() => setRole(one)} /> {words(`pair.role-${one}`)}
          </label>
        ))}
      </fieldset>
      <FuzzyList
        label={words('pair.other')}
        hint={words('pick.file-hint')}
        listLabel={words('pair.documents')}
        items={others}
        textOf={(file) => file}
        drawn={(file) => <bdi>{file}</bdi>}
        isWorking={false}
        choose={(other) => void pair(other)}
      />
      {waiting !== null && <TurnOn about="pair" run={() => void turnOn(waiting)} />}
      {said !== null && (
        <p className="bd-note" role="alert">
          {saidOf(said)}
        </p>
      )}
      <div className="acts end">
        <button type="button" className="line" onClick={view.answered}>
          {words('act.cancel')}
        </button>
      </div>
    </Box>
  );
}
