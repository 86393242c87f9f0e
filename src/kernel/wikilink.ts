/** A stretch of a text in UTF-16 units, end exclusive. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A link by name as it is written; places count from where it begins. */
export interface Wikilink {
  /** Of all of it, with its brackets. */
  readonly length: number;
  /** `![[…]]`: what it names is shown in its place. */
  readonly isEmbed: boolean;
  /** What it leads to: the name, and behind `#` a heading. */
  readonly target: Stretch;
  /** The end of the name in the target. */
  readonly nameTo: number;
  /** What is shown instead of the target; null where no bar parts them. */
  readonly words: Stretch | null;
}

/** The longest one, in UTF-16 units: beyond it a bracket is a bracket. */
const longest = 2000;
const written = /^(!?\[\[)([^[\]|\n\\]+)(?:(\\?\|)([^[\]\n]*))?\]\]/u;

/** The link by name that a text begins with: `[[name#heading|words]]`, or the same behind `!`; inside a table the bar is escaped. Null: there is none. */
export function wikilinkAt(text: string): Wikilink | null {
  const met = written.exec(text.slice(0, longest));
  if (met === null) return null;
  const [whole, open = '', target = '', bar = '', words] = met;
  const to = open.length + target.length;
  const heading = target.indexOf('#');
  return {
    length: whole.length,
    isEmbed: open.startsWith('!'),
    target: { from: open.length, to },
    nameTo: heading < 0 ? to : open.length + heading,
    words: words === undefined ? null : { from: to + bar.length, to: whole.length - 2 },
  };
}
