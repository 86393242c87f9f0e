import type { CallOutputs } from '#protocol/calls';
import { percentOf, sectionName } from '#renderer/breakdown/row-words.ts';

type LoggedAct = CallOutputs['coherence/log']['rows'][number]['acts'][number];
type Say = (key: string, detail?: Readonly<Record<string, unknown>>) => string;

/** One act as a sentence. A check below the threshold keeps the answer that the model gave. */
export function sayAct(act: LoggedAct, words: Say): string {
  switch (act.kind) {
    case 'ratification':
      return words(act.by.type === 'agent' ? 'log.accepted-agent' : 'log.accepted', { by: act.by.id });
    case 'waiver': {
      const said = words(act.by.type === 'agent' ? 'log.waived-agent' : 'log.waived', {
        by: act.by.id,
        reason: act.reason || words('row.no-reason'),
      });
      return act.expires === null ? said : `${said} ${words('log.until', { date: act.expires.slice(0, 10) })}`;
    }
    case 'judgment':
      return words('log.judged', { judgment: words(`judge.${act.judgment}`) });
    case 'anchor':
      if (act.path.length === 0) return words('log.widened');
      return words(act.carried ? 'log.carried' : 'log.narrowed', { section: sectionName(act.path) });
    case 'check':
      return sayCheck(act, words);
  }
}

const verdicts: Readonly<Record<string, string>> = {
  'no-contradiction': 'badges.verified-valid',
  contradiction: 'badges.contradicted',
  unknown: 'badges.unchecked',
};

function sayCheck({ verdict, confidence, downgraded, model }: Extract<LoggedAct, { kind: 'check' }>, words: Say): string {
  const word = (said: string) => words(verdicts[said] ?? 'badges.unchecked');
  const by = model ?? words('agents.model');
  if (downgraded === null) return words('log.checked', { verdict: word(verdict), model: by });
  const answer = { model: by, verdict: word(downgraded.verdict), percent: confidence === null ? '?' : percentOf(confidence) };
  return words(confidence === null ? 'log.downgraded' : 'log.below', answer);
}
