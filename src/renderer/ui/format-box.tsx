import { useEffect, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { type Encoding, type EncodingSample, encodingNames } from '#protocol/encoding';
import { Fault } from '#protocol/fault';
import type { Buffer } from '#renderer/editor/buffer.ts';
import { convertBreaks, hasFinalBreak, toggleFinalBreak, toggleMark } from '#renderer/editor/file-format.ts';
import { breakName, type LineBreak, lineBreaksOf } from '#renderer/editor/line-breaks.ts';
import { isUntitled } from '#renderer/editor/untitled.ts';
import { faultWords, useLocale, useWords } from '#renderer/words.ts';
import { Box } from './box.tsx';
import { focusPage, useStudio, useTabs } from './studio.ts';
import './format-box.css';

/** How the file in front is written: line breaks, byte order mark, its end, and its encoding. Nothing is changed but what the writer changes here. */
export function FormatBox({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const buffer = studio.documents.bufferOf(path);
  // A change of the file's form is one of the tab at the latest.
  useTabs(({ tabs }) => tabs.find((tab) => tab.path === path));
  const close = () => {
    studio.view.answered();
    focusPage(studio);
  };
  if (buffer === undefined) return null;
  return (
    <Box title={words('format.title', { name: path.slice(path.lastIndexOf('/') + 1) })} className="format-box">
      {buffer.readOnly === null && <Endings buffer={buffer} />}
      {!isUntitled(path) && <Encodings buffer={buffer} close={close} />}
      <div className="acts end">
        <button type="button" className="line" onClick={close}>
          {words('dialog.close')}
        </button>
      </div>
    </Box>
  );
}

const kinds = [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const satisfies readonly (readonly [string, LineBreak])[];

function Endings({ buffer }: { readonly buffer: Buffer }) {
  const words = useWords();
  const { documents } = useStudio();
  const [, setTurn] = useState(0);
  const breaks = lineBreaksOf(buffer.state);
  const name = breakName(breaks);
  const change = (act: () => void) => () => {
    act();
    documents.edited(buffer, true);
    setTurn((turn) => turn + 1);
  };
  const convert = (chosen: string) => change(() => convertBreaks(buffer, kinds.find(([kind]) => kind === chosen)![1]))();
  return (
    <div className="format-part">
      <RadioGroup className="format-breaks" aria-label={words('format.breaks')} value={name === 'mixed' ? null : name} onChange={convert}>
        <span>{words('format.breaks')}</span>
        {kinds.map(([kind]) => (
          <Radio key={kind} value={kind} className="format-choice" autoFocus={kind === (name === 'mixed' ? 'LF' : name)}>
            {kind}
          </Radio>
        ))}
        {name === 'mixed' && <span className="muted">{words('format.mixed')}</span>}
      </RadioGroup>
      <label>
        <input type="checkbox" checked={breaks.bom} onChange={change(() => toggleMark(buffer))} /> {words('format.mark')}
      </label>
      <label>
        <input type="checkbox" checked={hasFinalBreak(buffer)} onChange={change(() => toggleFinalBreak(buffer))} /> {words('format.final')}
      </label>
      <p className="muted small">{words('format.explain')}</p>
    </div>
  );
}

function Encodings({ buffer, close }: { readonly buffer: Buffer; readonly close: () => void }) {
  const words = useWords();
  const locale = useLocale();
  const { documents, connection } = useStudio();
  const { path } = buffer;
  const [samples, setSamples] = useState<readonly EncodingSample[]>([]);
  const [chosen, setChosen] = useState<Encoding>(buffer.encoding);
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    connection.call('document/encodings', { path }).then(
      (answer) => isWanted && setSamples(answer.samples),
      (error) => isWanted && error instanceof Fault && setSaid(faultWords(error.code, error.detail, locale)),
    );
    return () => {
      isWanted = false;
    };
  }, [connection, path, locale]);
  const read = async () => {
    if (await documents.readAs(path, chosen)) close();
    else setSaid(words('format.unsaved'));
  };
  const save = async () => {
    const outcome = await documents.saveAs(path, chosen);
    if (outcome === 'saved' || outcome === 'clean') return close();
    const state = documents.tabs.getState().tabs.find((tab) => tab.path === path)?.save;
    setSaid(state?.kind === 'failed' ? faultWords(state.code, state.detail, locale) : words('format.not-saved'));
  };
  return (
    <div className="format-part">
      <RadioGroup
        className="format-list"
        aria-label={words('format.encoding')}
        value={chosen}
        onChange={(value) => setChosen(value as Encoding)}
      >
        {samples.map(({ encoding, text, isExact }) => (
          <Radio key={encoding} value={encoding} className="format-choice">
            <span className="format-name">{encodingNames[encoding]}</span>
            <span className={isExact ? 'format-sample' : 'format-sample faint'}>{text}</span>
            {encoding === buffer.encoding && <span className="muted small">{words('format.now')}</span>}
          </Radio>
        ))}
      </RadioGroup>
      {said !== null && (
        <p className="lost" role="alert">
          {said}
        </p>
      )}
      <div className="acts">
        <button type="button" className="line" onClick={() => void read()}>
          {words('format.read', { encoding: encodingNames[chosen] })}
        </button>
        {buffer.readOnly === null && (
          <button type="button" className="line" disabled={chosen === buffer.encoding} onClick={() => void save()}>
            {words('format.save', { encoding: encodingNames[chosen] })}
          </button>
        )}
      </div>
    </div>
  );
}
