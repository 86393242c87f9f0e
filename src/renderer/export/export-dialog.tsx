import { useEffect, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { nameOf } from '#kernel/address';
import type { FoundPandoc } from '#protocol/export-calls';
import { desktop } from '#renderer/connection.ts';
import { Box } from '#renderer/ui/box.tsx';
import { useStudio, useTabs, useWorkspace } from '#renderer/ui/studio.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';
import { exportAs, type Format, formats } from './acts.ts';
import { ChapterChoice } from './chapter-choice.tsx';
import { firstChapters, inTreeOrder, lastChapters, rememberChapters } from './chapter-order.ts';
import type { Delivered } from './delivery.ts';
import './export-dialog.css';

/** Asks what is to be exported, and as what; shows how far it is, and can be called off. */
export function ExportDialog() {
  const words = useWords();
  const { view } = useStudio();
  const [format, setFormat] = useState<Format>('html');
  const chapters = useChapters();
  const { pandoc, isUsable } = usePandoc(format);
  const { at, problem, start, stop } = useExport();
  const paths = chapters.isWhole ? chapters.chosen : chapters.front === null ? [] : [chapters.front];
  const isReady = at === null && isUsable && paths.length > 0;
  return (
    <Box title={words('export.title')} className="export">
      <Choice
        name={words('export.as')}
        options={formats}
        chosen={format}
        choose={setFormat}
        isFirst
        text={(one) => words(`export.format-${one}`)}
      />
      <p className="muted small">{aboutFormat(format, pandoc, words)}</p>
      <Choice
        name={words('export.what')}
        options={['one', 'several'] as const}
        chosen={chapters.isWhole ? 'several' : 'one'}
        choose={(what) => chapters.setWhole(what === 'several')}
        text={(one) => words(`export.what-${one}`, { name: nameOf(chapters.front ?? '') })}
      />
      {chapters.isWhole && <ChapterChoice documents={chapters.documents} chosen={chapters.chosen} choose={chapters.choose} />}
      <p role="status" className="muted small export-progress">
        {at !== null && (at.of > 1 ? words('export.reached', at) : words('export.working'))}
      </p>
      {problem !== null && (
        <p className="lost small" role="alert">
          {words('export.failed', { problem })}
        </p>
      )}
      <div className="acts end">
        <button type="button" className="line" onClick={at === null ? view.answered : stop}>
          {words('dialog.cancel')}
        </button>
        <button type="button" className="solid" disabled={!isReady} onClick={() => void start(paths, format)}>
          {words('export.go')}
        </button>
      </div>
    </Box>
  );
}

interface ChoiceProps<Option extends string> {
  readonly name: string;
  readonly options: readonly Option[];
  readonly chosen: Option;
  readonly choose: (option: Option) => void;
  readonly text: (option: Option) => string;
  /** Whether it has the focus when the box opens. */
  readonly isFirst?: boolean;
}

function Choice<Option extends string>({ name, options, chosen, choose, text, isFirst = false }: ChoiceProps<Option>) {
  return (
    <div className="export-choice">
      <p className="small muted" aria-hidden="true">
        {name}
      </p>
      <ToggleButtonGroup
        className="choice-buttons"
        selectionMode="single"
        disallowEmptySelection
        aria-label={name}
        selectedKeys={[chosen]}
        onSelectionChange={(keys) => {
          const wanted = options.find((option) => keys.has(option));
          if (wanted !== undefined) choose(wanted);
        }}
      >
        {options.map((option) => (
          <ToggleButton key={option} id={option} autoFocus={isFirst && option === chosen}>
            {text(option)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}

function aboutFormat(format: Format, pandoc: FoundPandoc | null, words: ReturnType<typeof useWords>): string {
  if (format === 'html') return words('export.about-html');
  if (format === 'pdf') return words(desktop() === null ? 'export.about-pdf-browser' : 'export.about-pdf');
  if (pandoc === null) return words('export.looking');
  return pandoc.kind === 'found' ? words('export.about-docx', { version: pandoc.version }) : words('export.no-pandoc');
}

function useChapters() {
  const { workspace } = useStudio();
  const front = useTabs(({ active }) => active);
  const files = useWorkspace((state) => state.files);
  const locale = useLocale();
  const root = workspace.store.getState().info?.root ?? '';
  const documents = inTreeOrder(files, locale);
  const [isWhole, setWhole] = useState(front === null);
  const [chosen, setChosen] = useState(() => firstChapters(documents, front, lastChapters(root)));
  return {
    front,
    documents,
    isWhole,
    setWhole,
    chosen,
    choose(paths: readonly string[]) {
      setChosen(paths);
      rememberChapters(root, paths);
    },
  };
}

/** Pandoc is looked for when a format needs it, and not before. */
function usePandoc(format: Format) {
  const { connection } = useStudio();
  const [pandoc, setPandoc] = useState<FoundPandoc | null>(null);
  useEffect(() => {
    if (format !== 'docx') return;
    let isOver = false;
    const found = (answer: FoundPandoc) => !isOver && setPandoc(answer);
    connection.call('export/pandoc', {}).then(found, () => found({ kind: 'none' }));
    return () => {
      isOver = true;
    };
  }, [format, connection]);
  return { pandoc, isUsable: format !== 'docx' || pandoc?.kind === 'found' };
}

function useExport() {
  const studio = useStudio();
  const words = useWords();
  const [at, setAt] = useState<{ readonly chapter: number; readonly of: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);
  const told = (done: Delivered) => {
    if (done.kind === 'failed') return setProblem(done.problem);
    if (done.kind === 'cancelled') return;
    const sentence = words(`export.${done.kind}`, done.kind === 'saved' ? { path: done.path } : {});
    studio.view.answered();
    studio.view.notify(sentence);
  };
  return {
    at,
    problem,
    async start(paths: readonly string[], format: Format) {
      const controller = new AbortController();
      const { signal } = controller;
      work.current = controller;
      setProblem(null);
      setAt({ chapter: 1, of: paths.length });
      try {
        told(await exportAs(studio, paths, format, { signal, reached: (chapter, of) => setAt({ chapter, of }) }));
      } catch (error) {
        if (!signal.aborted) setProblem(problemWords(error));
      } finally {
        setAt(null);
      }
    },
    stop: () => work.current?.abort(),
  };
}
