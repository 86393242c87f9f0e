import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/** Markdown in a block of code is read by our own grammar: the package's would draw those of HTML, scripts and styles into what is loaded first. */
const nestedMarkdown: Plugin = {
  name: 'nested-markdown',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '@codemirror/lang-markdown' && importer?.includes('language-data')
      ? resolve('src/renderer/editor/nested-markdown.ts')
      : null,
};

/** The page says what its window is made of, so that it is fetched while the connection is being made. */
const windowAhead: Plugin = {
  name: 'window-ahead',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = new Map(Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part] as const] : [])));
      const needed = new Set<string>();
      const add = (name: string) => {
        if (needed.has(name)) return;
        needed.add(name);
        for (const other of chunks.get(name)?.imports ?? []) add(other);
      };
      for (const { fileName, facadeModuleId } of chunks.values()) if (facadeModuleId?.endsWith('/renderer/window.tsx')) add(fileName);
      const looks = [...needed].flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])]);
      const others = (names: readonly string[]) => names.filter((name) => !html.includes(name));
      const linkOf = (rel: string) => (name: string) => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `./${name}` },
        injectTo: 'head' as const,
      });
      return [...others([...needed]).map(linkOf('modulepreload')), ...others(looks).map(linkOf('stylesheet'))];
    },
  },
};

export default defineConfig({
  main: {
    // `dependencies` stay outside (better-sqlite3 is native); `devDependencies` are bundled.
    build: {
      sourcemap: true,
      rollupOptions: {
        // In web-tree-sitter, for modules that bring JavaScript with them; grammars bring none.
        checks: { eval: false },
        input: {
          index: 'src/main/index.ts',
          'core-process': 'src/main/core-process.ts',
          'declaration-worker': 'src/core/grammars/worker.ts',
          'search-worker': 'src/core/search/search-worker.ts',
          'journal-worker': 'src/core/journal/journal-worker.ts',
          'segment-worker': 'src/core/storage/segment-worker.ts',
          'stat-worker': 'src/core/workspace/stat-worker.ts',
        },
      },
    },
  },
  preload: {
    // A sandboxed preload is one CommonJS file that requires nothing but `electron`.
    build: { externalizeDeps: false, rollupOptions: { output: { format: 'cjs', entryFileNames: '[name].cjs' } } },
  },
  renderer: {
    plugins: [react(), nestedMarkdown, windowAhead],
    // Its form for browsers asks a document, which a worker has not.
    resolve: { alias: { 'decode-named-character-reference': resolve('node_modules/decode-named-character-reference/index.js') } },
    // The page's policy lets no font come from a `data:` address.
    build: { sourcemap: true, minify: true, assetsInlineLimit: 0 },
  },
});
