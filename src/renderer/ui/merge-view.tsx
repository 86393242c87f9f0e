import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { join, joinText } from '#renderer/editor/line-breaks.ts';
import {
  choiceOf,
  choicesAfter,
  type Hunk,
  type HunkChoice,
  type HunkChoices,
  hunkText,
  type MergePart,
  mergedText,
  mergeParts,
  openHunks,
} from '#renderer/editor/merge.ts';
import { useWords } from '#renderer/words.ts';
import { takeFocus } from './box.tsx';
import { focusPage, type Studio, useStudio } from './studio.ts';
import './merge.css';

/** The writer's text and what somebody else wrote, place by place, and what becomes of both. Nothing is changed before the writer takes the result. */
export function MergeView({ path }: { readonly path: string }) {
  const words = useWords();
  const studio = useStudio();
  const { documents, view } = studio;
  const { parts, base, choices, choose, isAgain } = useMerge(studio, path);
  const text = mergedText(parts, choices);
  const open = openHunks(parts, choices);
  const leave = () => {
    view.merge(null);
    focusPage(studio);
  };
  const take = () => {
    if (text === null || base === null || !documents.takeMerged(path, text, base)) return;
    view.announce(words('merge.taken', { path }));
    leave();
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) take();
    else if (!stepOrChoose(event, choose)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="merge compare" aria-label={words('merge.region')} onKeyDownCapture={onKey}>
      <div className="merge-head">
        <p>
          {isAgain ? words('merge.again') : words('merge.explain')} <span className="muted">{words('merge.keys')}</span>
        </p>
        <div className="acts">
          <span className="muted" role="status">
            {open > 0 ? words('merge.open', { count: open }) : words('merge.ready')}
          </span>
          <button type="button" className="line" onClick={leave}>
            {words('merge.cancel')}
          </button>
          <button type="button" className="solid" disabled={text === null} onClick={take}>
            {words('merge.take')}
          </button>
        </div>
      </div>
      <div className="merge-body">
        <div className="merge-places">
          <Places parts={parts} choices={choices} choose={choose} />
        </div>
        <Result parts={parts} choices={choices} />
      </div>
    </section>
  );
}

/** The merge of a document as it stands; what was chosen stays where somebody writes again. */
function useMerge({ documents, hearText }: Studio, path: string) {
  const [, heard] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => hearText((changed) => changed.path === path && heard()), [hearText, path]);
  const buffer = documents.bufferOf(path);
  const outside = buffer?.outside?.kind === 'changed' ? buffer.outside : null;
  const state = buffer?.state;
  const mine = useMemo(() => (state === undefined ? '' : join(state)), [state]);
  const disk = buffer?.disk;
  const origin = useMemo(() => (disk == null ? '' : joinText(disk.text.doc, disk.text.breaks)), [disk]);
  const theirs = outside?.text ?? '';
  const parts = useMemo(() => mergeParts(origin, mine, theirs), [origin, mine, theirs]);
  const [chosen, setChosen] = useState<{ readonly parts: readonly MergePart[]; readonly choices: HunkChoices }>({
    parts,
    choices: new Map(),
  });
  const choices = chosen.parts === parts ? chosen.choices : choicesAfter(chosen.parts, chosen.choices, parts);
  const first = useRef(parts);
  const choose = (at: number, choice: HunkChoice) => setChosen({ parts, choices: new Map(choices).set(at, choice) });
  return { parts, base: outside?.base ?? null, choices, choose, isAgain: first.current !== parts };
}

const choiceKeys: Readonly<Record<string, HunkChoice>> = { 1: 'mine', 2: 'theirs', 3: 'both', 0: 'before' };

/** N and P go from place to place, digits choose for the one that has the focus. */
function stepOrChoose(event: KeyboardEvent<HTMLElement>, choose: (at: number, choice: HunkChoice) => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('.merge-place')];
  const at = places.findIndex((place) => place.contains(document.activeElement));
  const choice = choiceKeys[event.key];
  if (choice !== undefined && at >= 0) choose(Number(places[at]!.dataset.part), choice);
  else if (/^[np]$/iu.test(event.key))
    focusPlace(places[(at + (event.key.toLowerCase() === 'n' ? 1 : at < 0 ? 0 : -1) + places.length) % places.length]);
  else return false;
  return true;
}

function focusPlace(place: HTMLElement | undefined): void {
  const choice = place?.querySelector<HTMLElement>('input:checked') ?? place?.querySelector<HTMLElement>('input');
  choice?.focus();
  place?.scrollIntoView({ block: 'nearest' });
}

interface PlacesProps {
  readonly parts: readonly MergePart[];
  readonly choices: HunkChoices;
  readonly choose: (at: number, choice: HunkChoice) => void;
}

function Places({ parts, choices, choose }: PlacesProps) {
  const hunks = parts.flatMap((part, at) => (part.kind === 'hunk' ? [at] : []));
  const wanted = hunks.find((at) => (parts[at] as Hunk).by === 'conflict') ?? hunks[0];
  return parts.map((part, at) => {
    const key = `${at} ${part.kind}`;
    if (part.kind === 'same') return <Agreed key={key} text={part.text} isFirst={at === 0} isLast={at === parts.length - 1} />;
    const number = hunks.indexOf(at) + 1;
    const place = { part, at, number, count: hunks.length, choice: choiceOf(part, choices.get(at)), takesFocus: at === wanted };
    return <Place key={key} {...place} choose={(choice) => choose(at, choice)} />;
  });
}

/** How many agreed lines are shown beside a place. */
const shown = 2;

function Agreed({ text, isFirst, isLast }: { readonly text: string; readonly isFirst: boolean; readonly isLast: boolean }) {
  const words = useWords();
  const lines = text.replace(/\r\n?|\n$/u, '').split(/\r\n?|\n/u);
  const head = isFirst ? [] : lines.slice(0, shown);
  const tail = isLast ? [] : lines.slice(Math.max(head.length, lines.length - shown));
  const hidden = lines.length - head.length - tail.length;
  return (
    <>
      {head.length > 0 && <pre className="merge-same">{head.join('\n')}</pre>}
      {hidden > 0 && <p className="merge-fold small">{words('merge.agreed', { count: hidden })}</p>}
      {tail.length > 0 && <pre className="merge-same">{tail.join('\n')}</pre>}
    </>
  );
}

interface PlaceProps {
  readonly part: Hunk;
  readonly at: number;
  readonly number: number;
  readonly count: number;
  readonly choice: HunkChoice | null;
  readonly takesFocus: boolean;
  readonly choose: (choice: HunkChoice) => void;
}

function Place({ part, at, number, count, choice, takesFocus, choose }: PlaceProps) {
  const words = useWords();
  const title = `${words('merge.place', { number, count })} · ${words(`merge.by-${part.by}`)}`;
  const texts: readonly (readonly [HunkChoice, string | null])[] =
    part.by === 'conflict'
      ? [
          ['mine', part.mine],
          ['theirs', part.theirs],
          ['both', part.woven],
          ['before', part.before],
        ]
      : part.by === 'mine'
        ? [
            ['mine', part.mine],
            ['before', part.before],
          ]
        : [
            ['theirs', part.theirs],
            ['before', part.before],
          ];
  return (
    <RadioGroup
      className="merge-place"
      data-by={part.by}
      data-part={at}
      aria-label={title}
      value={choice}
      onChange={(value) => choose(value as HunkChoice)}
    >
      <p className="small muted">{title}</p>
      {texts.map(([kind, text], nth) => (
        <Option key={kind} kind={kind} isWoven={part.woven !== null} takesFocus={takesFocus && nth === 0}>
          {text}
        </Option>
      ))}
    </RadioGroup>
  );
}

interface OptionProps {
  readonly kind: HunkChoice;
  readonly isWoven: boolean;
  readonly takesFocus: boolean;
  readonly children: string | null;
}

function Option({ kind, isWoven, takesFocus, children }: OptionProps) {
  const words = useWords();
  const name = words(kind === 'both' && isWoven ? 'merge.woven' : `merge.${kind}`);
  const text: ReactNode =
    children === null ? null : children === '' ? <em className="muted">{words('merge.nothing')}</em> : <pre>{children}</pre>;
  return (
    <Radio
      value={kind}
      className="merge-option"
      data-kind={kind}
      aria-label={children === null ? name : `${name}: ${children.trim() || words('merge.nothing')}`}
    >
      <span className="merge-dot" aria-hidden="true" ref={takesFocus ? focusRadio : null} />
      <span className="merge-text">
        <span className="small faint">{name}</span>
        {text}
      </span>
    </Radio>
  );
}

const focusRadio = (dot: HTMLElement | null) => takeFocus(dot?.closest('.merge-place')?.querySelector('input') ?? null);

/** What both become, as far as it is chosen. */
function Result({ parts, choices }: Pick<PlacesProps, 'parts' | 'choices'>) {
  const words = useWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached with the keyboard.
    <section className="merge-result" aria-label={words('merge.result')} tabIndex={0}>
      <p className="small muted">{words('merge.result')}</p>
      {parts.map((part, at) => {
        const choice = part.kind === 'same' ? null : choiceOf(part, choices.get(at));
        const key = `${at} ${part.kind}`;
        if (part.kind === 'same') return <pre key={key}>{shortened(part.text)}</pre>;
        const by = choice === null ? 'open' : choice === 'both' ? 'both' : choice;
        return (
          <pre key={key} data-by={by}>
            {choice === null ? `${words('merge.unchosen')}\n` : hunkText(part, choice)}
          </pre>
        );
      })}
    </section>
  );
}

/** Of a long stretch that nobody changed, the page shows its ends. */
const shortened = (text: string) => (text.length <= 20_000 ? text : `${text.slice(0, 10_000)}\n⋯\n${text.slice(-10_000)}`);
