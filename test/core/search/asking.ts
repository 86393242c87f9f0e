import type { SearchRequest } from '#protocol/search-calls';

/** A search for a text as it is first asked for. */
export const asking = (text: string, other: Partial<SearchRequest> = {}): SearchRequest => ({
  text,
  isExpression: false,
  matchesCase: false,
  wholeWords: false,
  include: [],
  exclude: [],
  after: null,
  ...other,
});
