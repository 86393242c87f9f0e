import { useState } from 'react';
import type { CodeOfFile } from '#protocol/anchor-calls';
import type { Client } from '#protocol/calls';
import { faultOf } from '#renderer/breakdown/listing.ts';
import { useAnswer } from './code-answer.ts';
import { FuzzyList } from './code-fuzzy.tsx';
import type { Binding, CodeSaid } from './code-list.ts';
import { CodePreview } from './code-preview.tsx';
import { useCodeSaid } from './code-said.ts';
import { LinesField } from './lines-field.tsx';
import { useCodeWords } from './words.ts';
import '#renderer/breakdown/breakdown.css';
import '#renderer/breakdown/breakdown-acts.css';
import './code.css';

/** Chooses code: first a file, then a declaration of it with its preview, or lines where nothing is declared. */
export function CodePicker({
  call,
  repository,
  file: first,
  act,
  choose,
  close,
}: {
  readonly call: Client;
  readonly repository: string | null;
  /** The file to begin with; null asks for one. */
  readonly file: string | null;
  /** What the button says. */
  readonly act: string;
  /** Does it; a fault is said here, and the picker stays. */
  readonly choose: (to: Binding, what: string) => Promise<void>;
  readonly close: () => void;
}) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const [file, setFile] = useState(first);
  const [said, setSaid] = useState<CodeSaid | null>(null);
  const done = (to: Binding, what: string) => {
    setSaid(null);
    choose(to, what).catch((error: unknown) => setSaid(faultOf(error)));
  };
  return (
    <div className="code-picker">
      {file === null ? (
        <FileStep call={call} repository={repository} choose={setFile} />
      ) : (
        <>
          <p className="code-file">
            <bdi>{file}</bdi>
            <button type="button" className="bd-quiet-button" onClick={() => setFile(null)}>
              {words('pick.other-file')}
            </button>
          </p>
          <CodeStep key={file} call={call} repository={repository} file={file} act={act} choose={done} close={close} />
        </>
      )}
      {said !== null && (
        <p className="bd-note" role="alert">
          {saidOf(said)}
        </p>
      )}
      {file === null && <Buttons close={close} />}
    </div>
  );
}

function Buttons({ act, isOff = false, run, close }: { act?: string; isOff?: boolean; run?: () => void; close: () => void }) {
  const words = useCodeWords();
  return (
    <div className="bd-actions code-end">
      {act !== undefined && (
        <button type="button" className="bd-button bd-solid" disabled={isOff} onClick={run}>
          {act}
        </button>
      )}
      <button type="button" className="bd-button bd-outline" onClick={close}>
        {words('act.cancel')}
      </button>
    </div>
  );
}

type Asking = { readonly call: Client; readonly repository: string | null };

function FileStep({ call, repository, choose }: Asking & { readonly choose: (file: string) => void }) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { answer, said } = useAnswer(() => call('code/files', { repository }), repository ?? '');
  if (said !== null) return <p className="bd-note">{saidOf(said)}</p>;
  const files = answer?.files ?? [];
  return (
    <>
      <FuzzyList
        label={words('pick.file')}
        hint={words('pick.file-hint')}
        listLabel={words('pick.files')}
        items={files}
        textOf={(file) => file}
        drawn={(file) => <bdi>{file}</bdi>}
        isWorking={answer === null}
        choose={choose}
      />
      {answer?.more === true && <p className="bd-faint">{words('pick.more')}</p>}
    </>
  );
}

type Declared = CodeOfFile['declarations'][number];

interface CodeStepProps extends Asking {
  readonly file: string;
  readonly act: string;
  readonly choose: (to: Binding, what: string) => void;
  readonly close: () => void;
}

function CodeStep({ call, repository, file, act, choose, close }: CodeStepProps) {
  const words = useCodeWords();
  const saidOf = useCodeSaid();
  const { answer: code, said } = useAnswer(() => call('code/declarations', { repository, file }), file);
  const [current, setCurrent] = useState<Declared | null>(null);
  const [wantsLines, setWantsLines] = useState(false);
  const [lines, setLines] = useState({ start: 1, end: 1 });
  if (said !== null) return <p className="bd-note">{saidOf(said)}</p>;
  const isLines = wantsLines || (code !== null && code.declarations.length === 0);
  const take = (declared: Declared) => {
    if (declared.damaged) return;
    const target = { kind: 'declaration', name: declared.name, declared: declared.kind } as const;
    choose({ repository, file, target }, `${declared.kind} ${declared.name}`);
  };
  const run = () => {
    if (!isLines) return current !== null && take(current);
    return choose({ repository, file, target: { kind: 'lines', lines } }, words('lines', { lines: `${lines.start}-${lines.end}` }));
  };
  const shown = isLines ? lines : current;
  const isOff = isLines ? lines.end < lines.start : current === null || current.damaged;
  return (
    <>
      <div className="code-step">
        {isLines ? (
          <LinesField text={code?.text ?? ''} lines={lines} set={setLines} isForced={!wantsLines} />
        ) : (
          <FuzzyList
            label={words('pick.declaration')}
            hint={words('pick.declaration-hint')}
            listLabel={words('pick.declarations')}
            items={code?.declarations ?? []}
            textOf={({ name }) => name}
            drawn={(one) => <DeclaredLine declared={one} />}
            isWorking={code === null}
            choose={take}
            current={setCurrent}
          />
        )}
        {code !== null && shown !== null && (
          <CodePreview text={code.text} start={shown.start} end={shown.end} name={'name' in shown ? `${shown.kind} ${shown.name}` : file} />
        )}
      </div>
      {code !== null && code.parseErrors > 0 && <p className="bd-note">{words('pick.errors', { count: code.parseErrors })}</p>}
      {code !== null && code.declarations.length > 0 && (
        <button type="button" className="bd-quiet-button" onClick={() => setWantsLines(!wantsLines)}>
          {words(wantsLines ? 'pick.declarations-instead' : 'pick.lines')}
        </button>
      )}
      <Buttons act={act} isOff={isOff} run={run} close={close} />
    </>
  );
}

function DeclaredLine({ declared: { kind, name, start, damaged } }: { readonly declared: Declared }) {
  const words = useCodeWords();
  return (
    <>
      <span>
        <span className="bd-faint">{kind}</span> <code>{name}</code>
      </span>
      <span className="bd-faint">{damaged ? words('pick.damaged') : start}</span>
    </>
  );
}
