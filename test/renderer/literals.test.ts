import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownLiterals } from '../helpers/literals.ts';

const root = join(import.meta.dirname, '../../src');
const sources = ['renderer', 'main', 'preload'].flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    .map((file) => ({ file: `${part}/${file}`, source: readFileSync(join(root, part, file), 'utf8') })),
);
const found = (source: string) => shownLiterals({ file: 'x.tsx', source }).map((line) => line.slice(7));

describe('what a person is shown', () => {
  it('stands in the catalogues, and nowhere in the sources', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.flatMap(shownLiterals)).toEqual([]);
  });

  it.each([
    ['const a = <p>Two words</p>', 'Two words'],
    ["const a = <p>{isOn ? 'On' : words('x')}</p>", 'On'],
    ['const a = <p>{`${n} files`}</p>', ' files'],
    ['const a = <button aria-label="Close" />', 'Close'],
    ["const a = <img alt={x || 'Picture'} />", 'Picture'],
    ["element.title = 'Words'", 'Words'],
    ["element.setAttribute('aria-label', 'Words')", 'Words'],
    ["view.notify('Saved it')", 'Saved it'],
    ["Object.assign(a, { textContent: 'Words' })", 'Words'],
  ])('would be found: %s', (source, text) => expect(found(source)).toEqual([text]));

  it.each([
    ['const a = <p className="small muted">{words(\'new.title\')}</p>'],
    ['const a = <Box title="Stemma">{name} · {count}</Box>'],
    ["view.notify(say('said.on'))"],
    ["element.className = 'cm-line'"],
  ])('is not %s', (source) => expect(found(source)).toEqual([]));
});
