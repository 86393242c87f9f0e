import { useState } from 'react';
import type { PromptRead } from '#protocol/ai-calls';
import { providers } from '#protocol/ai-provider';
import { takeFocus } from '#renderer/ui/box.tsx';
import { focusIn, useStudio } from '#renderer/ui/studio.ts';
import { problemWords, useLocale, useWords } from '#renderer/words.ts';
import type { Ready } from './model-desk.ts';
import type { ReviewPlace } from './review-act.ts';

/** What would be sent, to the letter, and where; nothing has been sent while it is shown. */
export function SentPreview({ ready, where, back }: { readonly ready: Ready; readonly where: ReviewPlace; readonly back: () => void }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const [problem, setProblem] = useState<string | null>(null);
  const { prompt, label } = ready;
  const send = async () => {
    try {
      await studio.models.send(ready, true);
      studio.view.answered();
      focusIn(studio, where);
    } catch (error) {
      setProblem(problemWords(error));
    }
  };
  const read = (role: PromptRead['role']) => prompt.reads.filter((one) => one.role === role).map(({ path }) => path);
  const left = [...prompt.dropped.map(({ path }) => path), ...prompt.unfound.map((text) => words('sent.unfound', { text }))];
  const isProgram = providers[prompt.provider].kind === 'program';
  const characters = new Intl.NumberFormat(locale).format(prompt.system.length + prompt.prompt.length);
  return (
    <div className="sent">
      <h2 className="box-title">{words('sent.title')}</h2>
      {prompt.firsts.includes('provider') && <p>{words(isProgram ? 'sent.first-program' : 'sent.first', { to: prompt.to })}</p>}
      {prompt.firsts.includes('genie') && <p className="sent-warning">{words('sent.first-genie', { name: label })}</p>}
      <dl className="sent-facts">
        <dt>{words('sent.to')}</dt>
        <dd>{prompt.to}</dd>
        <dt>{words('sent.model')}</dt>
        <dd>{prompt.model === '' ? words('sent.own-model') : prompt.model}</dd>
        <dt>{words('sent.reads')}</dt>
        <dd>
          {[ready.buffer.path, ...read('direct')].join(', ')}
          {read('direct').length > 0 && <span className="muted small"> {words('sent.as-saved')}</span>}
        </dd>
        {read('contextual').length > 0 && (
          <>
            <dt>{words('sent.shown')}</dt>
            <dd>
              {read('contextual').join(', ')} <span className="muted small">{words('sent.shown-about')}</span>
            </dd>
          </>
        )}
        {left.length > 0 && (
          <>
            <dt>{words('sent.dropped')}</dt>
            <dd className="lost">{left.join(', ')}</dd>
          </>
        )}
        <dt>{words('sent.length')}</dt>
        <dd>{words('sent.characters', { characters })}</dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
      <section className="sent-text" tabIndex={0} aria-label={words('sent.text')}>
        <pre className="muted">{prompt.system}</pre>
        <pre>{prompt.prompt}</pre>
      </section>
      {problem !== null && (
        <p className="lost" role="alert">
          {problem}
        </p>
      )}
      <div className="acts end">
        <button type="button" className="line" onClick={back}>
          {words('sent.back')}
        </button>
        <button type="button" className="solid" ref={takeFocus} onClick={() => void send()}>
          {words('sent.send')}
        </button>
      </div>
    </div>
  );
}
