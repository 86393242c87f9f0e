import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSearch, type Search } from '#core/search/search';
import { openSearchIndex } from '#core/search/search-index';
import { realDisk } from '#core/storage/disk';
import type { FoundFile, SearchRequest } from '#protocol/search-calls';
import { createPlace, type Place } from '../../helpers/workspace';
import { asking } from './asking.ts';

/** A clock by which every file has come to rest, and by which the time of a part is up at the second look. */
let time = Date.now() + 3_600_000;
const later = () => (time += 60);

function prepare(texts: Record<string, string | Buffer>, isIndexed = true): { place: Place; search: Search } {
  const place = createPlace();
  for (const [path, text] of Object.entries(texts)) place.write(path, text);
  const index = isIndexed ? openSearchIndex(realDisk, join(place.home, 'search/index.db')) : null;
  onTestFinished(() => index?.close());
  const search = createSearch(realDisk, place.folder, index, later);
  while (search.catchUp());
  return { place, search };
}

/** All parts of an answer; each ends with its first match, as if time were always up. */
function all(search: Search, request: SearchRequest): FoundFile[] {
  const files: FoundFile[] = [];
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const part = search.find({ ...request, after });
    if (part.kind !== 'found') throw new Error(part.kind);
    files.push(...part.files);
    after = part.after;
  }
  return files;
}

const hits = (files: readonly FoundFile[]) =>
  files.flatMap(({ path, matches }) => matches.map(({ line, text }) => `${path}:${line}:${text}`));

const texts = {
  'a.md': 'Elena walks.\r\nelena stops.\n\nThe ferry\n',
  'bible/elena.md': '# Elena\n',
  'chapters/one.md': 'The Ferry and elena, Elena.\n',
  'notes.txt': 'Elena\n',
  'node_modules/x.md': 'Elena\n',
  'bytes.md': Buffer.from([0x45, 0x6c, 0x65, 0x6e, 0x61, 0xff]),
};

describe.each([true, false])('a search (index: %s)', (isIndexed) => {
  it('finds every match in every document, with its line', () => {
    const { search } = prepare(texts, isIndexed);
    expect(hits(all(search, asking('elena')))).toEqual([
      'a.md:1:Elena',
      'a.md:2:elena',
      'bible/elena.md:1:Elena',
      'chapters/one.md:1:elena',
      'chapters/one.md:1:Elena',
    ]);
    expect(all(search, asking('stops'))[0]!.matches).toEqual([
      { start: 20, end: 25, line: 2, before: 'elena ', text: 'stops', behind: '.' },
    ]);
  });

  it.each([
    [{ include: ['chapters/'] }, ['chapters/one.md']],
    [{ include: ['bible/**', 'a.md'] }, ['a.md', 'bible/elena.md']],
    [{ exclude: ['elena.md'] }, ['a.md', 'chapters/one.md']],
    [{ include: ['*.md'], exclude: ['/a.md', 'chapters'] }, ['bible/elena.md']],
    [{ include: [' '] }, ['a.md', 'bible/elena.md', 'chapters/one.md']],
  ])('looks only where %j says', (globs, paths) => {
    const { search } = prepare(texts, isIndexed);
    expect(all(search, asking('elena', globs)).map(({ path }) => path)).toEqual(paths);
  });

  it('sees what changed since, whether or not it is indexed', () => {
    const { place, search } = prepare(texts, isIndexed);
    place.write('a.md', 'Nothing here, only a salt shaker.\n');
    place.write('new.md', 'salt\n');
    rmSync(join(place.folder, 'chapters/one.md'));
    search.changed(['a.md', 'new.md', 'chapters/one.md']);
    expect(hits(all(search, asking('salt')))).toEqual(['a.md:1:salt', 'new.md:1:salt']);
    expect(hits(all(search, asking('elena')))).toEqual(['bible/elena.md:1:Elena']);
    place.write('other.md', 'pepper\n');
    search.changed(null);
    expect(hits(all(search, asking('pepper')))).toEqual(['other.md:1:pepper']);
    while (search.catchUp());
    expect(hits(all(search, asking('pepper')))).toEqual(['other.md:1:pepper']);
  });

  it('names what it cannot read as text, until it can', () => {
    const { place, search } = prepare({ ...texts, 'z.md': 'one' }, isIndexed);
    const last = (text: string) => {
      let part = search.find(asking(text));
      while (part.kind === 'found' && part.after !== null) part = search.find(asking(text, { after: part.after }));
      return part.kind === 'found' ? part.skipped : null;
    };
    expect([last('elena'), last('zj')]).toEqual([['bytes.md'], ['bytes.md']]);
    place.write('bytes.md', 'Elena');
    search.changed(['bytes.md']);
    expect(last('elena')).toEqual([]);
    expect(hits(all(search, asking('elena')))).toContain('bytes.md:1:Elena');
  });

  it('finds the same whether all is told at once or in parts, indexed or read', () => {
    const { place, search } = prepare({}, isIndexed);
    const word = fc.constantFrom('ab', 'abc', 'ABC', 'éa', 'e\u0301a', '\n', '\r\n', 'c b', '海の音', '.', ' ');
    const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(''));
    const needle = fc.constantFrom('abc', 'a', 'c b', 'éa', 'b\\nc', '(ab)+', 'a.c', '海の', 'x');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), needle, fc.boolean(), fc.boolean(), (contents, wanted, isExpression, matchesCase) => {
        for (let at = 0; at < 5; at++) writeFileSync(join(place.folder, `${at}.md`), contents[at] ?? '');
        search.changed(null);
        const request = asking(wanted, { isExpression, matchesCase });
        const plain = createSearch(realDisk, place.folder, null, () => 0).find(request);
        expect(all(search, request)).toEqual(plain.kind === 'found' ? plain.files : []);
        search.catchUp();
        expect(all(search, request)).toEqual(plain.kind === 'found' ? plain.files : []);
      }),
    );
  });
});

describe('a search', () => {
  it('does not walk the folder again for a change inside a document, and does for whatever else', () => {
    const { place } = prepare({ 'a.md': 'salt' });
    let walks = 0;
    const readdirSync = ((...args: Parameters<typeof realDisk.readdirSync>) => {
      walks++;
      return realDisk.readdirSync(...args);
    }) as typeof realDisk.readdirSync;
    const search = createSearch({ ...realDisk, readdirSync }, place.folder, null, later);
    const found = (text: string, changed: string) => {
      walks = 0;
      search.changed([changed]);
      return [hits(all(search, asking(text))), walks > 0];
    };
    expect(found('salt', 'a.md')).toEqual([['a.md:1:salt'], true]);
    place.write('a.md', 'sage');
    expect(found('sage', 'a.md')).toEqual([['a.md:1:sage'], false]);
    place.write('b.md', 'sage');
    expect(found('sage', 'b.md')).toEqual([['a.md:1:sage', 'b.md:1:sage'], true]);
    place.write('.gitignore', 'b.md\n');
    expect(found('sage', '.gitignore')).toEqual([['a.md:1:sage'], true]);
    rmSync(join(place.folder, 'a.md'));
    expect(found('sage', 'a.md')).toEqual([[], true]);
  });

  it('reads a document that changed just now, whatever the index knows of it', () => {
    const { place } = prepare({ 'a.md': 'salt' });
    const index = openSearchIndex(realDisk, join(place.home, 'search/index.db'));
    onTestFinished(() => index.close());
    const search = createSearch(realDisk, place.folder, index, Date.now);
    place.write('a.md', 'sage');
    search.changed(null);
    expect([search.catchUp(), hits(all(search, asking('sage')))]).toEqual([false, ['a.md:1:sage']]);
  });

  it('waits for no document whose time is far ahead', () => {
    const { place } = prepare({ 'a.md': 'salt' });
    const ahead = Date.now() / 1000 + 1e6;
    utimesSync(join(place.folder, 'a.md'), ahead, ahead);
    const index = openSearchIndex(realDisk, join(place.home, 'search/index.db'));
    onTestFinished(() => index.close());
    const search = createSearch(realDisk, place.folder, index, Date.now);
    expect([search.catchUp(), search.catchUp(), search.isWaiting()]).toEqual([true, false, false]);
    expect(hits(all(search, asking('salt')))).toEqual(['a.md:1:salt']);
  });

  it('names the documents that are too large, where they are looked for', () => {
    const { place, search } = prepare({ 'a.md': 'salt', 'b/large.md': '' });
    truncateSync(join(place.folder, 'b/large.md'), 65 * 1024 * 1024);
    search.changed(['b/large.md']);
    expect(search.find(asking('salt'))).toMatchObject({ files: [{ path: 'a.md' }], skipped: ['b/large.md'] });
    expect(search.find(asking('salt', { exclude: ['b/'] }))).toMatchObject({ skipped: [] });
    search.catchUp();
    expect(search.find(asking('salt'))).toMatchObject({ skipped: ['b/large.md'] });
  });

  it('says that an expression cannot be read', () => {
    expect(prepare(texts).search.find(asking('(', { isExpression: true }))).toEqual({ kind: 'invalid' });
  });

  it('lists so many matches of a document, and says that there are more', () => {
    const { search } = prepare({ 'a.md': 'x'.repeat(1000) });
    const [file] = all(search, asking('x'));
    expect([file!.matches.length, file!.more]).toEqual([500, true]);
  });

  it('reads no document twice that the index rules out, but for what was no text', () => {
    const { place, search } = prepare(texts);
    const reads: string[] = [];
    const readFileSync = ((path: string) => {
      reads.push(path);
      return realDisk.readFileSync(path);
    }) as typeof realDisk.readFileSync;
    const index = openSearchIndex(realDisk, join(place.home, 'search/index.db'));
    onTestFinished(() => index.close());
    search.changed(null);
    all(createSearch({ ...realDisk, readFileSync }, place.folder, index, later), asking('ferry'));
    expect(reads.filter((path) => path.endsWith('.md')).map((path) => path.slice(place.folder.length + 1))).toEqual([
      'a.md',
      'bytes.md',
      'chapters/one.md',
    ]);
  });
});
