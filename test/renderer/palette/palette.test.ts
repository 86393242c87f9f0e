import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands, commandTitle, isCommandId, keysOf, menus, menuTitle } from '#protocol/commands';
import { keymapOf } from '#protocol/keymap';
import { type ChoiceSources, choicesFor } from '#renderer/palette/choices.ts';
import { fitOf, ranked } from '#renderer/palette/fuzzy.ts';
import { isPressed, type KeyPress, keyOf, shownKey } from '#renderer/palette/keys.ts';
import { signsIn } from '#renderer/palette/symbols.ts';
import { newPath } from '#renderer/ui/file-name.ts';

const press = (key: string, held = '', code = '', altGr = false): KeyPress => ({
  key,
  code,
  ctrlKey: held.includes('c'),
  metaKey: held.includes('m'),
  altKey: held.includes('a'),
  shiftKey: held.includes('s'),
  getModifierState: () => altGr,
});

describe('the list of commands', () => {
  it('has each command and each key once, on both systems', () => {
    for (const system of ['mac', 'other'] as const) {
      const keys = commands.flatMap((command) => keysOf(command, system));
      expect(new Set(keys).size, system).toBe(keys.length);
    }
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    expect(commands.every(({ id }) => isCommandId(id))).toBe(true);
    expect(isCommandId('constructor')).toBe(false);
  });

  it('FR-165: hangs no command on a sign alone that some layouts cannot type', () => {
    for (const command of commands) {
      for (const system of ['mac', 'other'] as const) {
        const last = keysOf(command, system).map((key) => key.at(-1)!);
        if (last.some((sign) => /[/\\`[\]]/u.test(sign)))
          expect(
            last.some((sign) => /[A-Z\d]/u.test(sign)),
            command.id,
          ).toBe(true);
      }
    }
  });

  it('never takes Ctrl+Alt with a letter, which types on many layouts', () => {
    for (const command of commands)
      for (const key of keysOf(command, 'other')) expect(/(Mod|Ctrl)\+.*Alt|Alt\+.*(Mod|Ctrl)/.test(key), command.id).toBe(false);
  });

  it('has a second key where a browser keeps the first', () => {
    const kept = /^(Mod\+(W|N|T)|Mod\+Shift\+(W|N|T)|Ctrl\+(Shift\+)?Tab|Mod\+Page(Up|Down))$/;
    for (const command of commands)
      for (const system of ['mac', 'other'] as const) {
        const keys = keysOf(command, system);
        if (keys.some((key) => kept.test(key)))
          expect(
            keys.some((key) => !kept.test(key)),
            command.id,
          ).toBe(true);
      }
  });

  it('is worded in both languages, and differently', () => {
    for (const { id } of commands) expect(commandTitle(id, 'es'), id).not.toBe(commandTitle(id, 'en'));
    for (const menu of menus) expect(menuTitle(menu, 'es'), menu).not.toBe(menuTitle(menu, 'en'));
  });
});

describe('a key that is given to a command', () => {
  const held = fc.record({ ctrlKey: fc.boolean(), metaKey: fc.boolean(), altKey: fc.boolean(), shiftKey: fc.boolean() });
  const pressed = fc.constantFrom(
    ['a', 'KeyA'],
    ['A', 'KeyA'],
    ['з', 'KeyP'],
    ['π', 'KeyP'],
    ['8', 'Digit8'],
    ['(', 'Digit8'],
    ['/', 'Slash'],
    ['/', 'Digit7'],
    ['{', 'BracketLeft'],
    ['ö', 'Semicolon'],
    ['ß', 'Minus'],
    ['F5', 'F5'],
    ['ArrowUp', 'ArrowUp'],
  );

  it('is the one that was pressed, on every layout', () => {
    fc.assert(
      fc.property(held, pressed, fc.boolean(), (holding, [key, code], isMac) => {
        const event = { ...holding, key: key!, code: code! };
        const binding = keyOf(event, isMac);
        if (binding !== null) expect(isPressed(binding, event, isMac), binding).toBe(true);
      }),
    );
  });

  it.each([
    [press('b', 'c', 'KeyB'), false, 'Mod+B'],
    [press('*', 'cs', 'Digit8'), false, 'Mod+Shift+8'],
    [press('/', 'cs', 'Digit7'), false, 'Mod+Shift+7'],
    [press('Ω', 'ma', 'KeyZ'), true, 'Mod+Alt+Z'],
    [press('x', 'c', 'KeyX'), true, 'Ctrl+X'],
    [press('Shift', 's', 'ShiftLeft'), false, null],
    [press('@', 'ca', 'KeyQ', true), false, null],
  ])('%o', (event, isMac, binding) => {
    expect(keyOf(event, isMac)).toBe(binding);
  });
});

describe('a key', () => {
  it.each([
    ['Mod+P', press('p', 'c'), false, true],
    ['Mod+P', press('P', 'c'), false, true],
    ['Mod+P', press('p', 'm'), false, false],
    ['Mod+P', press('p', 'm'), true, true],
    ['Mod+P', press('p', 'cs'), false, false],
    ['Mod+P', press('з', 'c', 'KeyP'), false, true],
    ['Mod+P', press('l', 'c', 'KeyP'), false, false],
    ['Mod+Shift+`', press('~', 'cs', 'Backquote'), false, true],
    ['Mod+Shift+0', press(')', 'cs', 'Digit0'), false, true],
    ['Mod+\\', press('\\', 'c', 'Backslash'), false, true],
    ['Mod+\\', press('\\', 'ca', 'Minus', true), false, false],
    ['Mod+B', press('”', 'ca', 'KeyB', true), false, false],
    ['F3', press('F3'), false, true],
    ['Ctrl+Tab', press('Tab', 'c'), true, true],
    ['Alt+Shift+W', press('W', 'as', 'KeyW'), false, true],
  ] as const)('%s is told from a press (%#)', (binding, event, isMac, is) => {
    expect(isPressed(binding, event, isMac)).toBe(is);
  });

  it('is shown as the system shows it', () => {
    expect([shownKey('Mod+Shift+P', true), shownKey('Mod+Shift+P', false), shownKey('Alt+PageDown', false)]).toEqual([
      '⇧⌘P',
      'Ctrl+Shift+P',
      'Alt+PgDn',
    ]);
  });
});

describe('a fit', () => {
  it('is met in order, and its marks are where they say', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', '-', ' ', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (query, where) => {
        const fit = fitOf(query, where);
        if (fit === null) return;
        const plain = (sign: string) => sign.normalize('NFD').replace(/\p{M}/gu, '');
        expect(fit.met.map((at) => plain(where[at]!)).join('')).toBe(plain(query.replace(/\s+/g, '')));
        expect([...fit.met].sort((a, b) => a - b)).toEqual(fit.met);
      }),
    );
  });

  it('of a part of the text always is one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 10 }), fc.nat(9), (text, at) => void expect(fitOf(text.slice(at), text)).not.toBeNull()),
      {
        numRuns: 1000,
      },
    );
  });

  it.each([
    ['ferry', ['ferry/notes.md', 'chapters/03-the-ferry.md'], 'chapters/03-the-ferry.md'],
    ['tl', ['bottle.md', 'the-letter.md'], 'the-letter.md'],
    ['ines', ['business.md', 'ines.md'], 'ines.md'],
    ['rd', ['renamed', 'isRelated', 'resolveDeclaration'], 'resolveDeclaration'],
    ['lfp', ['leafPath', 'languageForPath'], 'languageForPath'],
    ['cafe', ['scarface.md', 'café.md'], 'café.md'],
    ['out', ['outlines-of-all.md', 'outline.md'], 'outline.md'],
    ['co', ['Inline code', 'Coherence breakdown'], 'Coherence breakdown'],
  ])('of %s is best where a person would look', (query, items, first) => {
    expect(ranked(query, items, (item) => item)[0]?.item).toBe(first);
  });
});

describe('what the palette offers', () => {
  const sources: ChoiceSources = {
    files: ['a.md', 'b.md', 'c/d.md', 'pic.png'].map((path) => ({ path, document: path.endsWith('.md') })),
    recent: ['a.md', 'b.md', 'gone.md'],
    active: 'a.md',
    headings: [
      { level: 1, words: 'The Ferry', line: 3 },
      { level: 2, words: 'At noon', line: 9 },
    ],
    recentCommands: ['view.theme'],
    locale: 'en',
    isMac: false,
    keymap: keymapOf({}, 'other'),
    canRun: (id) => id !== 'file.reopen-closed',
  };
  const ids = (text: string) => choicesFor(text, sources).map(({ id }) => id);

  it('with nothing typed are the documents, the last one first and the one in front last', () => {
    expect(ids('')).toEqual(['b.md', 'c/d.md', 'a.md']);
  });

  it('after > are the commands that can act, recent ones first', () => {
    expect(ids('>')[0]).toBe('view.theme');
    expect(ids('>')).not.toContain('file.reopen-closed');
    expect(ids('> bold')[0]).toBe('format.bold');
  });

  it('after @ are the headings of the document in front, in their order', () => {
    expect(ids('@')).toEqual(['line-3', 'line-9']);
    expect(choicesFor('@noon', sources)).toMatchObject([{ kind: 'heading', line: 9, words: 'At noon', level: 2 }]);
    expect(ids('@nothing')).toEqual([]);
  });

  it('after : is a line', () => {
    expect(choicesFor(':12', sources)).toMatchObject([{ kind: 'line', line: 12, column: 1 }]);
    expect(choicesFor(':12:4', sources)).toMatchObject([{ kind: 'line', line: 12, column: 4 }]);
    expect(choicesFor(':x', sources)).toEqual([]);
  });

  it('is never a new document before the files are known', () => {
    expect(choicesFor('new chapter', { ...sources, files: null })).toEqual([]);
  });

  it('where nothing fits is a new document of that name', () => {
    expect(choicesFor('new chapter', sources)).toEqual([{ kind: 'new', id: 'new', path: 'new chapter.md' }]);
    expect(['a.md', '/x/y', 'x.MD', '../x', 'a/', '.hidden', 'a:b', ''].map(newPath)).toEqual([
      'a.md',
      'x/y.md',
      'x.MD',
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('the symbols', () => {
  const texts = (locale: 'en' | 'es') => signsIn(locale).map(({ sign }) => sign);

  it('are the same in both languages, each once, with a name of its own', () => {
    expect(texts('es')).toEqual(texts('en'));
    expect(new Set(texts('en')).size).toBe(texts('en').length);
    for (const locale of ['en', 'es'] as const) expect(new Set(signsIn(locale).map(({ name }) => name)).size).toBe(texts('en').length);
  });
});
