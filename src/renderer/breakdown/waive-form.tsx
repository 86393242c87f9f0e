import { type FormEvent, useEffect, useState } from 'react';
import { Button, FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import { endOfDay } from '#renderer/breakdown/moment.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/**
 * Asks why a difference may stand and, if the writer wants, until when. A blank reason is refused at its field; what is sent before the change
 * stands on the page waits for it.
 */
export function WaiveForm({
  hint,
  now,
  isReady,
  waive,
  cancel,
}: {
  /** What waiving does. */
  readonly hint: string;
  readonly now: () => number;
  /** The change is on the page. */
  readonly isReady: boolean;
  readonly waive: (reason: string, expires: string | null) => void;
  readonly cancel: () => void;
}) {
  const words = useBreakdownWords();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const [waiting, setWaiting] = useState<{ readonly reason: string; readonly expires: string | null } | null>(null);
  const expires = until === '' ? null : endOfDay(until);
  const isBlank = reason.trim() === '';
  const isPast = until !== '' && (expires === null || Date.parse(expires) <= now());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    setWaiting(isBlank || isPast ? null : { reason: reason.trim(), expires });
  };
  useEffect(() => {
    if (!isReady || waiting === null) return;
    setWaiting(null);
    waive(waiting.reason, waiting.expires);
  }, [isReady, waiting, waive]);
  return (
    <Form className="bd-waive" onSubmit={submit} validationBehavior="aria" aria-label={words('waive.label')} aria-busy={waiting !== null}>
      <TextField className="bd-field bd-reason" value={reason} onChange={setReason} isInvalid={isAsked && isBlank} isRequired autoFocus>
        <Label>{words('waive.reason')}</Label>
        <Input placeholder={words('waive.reason-hint')} autoComplete="off" />
        <FieldError>{words('waive.blank')}</FieldError>
      </TextField>
      <TextField className="bd-field" type="date" value={until} onChange={setUntil} isInvalid={isAsked && isPast}>
        <Label>{words('waive.until')}</Label>
        <Input />
        <FieldError>{words('waive.past')}</FieldError>
      </TextField>
      <p className="bd-quiet bd-under">{hint}</p>
      <div className="bd-form-actions bd-under">
        <Button type="submit" className="bd-button bd-solid">
          {words('action.waive')}
        </Button>
        <Button className="bd-button" onPress={cancel}>
          {words('waive.cancel')}
        </Button>
      </div>
    </Form>
  );
}
