import { useState } from 'react';
import { Button, Input, Label, TextField } from 'react-aria-components';
import { useStore } from 'zustand';
import type { AnchorRow } from '#protocol/anchor-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { CodePicker } from './code-picker.tsx';
import { SeveralCode } from './code-several.tsx';
import { useCode } from './code-verbs.ts';
import { CodeView } from './code-view.tsx';
import { documentOf, whatOf } from './code-words.ts';
import { useCodeWords } from './words.ts';

/** What is asked over the page, about a row or about several. */
export function CodeDialogs() {
  const { store, verbs } = useCode();
  const { asking } = useStore(store);
  if (asking === null) return null;
  const close = () => verbs.ask(null);
  if (asking.kind === 'several') return <SeveralCode rows={asking.rows} close={close} />;
  if (asking.kind === 'rebind') return <Rebind row={asking.row} close={close} />;
  if (asking.kind === 'view') return <CodeView anchor={asking.row.anchor} close={close} />;
  return asking.kind === 'remove' ? <Remove row={asking.row} close={close} /> : <Retire row={asking.row} close={close} />;
}

interface Asked {
  readonly row: AnchorRow;
  readonly close: () => void;
}

function Rebind({ row, close }: Asked) {
  const words = useCodeWords();
  const { world } = useBench();
  const { verbs } = useCode();
  const { anchor } = row;
  return (
    <AskOver title={words('pick.rebind-title')} isWide close={close}>
      <p className="bd-quiet">{documentOf(anchor)}</p>
      <CodePicker
        call={world.call}
        repository={anchor.repository}
        file={anchor.state === 'lost' ? null : anchor.detail.file}
        act={words('pick.rebind')}
        choose={async (to, what) => verbs.rebind(row, to, what)}
        close={close}
      />
    </AskOver>
  );
}

function Remove({ row, close }: Asked) {
  const words = useCodeWords();
  const { verbs } = useCode();
  const names = { document: documentOf(row.anchor), what: whatOf(row.anchor, words) };
  return (
    <AskOver title={words('remove.title')} close={close}>
      <p>{words('remove.text', names)}</p>
      <div className="bd-actions">
        <Button className="bd-button bd-solid" autoFocus onPress={() => verbs.remove(row)}>
          {words('act.remove')}
        </Button>
        <Button className="bd-button" onPress={close}>
          {words('act.cancel')}
        </Button>
      </div>
    </AskOver>
  );
}

function Retire({ row, close }: Asked) {
  const words = useCodeWords();
  const { verbs } = useCode();
  const [reason, setReason] = useState('');
  const names = { document: documentOf(row.anchor), what: whatOf(row.anchor, words) };
  return (
    <AskOver title={words('retire.title')} close={close}>
      <p>{words('retire.text', names)}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') verbs.retire(row, reason);
        }}
      >
        <TextField className="bd-field" value={reason} onChange={setReason} maxLength={1000} isRequired autoFocus>
          <Label>{words('retire.reason')}</Label>
          <Input placeholder={words('retire.hint')} />
        </TextField>
        <div className="bd-actions">
          <Button className="bd-button bd-solid" type="submit" isDisabled={reason.trim() === ''}>
            {words('act.retire')}
          </Button>
          <Button className="bd-button" onPress={close}>
            {words('act.cancel')}
          </Button>
        </div>
      </form>
    </AskOver>
  );
}
