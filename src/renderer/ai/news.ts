import type { Studio } from '#renderer/ui/studio.ts';
import { faultWords, locale, say } from '#renderer/words.ts';
import type { ModelNews } from './model-desk.ts';

/** Tells the writer what became of a request: suggestions are shown where they are, all else is said at the foot. */
export function tellOfModels({ view }: Studio, news: ModelNews): void {
  if (news.kind === 'suggested') view.announce(say('review.suggested', { count: news.count, label: news.label }));
  else if (news.kind === 'cancelled') view.announce(say('review.cancelled', { label: news.label }));
  else if (news.kind === 'failed') view.notify(faultWords(news.code, news.detail, locale.getState().locale));
  else view.notify(say('review.nothing', { label: news.label }));
}
