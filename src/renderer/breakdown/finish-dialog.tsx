import { type FormEvent, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import type { NamedDocument } from '#renderer/breakdown/listing.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** Asks before a document is marked as finished: every row of it falls silent, listed or not. A reason may be given. */
export function FinishDialog({
  document: { path, object },
  listed,
  finish,
  close,
}: {
  readonly document: NamedDocument;
  /** How many rows of it are on the page now. */
  readonly listed: number;
  readonly finish: (reason: string) => void;
  readonly close: () => void;
}) {
  const words = useBreakdownWords();
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    finish(reason.trim());
  };
  return (
    <AskOver title={words('finish.title', { path: path ?? object })} close={close}>
      <p className="bd-quiet">
        {words('finish.explanation', { count: listed })} {words('finish.at-once')}
      </p>
      <Form className="bd-waive" onSubmit={submit}>
        <TextField className="bd-field bd-reason" value={reason} onChange={setReason} maxLength={500} autoFocus>
          <Label>{words('finish.reason')}</Label>
          <Input autoComplete="off" />
        </TextField>
        <div className="bd-form-actions bd-under">
          <Button type="submit" className="bd-button bd-solid">
            {words('finish.mark')}
          </Button>
          <Button className="bd-button" onPress={close}>
            {words('waive.cancel')}
          </Button>
        </div>
      </Form>
    </AskOver>
  );
}
