import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import type { CommandId } from '#protocol/commands';
import { outlineOf } from '#renderer/editor/outline.ts';
import { ChoiceField } from '#renderer/ui/choice-field.tsx';
import { afterBox } from '#renderer/ui/focus-return.ts';
import { goTo, modeOf } from '#renderer/ui/mode.ts';
import { focusPage, paneInUse, type Studio, useKeymap, useStudio, useTabs, useWorkspace } from '#renderer/ui/studio.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';
import { type Choice, choicesFor } from './choices.ts';
import { recentCommands, remember } from './recent.ts';
import { canRun, runCommand } from './run.ts';
import './palette.css';

/** The box that goes to documents, commands (`>`), lines (`:`), headings (`@`) and signs (`&`). Escape gives the focus back to where it was. */
export function Palette({ text: first }: { readonly text: string }) {
  const words = useWords();
  const { view } = useStudio();
  return (
    <ModalOverlay className="overlay top" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && view.answered()}>
      <Modal className="palette">
        <Dialog aria-label={words('palette.name')} className="palette-box">
          <PaletteBox key={first} first={first} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteBox({ first }: { readonly first: string }) {
  const words = useWords();
  const list = useId();
  const hint = useId();
  const [text, setText] = useState(first);
  const [at, setAt] = useState(0);
  const choices = useChoices(text);
  const choose = useChoose();
  const isListed = useWorkspace((workspace) => workspace.info !== null);
  const emptyKey = text.startsWith(':')
    ? 'palette.line-hint'
    : text.startsWith('@')
      ? 'palette.heading-hint'
      : isListed
        ? 'palette.none'
        : 'loading';
  const current = choices[Math.min(at, choices.length - 1)];
  const move = (by: number) => setAt((Math.min(at, choices.length - 1) + by + choices.length) % Math.max(1, choices.length));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const by = steps[event.key];
    if (by !== undefined) move(by);
    else if (event.key === 'Enter' && current !== undefined) choose(current);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <ChoiceField
        name={words('palette.name')}
        list={list}
        current={current === undefined ? undefined : `${list}-${current.id}`}
        isExpanded={choices.length > 0}
        placeholder={words('palette.placeholder')}
        hint={hint}
        text={text}
        change={(next) => {
          setText(next);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="choices" role="listbox" id={list} aria-label={words('palette.choices')} tabIndex={-1}>
        {choices.map((choice) => (
          <ChoiceRow key={choice.id} id={`${list}-${choice.id}`} choice={choice} isCurrent={choice === current} choose={choose} />
        ))}
      </div>
      <p id={hint} className="palette-hint small" hidden={text !== ''}>
        {words('palette.hint')}
      </p>
      {choices.length === 0 && <p className="palette-none muted">{words(emptyKey)}</p>}
    </>
  );
}

function useChoices(text: string): readonly Choice[] {
  const studio = useStudio();
  const locale = useLocale();
  const files = useWorkspace((workspace) => (workspace.info === null ? null : workspace.files));
  const recent = useTabs((tabs) => tabs.recent);
  const active = useTabs((tabs) => tabs.active);
  const keymap = useKeymap();
  const isOfHeadings = text.startsWith('@');
  const headings = useMemo(() => {
    const buffer = isOfHeadings && active !== null ? studio.documents.bufferOf(active) : undefined;
    return buffer === undefined ? [] : outlineOf(buffer.state.doc);
  }, [studio, active, isOfHeadings]);
  return useMemo(
    () =>
      choicesFor(text, {
        headings,
        files,
        recent,
        active,
        locale,
        recentCommands: recentCommands(),
        isMac: studio.isMac,
        keymap,
        canRun: (id) => canRun(studio, id),
      }),
    [text, files, recent, active, headings, locale, keymap, studio],
  );
}

function useChoose(): (choice: Choice) => void {
  const studio = useStudio();
  const { documents, view } = studio;
  return (choice) => {
    view.answered();
    // The box must have given the focus back before a command asks which editor is meant; all else takes the focus itself.
    const later = choice.kind === 'command' || choice.kind === 'sign' ? afterBox : setTimeout;
    later(() => {
      if (choice.kind === 'command') {
        remember(choice.id as CommandId);
        runCommand(studio, choice.id);
      } else if (choice.kind === 'line') goTo(studio, choice.line, choice.column);
      else if (choice.kind === 'heading') goTo(studio, choice.line, 1);
      else if (choice.kind === 'sign') typeSign(studio, choice.sign);
      else if (choice.kind === 'new') void create(studio, choice.path);
      else void documents.open(choice.path).then(() => focusPage(studio));
    });
  };
}

/** Puts a sign where the writer is; what is read is not written in. */
function typeSign(studio: Studio, sign: string): void {
  const { active } = studio.documents.tabs.getState();
  const pane = paneInUse(studio);
  if (active !== null && (pane !== studio.pane || modeOf(studio, active) !== 'reading')) pane?.insert(sign);
}

async function create(studio: Studio, path: string): Promise<void> {
  const { documents, workspace, view } = studio;
  try {
    await documents.create(path);
    workspace.listSoon();
    focusPage(studio);
  } catch (error) {
    view.notify(problemWords(error));
  }
}

interface ChoiceRowProps {
  readonly id: string;
  readonly choice: Choice;
  readonly isCurrent: boolean;
  readonly choose: (choice: Choice) => void;
}

function ChoiceRow({ id, choice, isCurrent, choose }: ChoiceRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of its list
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className="choice"
      ref={(row) => void (isCurrent && row?.scrollIntoView({ block: 'nearest' }))}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => choose(choice)}
    >
      <ChoiceText choice={choice} />
    </div>
  );
}

function ChoiceText({ choice }: { readonly choice: Choice }) {
  const words = useWords();
  if (choice.kind === 'new') return <span>{words('palette.create', { path: choice.path })}</span>;
  if (choice.kind === 'line') return <span>{words('palette.go-to-line', { line: choice.line })}</span>;
  if (choice.kind === 'heading') {
    return (
      <span style={{ paddingInlineStart: `${(choice.level - 1) * 14}px` }}>
        <Marked text={choice.words} met={choice.fit.met} />
      </span>
    );
  }
  if (choice.kind === 'sign') {
    return (
      <>
        <Marked text={choice.name} met={choice.fit.met} />
        <span className="choice-sign">{choice.sign}</span>
      </>
    );
  }
  if (choice.kind === 'command') {
    return (
      <>
        <Marked text={choice.title} met={choice.fit.met} />
        <kbd>{choice.key}</kbd>
      </>
    );
  }
  const { path, fit } = choice;
  const from = path.lastIndexOf('/') + 1;
  return (
    <>
      <Marked text={path.slice(from)} met={fit.met.map((place) => place - from)} />
      <span className="faint small">
        <Marked text={path.slice(0, Math.max(0, from - 1))} met={fit.met} />
      </span>
    </>
  );
}

/** A text with the characters marked that were met. */
function Marked({ text, met }: { readonly text: string; readonly met: readonly number[] }) {
  const parts: { from: number; text: string; isMet: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const isMet = met.includes(at);
    const last = parts.at(-1);
    if (last?.isMet === isMet) last.text += text[at];
    else parts.push({ from: at, text: text[at]!, isMet });
  }
  return (
    <span className="choice-text">
      {parts.map(({ from, text, isMet }) => (isMet ? <b key={from}>{text}</b> : <span key={from}>{text}</span>))}
    </span>
  );
}
