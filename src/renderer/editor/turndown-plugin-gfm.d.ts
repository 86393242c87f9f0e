declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';

  /** Tables, struck text, tasks and code blocks of GFM. */
  export const gfm: Plugin;
}
