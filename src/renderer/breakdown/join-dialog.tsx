import { useEffect, useState } from 'react';
import { Button, FieldError, Radio, RadioGroup, TextArea, TextField } from 'react-aria-components';
import type { CallInput } from '#protocol/calls';
import type { JoinPart, JoinProposal, JoinSide } from '#protocol/document-calls';
import { askTwice } from '#renderer/breakdown/acts.ts';
import { useBench } from '#renderer/breakdown/bench.ts';
import { PlainText } from '#renderer/breakdown/change-text.tsx';
import { type Choice, type Choices, conflictsOf, joinedText, joinRequest } from '#renderer/breakdown/join.ts';
import { faultOf, type Said } from '#renderer/breakdown/listing.ts';
import { letterOf, useMadeOf } from '#renderer/breakdown/made.ts';
import { AskOver } from '#renderer/breakdown/modal.tsx';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

/** Joins the current versions of a document, and a conflicted copy of it: what only one changed is taken, the rest is chosen place by place. */
export function JoinDialog({
  path,
  copy,
  joined,
  close,
}: {
  readonly path: string;
  readonly copy: string | null;
  readonly joined: () => void;
  readonly close: () => void;
}) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { proposal, said, join } = useJoin(path, copy, joined);
  return (
    <AskOver title={words('join.title', { path })} isWide close={close}>
      {said !== null && (
        <p className="bd-note" role="alert">
          {saidOf(said)}
        </p>
      )}
      {proposal === null && said === null && <p className="bd-quiet bd-reading">{words('join.reading')}</p>}
      {proposal !== null && <Joining key={proposal.heads.join()} proposal={proposal} join={join} close={close} />}
      {proposal === null && (
        <div className="bd-actions">
          <Button className="bd-button bd-outline" onPress={close}>
            {words('action.close')}
          </Button>
        </div>
      )}
    </AskOver>
  );
}

interface JoiningProps {
  readonly proposal: JoinProposal;
  readonly join: (result: CallInput<'document/join'>['result']) => void;
  readonly close: () => void;
}

function Joining({ proposal, join, close }: JoiningProps) {
  const words = useBreakdownWords();
  const [choices, setChoices] = useState<Choices>(new Map());
  const [taken, setTaken] = useState<string | null>(null);
  const { parts, sides, ancestor } = proposal;
  const onDisk = useContentOnDisk(proposal.path);
  const names = sides.map((side, at) =>
    side.copy === null ? words('join.name', { letter: letterOf(at) }) : words('join.copy', { path: side.copy }),
  );
  const open = parts === null ? 0 : conflictsOf(parts, choices).length;
  const text = parts === null ? null : joinedText(parts, choices);
  const result = text !== null ? { text } : parts === null && taken !== null ? { take: taken } : null;
  return (
    <>
      <p className="bd-quiet">{words('join.explanation', { count: sides.length })}</p>
      <ul className="bd-sides">
        {sides.map((side, at) => (
          <SideLine key={names[at]} name={names[at] ?? ''} side={side} isOnDisk={side.copy === null && side.content === onDisk} />
        ))}
      </ul>
      <p className="bd-quiet">
        {parts !== null && (ancestor === null ? words('join.no-ancestor') : words('join.ancestor', { version: ancestor.label }))}{' '}
        {words('join.kept')}
      </p>
      {parts === null ? (
        <TakeOne sides={sides} names={names} taken={taken} take={setTaken} />
      ) : (
        <Parts
          parts={parts}
          names={names}
          choices={choices}
          choose={(at, choice) => setChoices((known) => new Map(known).set(at, choice))}
        />
      )}
      <div className="bd-actions">
        <Button className="bd-button bd-solid" isDisabled={result === null} onPress={() => result !== null && join(result)}>
          {words('join.join')}
        </Button>
        <Button className="bd-button" onPress={close}>
          {words('waive.cancel')}
        </Button>
        <span className="bd-quiet" role="status">
          {open > 0 ? words('join.open-places', { count: open }) : ''}
        </span>
      </div>
    </>
  );
}

/** A version: its letter, what it is called, who made it and when, and whether it is what stands in the file. */
function SideLine({ name, side, isOnDisk }: { readonly name: string; readonly side: JoinSide; readonly isOnDisk: boolean }) {
  const words = useBreakdownWords();
  const madeOf = useMadeOf();
  const made = madeOf(side);
  const about = [side.label, made.by, made.time, isOnDisk ? words('join.on-disk') : null].filter((part) => part);
  return (
    <li>
      <bdi>{name}</bdi> <span className="bd-faint">{about.join(' · ')}</span>
    </li>
  );
}

/** What stands in the file of a document, as a hash that versions are known by. */
function useContentOnDisk(path: string): string | null {
  const { world } = useBench();
  const [content, setContent] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    world.call('document/open', { path }).then(
      (opened) => isWanted && setContent(opened.kind === 'text' ? opened.content : null),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [world, path]);
  return content;
}

interface PartsProps {
  readonly parts: readonly JoinPart[];
  readonly names: readonly string[];
  readonly choices: Choices;
  readonly choose: (at: number, choice: Choice) => void;
}

function Parts({ parts, names, choices, choose }: PartsProps) {
  const words = useBreakdownWords();
  const conflicts = conflictsOf(parts);
  return (
    <>
      {conflicts.length === 0 && <p className="bd-quiet">{words('join.no-conflict')}</p>}
      <article className="bd-doc bd-joined" aria-label={words('join.text')}>
        {parts.map((part, at) => {
          const key = `${at} ${part.kind}`;
          if (part.kind === 'same') return <Agreed key={key} text={part.text} />;
          return (
            <Conflict
              key={key}
              part={part}
              names={names}
              number={conflicts.indexOf(at) + 1}
              title={words('join.place', { number: conflicts.indexOf(at) + 1, count: conflicts.length })}
              choice={choices.get(at)}
              choose={(choice) => choose(at, choice)}
            />
          );
        })}
      </article>
    </>
  );
}

/** How many lines of agreed text are shown on either side of a place. */
const shownLines = 4;

function Agreed({ text }: { readonly text: string }) {
  const words = useBreakdownWords();
  const [isOpen, setOpen] = useState(false);
  const lines = text.replace(/\n$/, '').split('\n');
  const hidden = lines.length - 2 * shownLines;
  if (isOpen || hidden < 2) return <PlainText text={text} />;
  return (
    <>
      <PlainText text={lines.slice(0, shownLines).join('\n')} />
      <button type="button" className="bd-fold" onClick={() => setOpen(true)}>
        <span aria-hidden="true">⋯</span> {words('join.agreed', { count: hidden })}
      </button>
      <PlainText text={lines.slice(-shownLines).join('\n')} />
    </>
  );
}

function Conflict({
  part,
  names,
  number,
  title,
  choice,
  choose,
}: {
  readonly part: Extract<JoinPart, { kind: 'conflict' }>;
  readonly names: readonly string[];
  readonly number: number;
  readonly title: string;
  readonly choice: Choice | undefined;
  readonly choose: (choice: Choice) => void;
}) {
  const words = useBreakdownWords();
  const value = choice === undefined ? null : choice.kind === 'side' ? `side-${choice.side}` : choice.kind;
  return (
    <div className="bd-conflict">
      <RadioGroup aria-label={title} value={value} onChange={(chosen) => choose(choiceOf(chosen, part.sides[0] ?? ''))}>
        <p className="bd-caption">{title}</p>
        {part.sides.map((text, side) => (
          <Option key={names[side]} value={`side-${side}`} name={names[side] ?? ''} text={text} />
        ))}
        <Option value="before" name={words('join.before')} text={part.base} />
        <Option value="all" name={words('join.all')} text={null} />
        <Option value="own" name={words('join.own')} text={null} />
      </RadioGroup>
      {choice?.kind === 'own' && <OwnWording number={number} text={choice.text} write={(text) => choose({ kind: 'own', text })} />}
    </div>
  );
}

function OwnWording({ number, text, write }: { readonly number: number; readonly text: string; readonly write: (text: string) => void }) {
  const words = useBreakdownWords();
  return (
    <TextField
      className="bd-field bd-own"
      value={text}
      onChange={write}
      isInvalid={text.trim() === ''}
      validationBehavior="aria"
      aria-label={words('join.own-text', { number })}
    >
      <TextArea rows={Math.min(8, text.split('\n').length + 1)} />
      <FieldError>{words('join.own-blank')}</FieldError>
    </TextField>
  );
}

/** What a radio button stands for; a wording of one's own begins as the first version has it. */
function choiceOf(value: string, first: string): Choice {
  if (value.startsWith('side-')) return { kind: 'side', side: Number(value.slice(5)) };
  return value === 'own' ? { kind: 'own', text: first.replace(/\n+$/u, '') } : { kind: value as 'all' | 'before' };
}

function Option({ value, name, text }: { readonly value: string; readonly name: string; readonly text: string | null }) {
  const words = useBreakdownWords();
  return (
    <Radio value={value} className="bd-option" aria-label={text === null ? name : `${name}: ${text.trim() || words('join.nothing')}`}>
      <span className="bd-dot" aria-hidden="true" />
      <span className="bd-option-text">
        <span className="bd-faint">{name}</span>
        {text !== null && (text.trim() === '' ? <em className="bd-muted">{words('join.nothing')}</em> : <PlainText text={text} />)}
      </span>
    </Radio>
  );
}

/** Where a version is no text, one of them is taken whole. */
function TakeOne({
  sides,
  names,
  taken,
  take,
}: {
  readonly sides: readonly JoinSide[];
  readonly names: readonly string[];
  readonly taken: string | null;
  readonly take: (content: string) => void;
}) {
  const words = useBreakdownWords();
  return (
    <RadioGroup className="bd-conflict" aria-label={words('join.take-one')} value={taken} onChange={take}>
      <p className="bd-caption">{words('join.take-one')}</p>
      {sides.map(({ content }, at) => (
        <Option key={names[at]} value={content} name={names[at] ?? ''} text={null} />
      ))}
    </RadioGroup>
  );
}

function useJoin(path: string, copy: string | null, joined: () => void) {
  const { world } = useBench();
  const [proposal, setProposal] = useState<JoinProposal | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is proposed once for each document.
  useEffect(() => void propose(null), [path, copy]);
  const propose = (before: Said | null) =>
    world.call('document/propose-join', { path, copy }).then(
      (answer) => {
        setProposal(answer);
        setSaid(before);
      },
      (error) => setSaid(faultOf(error)),
    );
  const join = async (result: CallInput<'document/join'>['result']) => {
    if (proposal === null) return;
    try {
      const { kind } = await askTwice(world, 'document/join', joinRequest(proposal, copy, result, world.newId()));
      if (kind === 'joined') joined();
      else await propose({ kind: 'words', key: 'join.moved' });
    } catch (error) {
      setSaid({ kind: 'unrecorded', fault: faultOf(error) });
    }
  };
  return { proposal, said, join: (result: CallInput<'document/join'>['result']) => void join(result) };
}
