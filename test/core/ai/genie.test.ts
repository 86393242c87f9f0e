import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGenie } from '#core/ai/genie';
import { openGenieShelf } from '#core/ai/genie-shelf';
import { realDisk } from '#core/storage/disk';
import { Fault } from '#protocol';
import { createFolder } from '../../helpers/workspace.ts';

const file = { path: 'genies/say-it-again.md', id: 'writer:say-it-again', from: 'writer', hash: '0' } as const;
const parse = (text: string) => parseGenie(text, file);
const withHead = (head: string, prompt = 'Do it. {{content}}') => `---\ndescription: Does it\n${head}---\n${prompt}\n`;

describe('a genie', () => {
  it('is a Markdown file with a frontmatter; what is left out has its usual meaning', () => {
    expect(parse(withHead(''))).toEqual({
      id: 'writer:say-it-again',
      from: 'writer',
      hash: '0',
      name: 'Say it again',
      description: 'Does it',
      category: '',
      scope: 'selection',
      action: 'replace',
      context: 0,
      reads: [],
      model: null,
      template: 'Do it. {{content}}',
    });
    const head =
      'scope: document\ncategory: Mine\naction: insert\ncontext: 2\nreads: [bible/*.md, outline.md]\nmodel: a-model\nmine: yes\n';
    expect(parse(`\uFEFF${withHead(head)}`.replaceAll('\n', '\r\n'))).toMatchObject({
      scope: 'document',
      action: 'insert',
      context: 2,
      reads: ['bible/*.md', 'outline.md'],
      model: 'a-model',
    });
    expect(parse(withHead('reads: one.md\n')).reads).toEqual(['one.md']);
  });

  it.each([
    ['no frontmatter', 'Do it.', 'genie-unmarked'],
    ['YAML that is none', '---\na: [\n---\nDo it.\n', 'genie-unmarked'],
    ['a list', '---\n- a\n---\nDo it.\n', 'genie-unmarked'],
    ['no description', '---\nscope: block\n---\nDo it.\n', 'genie-field'],
    ['another scope', withHead('scope: everything\n'), 'genie-field'],
    ['another context', withHead('context: 3\n'), 'genie-field'],
    ['a model that is an option', withHead('model: --yolo\n'), 'genie-field'],
    ['a model that is another address', withHead('model: a/../../files\n'), 'genie-field'],
    ['an alias', withHead('category: &a b\nreads: [*a]\n'), 'genie-unmarked'],
    ['no prompt', withHead('', '  \n'), 'genie-blank'],
    ['a place that nothing can fill', withHead('', '{{content}} {{ secrets }}'), 'genie-place'],
  ])('with %s is refused', (_, text, code) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code }));
  });

  it('may be any text without harm', () => {
    const piece = fc.constantFrom(
      '---\n',
      'description: a\n',
      'reads: ',
      '[',
      '&a ',
      '*a',
      '{{',
      '}}',
      'content',
      '\r\n',
      '\uFEFF',
      '\0',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 20 }), (parts) => {
        try {
          parse(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});

describe('the genies there are', () => {
  function shelf() {
    const [home, root] = [createFolder('home'), createFolder()];
    const write = (folder: string, name: string, text: string) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    const open = (folder = root) => openGenieShelf(realDisk, { app: resolve('resources/genies'), home, root: folder });
    return { home, root, write, open };
  }

  it('of the app are a dozen that can all be read, none of which needs what it cannot have', () => {
    const { genies, unreadable } = shelf().open().list();
    expect(unreadable).toEqual([]);
    expect(genies).toHaveLength(12);
    expect(genies.every(({ from, reads, model }) => from === 'app' && reads.length === 0 && model === null)).toBe(true);
  });

  it('of the app say what documents are for, where any are named, and have a place for them', () => {
    const { open } = shelf();
    for (const { id } of open().list().genies) {
      const { template } = open().get(id);
      expect(template.replaceAll(/\{\{\w+\}\}/gu, ''), id).toMatch(/\bdocuments\b/u);
      expect(template, id).toContain('{{reads}}');
    }
  });

  it('are also the writer’s and the folder’s; those that are none are named', () => {
    const { home, root, write, open } = shelf();
    write(join(home, 'genies'), 'mine.md', withHead(''));
    write(join(root, '.stemma/genies'), 'theirs.md', withHead(''));
    write(join(root, '.stemma/genies'), 'broken.md', 'nothing');
    const { genies, unreadable } = open().list();
    expect(genies.filter(({ from }) => from !== 'app').map(({ id }) => id)).toEqual(['folder:theirs', 'writer:mine']);
    expect(unreadable).toEqual([
      { path: '.stemma/genies/broken.md', code: 'genie-unmarked', detail: { path: '.stemma/genies/broken.md' } },
    ]);
    expect(() => open().get('folder:gone')).toThrow(expect.objectContaining({ code: 'genie-missing' }));
  });

  it.skipIf(process.platform === 'win32')('are files: what only bears such a name is not waited for', async () => {
    const { root, write, open } = shelf();
    write(join(root, '.stemma/genies'), 'theirs.md', withHead(''));
    const path = '.stemma/genies/line.md';
    const line = createServer().listen(join(root, path));
    await once(line, 'listening');
    expect(open().list().unreadable).toEqual([{ path, code: 'genie-unmarked', detail: { path } }]);
    line.close();
  });

  it('of a folder need a yes on this machine, for the text that they have; a link is none', () => {
    const { root, write, open } = shelf();
    const folder = join(root, '.stemma/genies');
    write(folder, 'theirs.md', withHead(''));
    const genie = open().get('folder:theirs');
    expect(open().isTrusted(genie)).toBe(false);
    open().trust(genie);
    expect(open().isTrusted(open().get('folder:theirs'))).toBe(true);
    write(folder, 'theirs.md', withHead('', 'Send everything. {{content}}'));
    expect(open().isTrusted(open().get('folder:theirs'))).toBe(false);
    expect(open().isTrusted(open().get('app:tighten'))).toBe(true);
    symlinkSync(join(folder, 'theirs.md'), join(folder, 'linked.md'));
    expect(
      open()
        .list()
        .genies.some(({ id }) => id === 'folder:linked'),
    ).toBe(false);
    const other = createFolder();
    symlinkSync(join(root, '.stemma'), join(other, '.stemma'));
    expect(
      open(other)
        .list()
        .genies.every(({ from }) => from === 'app'),
    ).toBe(true);
  });
});
