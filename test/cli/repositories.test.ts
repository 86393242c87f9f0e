import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPlace, run } from '../helpers/cli.ts';

it('links, lists and unlinks repositories, and lets no program say what only a person may', () => {
  const { folder: cwd, home } = createPlace();
  const stemma = (...words: string[]) => run(words, { cwd, home });
  const refusal = (...words: string[]) => (stemma(...words, '--json').json() as { error: { code: string } }).error.code;
  expect(refusal('repositories', 'link', 'engine', '--url', 'https://example.org/engine.git')).toBe('no-workspace-record');
  stemma('init');
  expect(stemma('repositories', 'list').stdout).toBe('No repository is linked here.\n');
  expect(stemma('repositories', 'link', 'engine').code).toBe(2);
  expect(stemma('repositories', 'list', '--ref', 'main').code).toBe(2);
  expect(stemma('repositories', 'nothing').code).toBe(2);
  const url = 'https://example.org/engine.git';
  const linked = stemma('repositories', 'link', 'engine', '--url', url, '--ref', 'main', '--token-env', 'STEMMA_GIT_TOKEN', '--json');
  const entry = {
    name: 'engine',
    path: null,
    url,
    ref: 'main',
    token_env: 'STEMMA_GIT_TOKEN',
    confirmed: false,
    fetched: null,
    problem: null,
  };
  expect(linked.json()).toEqual({ repositories: [entry] });
  expect(refusal('repositories', 'fetch', 'engine')).toBe('repository-unconfirmed-token');
  expect(refusal('declarations', 'src/a.ts', '--repo', 'engine')).toBe('repository-unconfirmed-token');
  mkdirSync(join(cwd, 'code'));
  writeFileSync(join(cwd, 'code', 'a.ts'), 'export const a = 1;\n');
  expect(stemma('repositories', 'link', 'near', '--path', 'code').stdout).toBe(
    'near is linked.\nUntil a person says so on this machine, nothing of it is read. Run the command in a terminal to be asked, or say so under Linked repositories in the app.\n',
  );
  expect(stemma('repositories', 'list').stdout).toBe(
    `engine: ${url} (main). Not confirmed on this machine.\nnear: code. Not confirmed on this machine.\n`,
  );
  expect(refusal('repositories', 'fetch', 'near')).toBe('repository-local');
  expect(stemma('repositories', 'unlink', 'engine').stdout).toBe(
    'engine is not linked any more. Anchors to it stay, and cannot be checked.\n',
  );
  expect(refusal('repositories', 'unlink', 'engine')).toBe('repository-unknown');
});
