import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Stemma, stemmaIn } from '../helpers/cli.ts';
import { cloneRepository, createFolder, createRepository, type Repository } from '../helpers/repository.ts';

const sections = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `## ${name} ${at + 1}\n\nA paragraph about ${name.toLowerCase()} ${at + 1}.\n`).join('\n');

/** A book with a past: three commits on main, and a branch that tells a chapter differently. */
function createBook(): Repository {
  const book = createRepository();
  book.write('README.md', '# The book\n');
  book.write('bible/elena.md', `# Elena\n\n${sections('Trait', 6)}`);
  book.write('bible/tom.md', `# Tom\n\n${sections('Trait', 4)}`);
  book.commit('The people');
  book.write('chapters/01.md', `# One\n\n${sections('Scene', 8)}`);
  book.write('chapters/02.md', `# Two\n\n${sections('Scene', 5)}`);
  book.commit('Two chapters');
  book.write('chapters/01.md', `${book.read('chapters/01.md')}\n## The end\n`);
  book.commit('An end for the first');
  return book;
}

function beginIn(book: Repository): Stemma {
  const stemma = stemmaIn({ folder: book.folder, home: createFolder() });
  stemma('init');
  return stemma;
}

/** How many entries of each kind there are. */
const entriesOf = (stemma: Stemma) => stemma.json('verify', 'verify').by_kind;

function removeIndex(folder: string): void {
  for (const name of readdirSync(join(folder, '.vmark')).filter((name) => /^index\.db(?!-lock)/u.test(name))) {
    rmSync(join(folder, '.vmark', name), { recursive: true });
  }
}

describe('a book in git', () => {
  it('says what an edit outside made stale, with the index and without', () => {
    const book = createBook();
    const stemma = beginIn(book);
    stemma.json(
      'record',
      'record',
      'chapters/01.md',
      '--from',
      'bible/elena.md',
      '--context-from',
      'README.md',
      '--agent',
      'model:drafter',
    );
    stemma.json('record', 'record', 'chapters/02.md', '--from', 'bible/elena.md', 'bible/tom.md');
    book.write('bible/elena.md', `${book.read('bible/elena.md')}\n## Trait 7\n\nShe limps.\n`);
    const answer = stemma.json('breakdown', 'breakdown');
    expect(answer.artifacts.map(({ path, rows }) => [path, ...rows.map(({ source, state }) => `${source?.path}: ${state}`)])).toEqual([
      ['chapters/01.md', 'bible/elena.md: version-stale'],
      ['chapters/02.md', 'bible/elena.md: version-stale'],
    ]);
    const before = stemma('breakdown', '--json').stdout;
    removeIndex(book.folder);
    expect(stemma('breakdown', '--json').stdout).toBe(before);
  });

  it('changes branches without a phantom revision, and git refuses nothing because of the ledger', () => {
    const book = createBook();
    const stemma = beginIn(book);
    stemma.json('record', 'record', 'chapters/01.md', '--from', 'bible/elena.md');
    book.commit('The ledger');
    book.git('switch', '--quiet', '--create', 'revision-2');
    book.write('chapters/01.md', book.read('chapters/01.md').replace('The end', 'Another end'));
    stemma.json('scan', 'scan');
    book.commit('Another end');
    const entries = entriesOf(stemma);
    const history = stemma('log', 'chapters/01.md').stdout;

    for (const branch of ['main', 'revision-2', 'main', 'revision-2']) {
      book.git('switch', '--quiet', branch);
      const scanned = stemma.json('scan', 'scan');
      expect(scanned).toMatchObject({ complete: true, external: 0, git: 0 });
    }
    expect(stemma('log', 'chapters/01.md').stdout).toBe(history);
    expect(entriesOf(stemma)).toEqual(entries);
    expect(stemma.json('verify', 'verify').ok).toBe(true);
  });

  it('is pulled with a rebase while both sides have recorded', () => {
    const book = createBook();
    const stemma = beginIn(book);
    stemma.json('record', 'record', 'chapters/01.md', '--from', 'bible/elena.md');
    book.commit('The ledger');
    const clone = cloneRepository(book);
    const there = beginIn(clone);
    clone.write('bible/tom.md', `${clone.read('bible/tom.md')}\nTom sings.\n`);
    there.json('record', 'record', 'chapters/02.md', '--from', 'bible/tom.md');
    clone.commit('Tom sings');

    book.write('bible/elena.md', `${book.read('bible/elena.md')}\nShe limps.\n`);
    stemma.json('scan', 'scan');
    book.commit('She limps');
    clone.git('pull', '--quiet', '--rebase');
    expect(there.json('scan', 'scan')).toMatchObject({ complete: true, external: 0 });
    expect(there.json('verify', 'verify').ok).toBe(true);
    expect(there.json('breakdown', 'breakdown').artifacts).toMatchObject([
      { path: 'chapters/01.md', rows: [{ source: { path: 'bible/elena.md' }, state: 'version-stale' }] },
    ]);
    expect(clone.git('status', '--porcelain', '--', 'bible', 'chapters')).toBe('');
  });

  it('answers from the ledger and says so while git is in the middle of something', () => {
    const book = createBook();
    const stemma = beginIn(book);
    stemma.json('record', 'record', 'chapters/01.md', '--from', 'bible/elena.md');
    book.commit('The ledger');
    book.git('switch', '--quiet', '--create', 'side');
    book.write('bible/tom.md', '# Tom, a sailor\n');
    book.commit('A sailor');
    book.git('switch', '--quiet', 'main');
    book.write('bible/tom.md', '# Tom, a soldier\n');
    book.commit('A soldier');
    book.gitStops('merge', '--quiet', 'side');
    expect(stemma.json('scan', 'scan')).toMatchObject({ complete: false, reason: 'git-busy' });
    const answer = stemma('breakdown');
    expect(answer).toMatchObject({ code: 0, stderr: expect.stringContaining('The scan is incomplete') });
    expect(stemma('check')).toMatchObject({ code: 3, stdout: '' });
    expect(stemma('record', 'chapters/02.md', '--from', 'bible/tom.md')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^Git is in the middle/u),
    });
  });
});
