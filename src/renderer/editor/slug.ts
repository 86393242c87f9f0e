/** The slug that a heading has in a link, as on GitHub: lower case, without signs, a hyphen for each blank. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/gu, '-');
