import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openGit } from '#core/git/git';
import { cloneRepository, createFolder, createRepository, gitEnvironment, type Repository } from '../../helpers/repository';

async function askEverything(repo: Repository): Promise<void> {
  const git = (await openGit(repo.folder, { env: gitEnvironment }))!;
  const since = await git.position();
  await Promise.all([git.busy(), git.trackedUnder('.vmark/ledger'), git.userName()]);
  git.headMoved();
  const changes = ['a.md', 'b.md', 'new\nline.md'].map((path) => ({ path, contentHash: 'x', known: true }));
  for (const from of [since, null]) expect(await git.attribute({ since: from, changes, hashOf: () => 'x' })).not.toBeNull();
}

// Every program that a repository can name, pointed at one script that leaves a trace.
function armed(repo: Repository): string {
  const canary = join(createFolder(), 'canary');
  const script = join(repo.folder, 'trap.sh');
  writeFileSync(script, `#!/bin/sh\necho x > '${canary}'\nexit 0\n`);
  chmodSync(script, 0o755);
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit', 'post-commit', 'pre-auto-gc']) {
    writeFileSync(join(repo.folder, '.git/hooks', hook), `#!/bin/sh\nexec '${script}'\n`);
    chmodSync(join(repo.folder, '.git/hooks', hook), 0o755);
  }
  writeFileSync(join(repo.folder, '.gitattributes'), '* filter=trap diff=trap merge=trap\n');
  const settings = ['core.fsmonitor', 'filter.trap.clean', 'filter.trap.smudge', 'diff.trap.textconv'];
  const others = [
    'diff.external',
    'core.pager',
    'core.editor',
    'core.sshCommand',
    'core.askPass',
    'core.gitProxy',
    'credential.helper',
    'gpg.program',
  ];
  for (const setting of [...settings, ...others]) repo.git('config', setting, script);
  repo.git('config', 'alias.rev-parse', `!${script}`);
  repo.git('config', 'pager.ls-tree', script);
  rmSync(canary, { force: true });
  return canary;
}

it('runs no program of the opened folder, where git status does', async () => {
  const repo = createRepository();
  for (const path of ['a.md', 'b.md', 'new\nline.md']) repo.write(path, 'x\n');
  repo.commit('all');
  const canary = armed(repo);
  repo.write('a.md', 'changed\n');
  await askEverything(repo);
  expect(existsSync(canary)).toBe(false);
  repo.git('status');
  expect(existsSync(canary)).toBe(true);
});

it('fetches no missing text of a partial clone, where git does', async () => {
  const origin = createRepository();
  origin.write('a.md', 'x\n');
  origin.commit('all');
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const clone = cloneRepository(origin, '--no-local', '--no-checkout', '--filter=blob:none');
  const canary = armed(clone);
  clone.git('remote', 'set-url', 'origin', 'ssh://example.invalid/book');
  await askEverything(clone);
  expect(existsSync(canary)).toBe(false);
  clone.gitStops('cat-file', '-p', 'HEAD:a.md');
  expect(existsSync(canary)).toBe(true);
});

it('leaves nothing behind in the repository', async () => {
  const repo = createRepository();
  repo.write('a.md', 'x\n');
  repo.commit('all');
  const list = () => repo.git('ls-files', '--others', '--', '.').concat(repo.git('count-objects'), repo.git('for-each-ref'));
  const before = list();
  await askEverything(repo);
  expect(list()).toBe(before);
  expect(existsSync(join(repo.folder, '.git/stemma'))).toBe(false);
});
