import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Core } from '#core';
import { readDocument } from '#core/document';
import { createRepository, type Repository } from './repository';
import { createFolder, createPlace, createTrackingPlace, entriesOf, type Place, type Surroundings, savingOf } from './workspace';

/** A book in a repository, with a core at work on it and what the core has acknowledged. */
export interface Book {
  readonly repo: Repository;
  readonly place: Place;
  readonly core: Core;
  /** The ids of entries that saves were answered with. */
  readonly acknowledged: Set<string>;
}

/** The chapter that the stories are about. */
export const chapter = 'chapter.md';

/** A chapter whose first and last lines can be changed without a conflict. */
export const text = (first: string, last: string): string => `${first}\n\none\ntwo\nthree\n\n${last}\n`;

/** Opens a repository that is there; an installation of its own where no `home` is named. */
export async function openBook(repo: Repository, home = createFolder('home')): Promise<Book> {
  createPlace(createFolder(), home).setting(true);
  const place = createPlace(repo.folder, home);
  return { repo, place, core: await place.open(), acknowledged: new Set() };
}

/** A repository with a chapter that is tracked and committed, its ledger too. */
export async function beginBook(surroundings: Surroundings = {}): Promise<Book> {
  const repo = createRepository();
  const place = createTrackingPlace(repo.folder);
  const book = { repo, place, core: await place.open(surroundings), acknowledged: new Set<string>() };
  await saveAndCommit(book, text('a', 'a'));
  expect(await book.core.scan()).toMatchObject({ unchanged: 1, external: 0, git: 0 });
  return book;
}

/** The chapter as another program leaves it: its block stays. */
export function edit({ place }: Book, body: string, path = chapter): void {
  const block = existsSync(join(place.folder, path)) ? (/^---\n.*?---\n/su.exec(place.text(path))?.[0] ?? '') : '';
  place.write(path, block + body);
}

/** Saves through core, the block kept. */
export async function save(book: Book, body: string, path = chapter): Promise<void> {
  const { place, core } = book;
  const block = existsSync(join(place.folder, path)) ? (/^---\r?\n.*?---\r?\n/su.exec(place.text(path))?.[0] ?? '') : '';
  const saved = await core.save(savingOf(place, path, block + body));
  expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
  if (saved.kind === 'saved' && saved.recorded.kind === 'recorded' && saved.recorded.entry !== null)
    book.acknowledged.add(saved.recorded.entry);
}

/** Saves and commits all there is; `options` go to `git commit`. */
export async function saveAndCommit(book: Book, body: string, ...options: string[]): Promise<void> {
  await save(book, body);
  book.repo.commit('a chapter', ...options);
}

/** Makes a branch whose chapter is another, and goes back. */
export async function branchOff(book: Book, name: string, body: string): Promise<void> {
  book.repo.git('switch', '--quiet', '--create', name);
  await saveAndCommit(book, body);
  book.repo.git('switch', '--quiet', '-');
}

/** Who made each version that the ledger here knows, in order. */
export async function authors({ core }: Book, path = chapter): Promise<string[]> {
  return (await core.logFile(path)).revisions.map(({ agent }) => agent.type);
}

const headsOf = async ({ core }: Book, path: string) => (await core.logFile(path)).heads.length;
const statusOf = ({ repo }: Book) => repo.git('status', '--porcelain');

/** What a story comes to. */
export interface Outcome {
  /** Who made the versions that this ledger has, in order: one that nobody made is a phantom. */
  readonly authors: readonly string[];
  /** How many current versions there are; 1 unless told. */
  readonly heads?: number;
  readonly path?: string;
}

/**
 * What holds after every story. A look that nobody asked for writes nothing after a move of HEAD, and one that somebody asked for
 * writes nothing where there was only a move; each version has a maker; a second look finds nothing; no acknowledged entry is lost; what
 * is written now follows the text that stood there. Git refuses nothing: it throws where it does.
 */
export async function expectOutcome(book: Book, { authors: made, heads = 1, path = chapter }: Outcome): Promise<void> {
  const { core, place } = book;
  const before = { status: statusOf(book), versions: (await authors(book, path)).length, segments: place.segments() };
  const found = await core.scan();
  expect(found.complete).toBe(true);
  expect(await authors(book, path)).toEqual(made);
  expect(await headsOf(book, path)).toBe(heads);
  if (made.length === before.versions) {
    expect(place.segments()).toEqual(before.segments);
    expect(statusOf(book)).toBe(before.status);
  }
  const after = place.segments();
  expect(await core.scan()).toMatchObject({ external: 0, git: 0, adopted: 0, moved: 0, complete: true });
  expect(place.segments()).toEqual(after);
  expect((await core.verify({ restoreLines: false })).problems).toEqual([]);
  expectNothingLost(book);
  await expectFollows(book, path);
}

/** What is written now follows the revision whose text stood in the file. */
async function expectFollows(book: Book, path: string): Promise<void> {
  const { contentHash } = readDocument(book.place.read(path), path);
  await save(book, `${text('next', 'next')}${Math.random()}\n`, path);
  const versions = entriesOf(book.place, 'transformation');
  const [parent, ...others] = versions.findLast(({ id }) => book.acknowledged.has(id))!.body.outputs[0]!.parents;
  const contents = versions.flatMap(({ body }) => body.outputs);
  expect(others).toEqual([]);
  expect(contents.find(({ revision }) => revision === parent)?.content_hash).toBe(contentHash);
}

/** An acknowledged entry stands in the ledger, in a commit that git has, or among the lines that are kept to be put back. */
export function expectNothingLost(book: Book): void {
  const here = new Set<string>(book.place.entries().map(({ id }) => id));
  const away = [...book.acknowledged].filter((id) => !here.has(id));
  if (away.length === 0) return;
  const elsewhere = [...committedLines(book), ...keptLines(book)].join('\n');
  expect(away.filter((id) => !elsewhere.includes(id))).toEqual([]);
}

function committedLines({ repo }: Book): string[] {
  if (!existsSync(join(repo.folder, '.git'))) return [];
  const commits = repo.git('rev-list', '--all', '--reflog').split('\n').filter(Boolean);
  return commits.flatMap((commit) => {
    const names = repo.git('ls-tree', '-r', '--name-only', commit, '--', '.vmark/ledger').split('\n').filter(Boolean);
    return names.map((name) => repo.git('show', `${commit}:${name}`));
  });
}

function keptLines({ place }: Book): string[] {
  const folder = join(place.home, 'lines');
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => readFileSync(join(folder, name), 'utf8'));
}
