// The peer of `bench:editor`: Monaco as it comes, with Markdown as its language and nothing around it.
import * as monaco from 'monaco-editor/editor/editor.api.js';
import 'monaco-editor/languages/definitions/markdown/register.js';
import type { PlainPage } from './editor-plain.ts';

let editor: monaco.editor.IStandaloneCodeEditor | null = null;

const page: PlainPage = {
  openPlain(value) {
    const host = document.body.appendChild(document.createElement('div'));
    host.style.height = '100vh';
    editor = monaco.editor.create(host, { value, language: 'markdown', wordWrap: 'on', largeFileOptimizations: true });
    editor.focus();
  },
  place(share) {
    const model = editor?.getModel();
    if (editor === null || model == null) return;
    const lineNumber = Math.max(1, Math.floor(model.getLineCount() * share));
    editor.setPosition({ lineNumber, column: 1 });
    editor.revealLineInCenter(lineNumber);
    editor.focus();
  },
};

Object.assign(window, page);
