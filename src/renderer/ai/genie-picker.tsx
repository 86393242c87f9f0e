import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { GenieEntries, GenieEntry } from '#protocol/ai-calls';
import { isProviderId, providers } from '#protocol/ai-provider';
import { ChoiceField } from '#renderer/ui/choice-field.tsx';
import { focusIn, usePreference, useStudio, useWorkspace } from '#renderer/ui/studio.ts';
import { faultWords, problemWords, useLocale, useWords } from '#renderer/words.ts';
import type { Ready, Wish } from './model-desk.ts';
import type { ReviewPlace } from './review-act.ts';
import { SentPreview } from './sent-preview.tsx';
import { type Added, addedWords, type Offer, offersFor, withAdded, withoutNaming, wordsOfGenie } from './wish.ts';
import '#renderer/palette/palette.css';
import './ai.css';

/** The box in which a model is asked about the document in front: a genie, words of one’s own, its scope, documents to read. */
export function GeniePicker({ path, where }: { readonly path: string; readonly where: ReviewPlace }) {
  const words = useWords();
  const { view } = useStudio();
  const [ready, setReady] = useState<Ready | null>(null);
  return (
    <ModalOverlay className="overlay top" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && view.answered()}>
      <Modal className="palette genie-picker">
        <Dialog aria-label={words(ready === null ? 'genie.title' : 'sent.title')} className="palette-box">
          <div hidden={ready !== null} className="palette-box">
            <Picker path={path} where={where} show={setReady} isShown={ready === null} />
          </div>
          {ready !== null && <SentPreview ready={ready} where={where} back={() => setReady(null)} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface PickerProps {
  readonly path: string;
  readonly where: ReviewPlace;
  readonly show: (ready: Ready) => void;
  readonly isShown: boolean;
}

function Picker({ path, where, show, isShown }: PickerProps) {
  const words = useWords();
  const locale = useLocale();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [added, setAdded] = useState<readonly Added[]>([]);
  const [scope, setScope] = useState<GenieEntry['scope'] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const known = useGenies();
  const genies = known?.genies ?? null;
  const reads = useMemo(() => added.flatMap((one) => (one.kind === 'read' ? [one.path] : [])), [added]);
  const documents = useDocuments(path, reads);
  const offers = useMemo(() => offersFor(typed, genies, documents, words), [typed, genies, documents, words]);
  const current = offers[Math.min(at, offers.length - 1)];
  const perform = usePerform(path, where, show);

  const add = (one: Added) => {
    setAdded(withAdded(added, one));
    setTyped(withoutNaming(typed));
    setAt(0);
  };
  const choose = (offer: Offer, isLook: boolean) => {
    if (isAdded(offer)) return add(offer);
    const genie = offer.kind === 'genie' ? offer.genie : null;
    const passages = added.flatMap((one) => (one.kind === 'look-up' ? [one.text] : []));
    const ask = offer.kind === 'ask' ? offer.text : '';
    const wish: Wish = { genie, ask, scope: scope ?? genie?.scope ?? 'selection', reads, passages };
    const label = offer.kind === 'genie' ? offer.name : offer.text;
    setProblem(null);
    perform(wish, label, isLook).catch((error: unknown) => {
      setProblem(problemWords(error));
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };
    const by = steps[event.key];
    if (by !== undefined) setAt((Math.min(at, offers.length - 1) + by + offers.length) % Math.max(1, offers.length));
    else if (event.key === 'Enter' && current !== undefined) choose(current, event.shiftKey);
    else if (event.key === 'Backspace' && typed === '' && added.length > 0) setAdded(added.slice(0, -1));
    else return;
    event.preventDefault();
  };
  const own = current?.kind === 'genie' ? current.genie.scope : 'selection';
  return (
    <>
      <ChoiceField
        name={words('genie.title')}
        list={list}
        current={current === undefined ? undefined : `${list}-${current.id}`}
        isExpanded={offers.length > 0}
        placeholder={words('genie.placeholder')}
        text={typed}
        change={(next) => {
          setTyped(next);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        isProse
      />
      <div className="choices genie-choices" role="listbox" id={list} aria-label={words('genie.choices')} tabIndex={-1}>
        {offers.map((offer) => (
          <OfferRow
            key={offer.id}
            id={`${list}-${offer.id}`}
            offer={offer}
            isCurrent={offer === current}
            choose={() => choose(offer, false)}
          />
        ))}
      </div>
      {offers.length === 0 && genies !== null && <p className="palette-none muted">{words('genie.no-document')}</p>}
      {known?.unreadable.map((one) => (
        <p key={one.path} className="genie-problem small lost">
          {faultWords(one.code, one.detail, locale)}
        </p>
      ))}
      {problem !== null && (
        <p className="genie-problem lost" role="alert">
          {problem}
        </p>
      )}
      {added.length > 0 && <Reads added={added} remove={(gone) => setAdded(added.filter((one) => one !== gone))} />}
      <div className="genie-foot">
        <ToggleButtonGroup
          className="choice-buttons"
          selectionMode="single"
          disallowEmptySelection
          aria-label={words('genie.scope')}
          selectedKeys={[scope ?? own]}
          onSelectionChange={(keys) => {
            for (const key of keys) setScope(key as GenieEntry['scope']);
          }}
        >
          {(['selection', 'block', 'document'] as const).map((name) => (
            <ToggleButton key={name} id={name}>
              {words(`genie.scope-${name}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <Provider />
        <button
          type="button"
          className="line"
          disabled={current === undefined || isAdded(current) || !isShown}
          onClick={() => current !== undefined && choose(current, true)}
        >
          {words('genie.look')} <kbd>⇧↵</kbd>
        </button>
      </div>
    </>
  );
}

/** Prepares a wish; sends it where the writer has seen such a one before, and shows it first where not. */
function usePerform(path: string, where: ReviewPlace, show: (ready: Ready) => void) {
  const studio = useStudio();
  return async (wish: Wish, label: string, isLook: boolean) => {
    const ready = { ...(await studio.models.prepare(path, wish)), label };
    if (isLook || ready.prompt.firsts.length > 0) return show(ready);
    await studio.models.send(ready, false);
    studio.view.answered();
    focusIn(studio, where);
  };
}

/** The genies; null: not listed yet, so that nothing typed is known to be none's name. */
function useGenies(): GenieEntries | null {
  const { connection } = useStudio();
  const [entries, setEntries] = useState<GenieEntries | null>(null);
  useEffect(() => {
    let isGone = false;
    connection.call('ai/genies', {}).then(
      (found) => isGone || setEntries(found),
      // Without a connection there is nothing to choose; what is typed can still be asked later.
      () => isGone || setEntries({ genies: [], unreadable: [] }),
    );
    return () => {
      isGone = true;
    };
  }, [connection]);
  return entries;
}

function useDocuments(path: string, reads: readonly string[]): readonly string[] {
  const files = useWorkspace((workspace) => workspace.files);
  return useMemo(
    () => files.filter((file) => file.document && file.path !== path && !reads.includes(file.path)).map((file) => file.path),
    [files, path, reads],
  );
}

function Provider() {
  const words = useWords();
  const { view } = useStudio();
  const id = usePreference('ai.provider');
  const known = isProviderId(id) ? providers[id] : null;
  const name = known === null ? words('genie.no-ai') : (known.name ?? words('ai.compatible'));
  return (
    <button type="button" className="quiet genie-provider" onClick={() => view.ask({ kind: 'settings', section: 'ai' })}>
      {name}
    </button>
  );
}

const isAdded = (offer: Offer): offer is Added => offer.kind === 'read' || offer.kind === 'look-up';

function Reads({ added, remove }: { readonly added: readonly Added[]; readonly remove: (one: Added) => void }) {
  const words = useWords();
  return (
    <ul className="genie-reads" aria-label={words('genie.reads')}>
      {added.map((one) => (
        <li key={`${one.kind} ${addedWords(one)}`}>
          {one.kind === 'read' ? one.path : words('genie.passages', { text: one.text })}
          <button type="button" className="quiet" aria-label={words('genie.unread', { path: addedWords(one) })} onClick={() => remove(one)}>
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

interface OfferRowProps {
  readonly id: string;
  readonly offer: Offer;
  readonly isCurrent: boolean;
  readonly choose: () => void;
}

function OfferRow({ id, offer, isCurrent, choose }: OfferRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of its list
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className="choice genie-choice"
      ref={(row) => void (isCurrent && row?.scrollIntoView({ block: 'nearest' }))}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <OfferText offer={offer} />
    </div>
  );
}

function OfferText({ offer }: { readonly offer: Offer }) {
  const words = useWords();
  if (offer.kind === 'read') return <span>{offer.path}</span>;
  if (offer.kind === 'look-up') return <span className="genie-ask">{words('genie.look-up', { text: offer.text })}</span>;
  if (offer.kind === 'ask') return <span className="genie-ask">{words('genie.ask', { text: offer.text })}</span>;
  return (
    <>
      <span className="genie-name">{wordsOfGenie(offer.genie, words).name}</span>
      <span className="muted small genie-about">{offer.about}</span>
      {offer.genie.from !== 'app' && <span className="small genie-from">{words(`genie.from-${offer.genie.from}`)}</span>}
    </>
  );
}
