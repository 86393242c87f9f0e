import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { startAgent } from '../../helpers/agent';
import { run } from '../../helpers/cli';
import { createRepository, gitEnvironment, type Repository } from '../../helpers/repository';
import {
  createFolder,
  createPlace,
  createTrackingPlace,
  entriesOf,
  inputOf,
  type Place,
  savingFrom,
  savingOf,
} from '../../helpers/workspace';

const hooks = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'prepare-commit-msg',
  'reference-transaction',
  'sendemail-validate',
];

/** Settings of a repository that name a program, as far as git has them. */
const programs = [
  'core.alternateRefsCommand',
  'core.askPass',
  'core.editor',
  'core.fsmonitor',
  'core.gitProxy',
  'core.pager',
  'core.sshCommand',
  'credential.helper',
  'diff.external',
  'diff.trap.command',
  'diff.trap.textconv',
  'filter.trap.clean',
  'filter.trap.process',
  'filter.trap.smudge',
  'gpg.program',
  'gpg.ssh.program',
  'interactive.diffFilter',
  'merge.trap.driver',
  'mergetool.trap.cmd',
  'pager.cat-file',
  'pager.config',
  'pager.for-each-ref',
  'pager.ls-files',
  'pager.ls-tree',
  'pager.rev-list',
  'sequence.editor',
  'trailer.trap.command',
  'uploadpack.packObjectsHook',
];

const commands = ['cat-file', 'config', 'for-each-ref', 'hash-object', 'log', 'ls-files', 'ls-tree', 'rev-list', 'rev-parse', 'status'];

interface Hostile {
  readonly place: Place;
  readonly repo: Repository;
  readonly core: Core;
  /** Whether a program of the repository has run. */
  readonly hasSung: () => boolean;
}

/** A tracked book in a repository in which everything that can name a program names one that leaves a trace; also by an included file. */
async function createHostile(by: 'settings' | 'an included file'): Promise<Hostile> {
  const repo = createRepository();
  const place = createTrackingPlace(repo.folder);
  const core = await place.open();
  await core.save(savingOf(place, 'source.md', '# Source\n\none\n'));
  await core.save(savingFrom(place, 'a.md', 'made\n', [await inputOf(core, 'source.md')]));
  repo.write('code.ts', 'export function one() {\n  return 1;\n}\n');
  repo.commit('begin');
  repo.git('branch', 'side');
  await core.close();
  const canary = join(createFolder(), 'canary');
  const script = join(repo.folder, 'trap.sh');
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${canary}'\nexit 0\n`);
  chmodSync(script, 0o755);
  for (const hook of hooks) {
    writeFileSync(join(repo.folder, '.git/hooks', hook), `#!/bin/sh\nexec '${script}' ${hook}\n`);
    chmodSync(join(repo.folder, '.git/hooks', hook), 0o755);
  }
  repo.write(
    '.gitattributes',
    '* filter=trap diff=trap merge=trap ident working-tree-encoding=UTF-16\n.vmark/** -filter -working-tree-encoding\n',
  );
  const file = by === 'settings' ? join(repo.folder, '.git/config') : join(repo.folder, 'included.cfg');
  const set = (name: string, value: string) => repo.git('config', '--file', file, name, value);
  for (const name of programs) set(name, script);
  for (const name of commands) set(`alias.${name}`, `!${script} alias`);
  set('filter.trap.required', 'true');
  set('core.hooksPath', join(repo.folder, '.git/hooks'));
  set('core.splitIndex', 'true');
  set('core.untrackedCache', 'true');
  set('protocol.ext.allow', 'always');
  set('remote.origin.url', `ext::${script} %S`);
  set('remote.origin.promisor', 'true');
  set('remote.origin.uploadpack', script);
  set('submodule.world.update', `!${script}`);
  set('url.ext::.insteadOf', 'https://');
  if (by === 'an included file') repo.git('config', 'include.path', '../included.cfg');
  rmSync(canary, { force: true });
  return { place, repo, core: await place.open(), hasSung: () => existsSync(canary) };
}

/** All that a window, a command line and an agent may want of a folder. */
async function useAll({ place, core }: Hostile): Promise<void> {
  await core.info();
  await core.status();
  await core.tree();
  await core.openDocument('a.md');
  await core.scan();
  await core.save(savingOf(place, 'source.md', place.text('source.md').replace('one', 'two')));
  const { artifacts } = await core.breakdown({ all: true, scan: true, observe: true });
  expect(artifacts.length).toBeGreaterThan(0);
  await core.check({ failOn: ['stale'] });
  place.write('a.md', `${place.text('a.md')}by another program\n`);
  await core.scan();
  await core.landedMerge();
  await core.headCommit();
  await core.record({ path: 'a.md', from: ['source.md'], contextFrom: [], agent: { type: 'external', id: null }, summary: null });
  await core.logFile('a.md');
  await core.coherence('a.md');
  await core.verify({ restoreLines: true });
  await core.rebuild();
}

describe('a hostile repository', () => {
  it.each(['settings', 'an included file'] as const)('by %s: nothing of it is run, and the work is done', async (by) => {
    const hostile = await createHostile(by);
    await useAll(hostile);
    expect(hostile.hasSung()).toBe(false);
    expect(entriesOf(hostile.place, 'transformation').map(({ body }) => body.agent.type)).toEqual([
      'human',
      'model',
      'human',
      'external',
      'external',
    ]);
    // The trap is one: git's own look runs it.
    hostile.repo.gitStops('add', '--renormalize', 'a.md');
    expect(hostile.hasSung()).toBe(true);
  });

  it('moves HEAD under us by hand, and still nothing of it is run', async () => {
    const hostile = await createHostile('settings');
    const head = hostile.repo.git('rev-parse', 'HEAD').trim();
    writeFileSync(join(hostile.repo.folder, '.git/refs/heads/side'), `${head}\n`);
    writeFileSync(join(hostile.repo.folder, '.git/HEAD'), 'ref: refs/heads/side\n');
    await useAll(hostile);
    expect(hostile.hasSung()).toBe(false);
  });

  it.each([
    'ref: refs/heads/new\nline\n',
    'ref: refs/heads/../../../etc/passwd\n',
    'ref: --upload-pack=sh\n',
    'ref: refs/heads/$(touch x)\n',
    `${'0'.repeat(40)}\n`,
    '\0\n',
    '',
  ])('with a HEAD of %j: a text is saved and recorded', async (head) => {
    const { place, repo, core, hasSung } = await createHostile('settings');
    writeFileSync(join(repo.folder, '.git/HEAD'), head);
    const saved = await core.save(savingOf(place, 'source.md', place.text('source.md').replace('one', 'two')));
    expect(saved).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    await core.scan();
    expect((await core.breakdown({ all: true, scan: true })).artifacts).toHaveLength(1);
    expect(hasSung()).toBe(false);
    expect(existsSync(join(repo.folder, 'x'))).toBe(false);
  });

  it('with references whose names hold newlines and options: they are read as names', async () => {
    const { place, repo, core, hasSung } = await createHostile('settings');
    const head = repo.git('rev-parse', 'HEAD').trim();
    mkdirSync(join(repo.folder, '.git/refs/heads/--exec=trap.sh'), { recursive: true });
    for (const name of ['new\nline', '--exec=trap.sh/x', '-c', '$(touch x)', '\u001b]0;x']) {
      writeFileSync(join(repo.folder, '.git/refs/heads', name), `${head}\n`);
    }
    writeFileSync(join(repo.folder, '.git/packed-refs'), `# pack-refs with: peeled\n${head} refs/heads/packed\nname\n`);
    place.write('a.md', `${place.text('a.md')}by another program\n`);
    expect(await core.scan()).toMatchObject({ absent: 0 });
    expect(await core.save(savingOf(place, 'source.md', place.text('source.md').replace('one', 'two')))).toMatchObject({ kind: 'saved' });
    expect([hasSung(), existsSync(join(repo.folder, 'x'))]).toEqual([false, false]);
  });

  it('that names another worktree leads nowhere else: what is there is neither read nor written', async () => {
    const elsewhere = createPlace(createFolder());
    elsewhere.write('secret.md', '# Secret\n');
    const before = elsewhere.tree();
    const { place, repo, core, hasSung } = await createHostile('settings');
    await core.close();
    repo.git('config', 'core.worktree', elsewhere.folder);
    const other = await place.open();
    await other.save(savingOf(place, 'source.md', place.text('source.md').replace('one', 'two')));
    const { documents } = await other.scan();
    expect(documents).toBe(2);
    expect((await other.tree()).files.map(({ path }) => path)).not.toContain('secret.md');
    expect(elsewhere.tree()).toEqual(before);
    expect(existsSync(join(elsewhere.folder, '.git'))).toBe(false);
    expect(hasSung()).toBe(false);
  });

  it('whose .git is a file that leads elsewhere writes nothing there but what git itself calls its own folder', async () => {
    const target = createFolder();
    const place = createTrackingPlace();
    place.write('.git', `gitdir: ${target}\n`);
    const core = await place.open();
    expect(await core.save(savingOf(place, 'a.md', 'one\n'))).toMatchObject({ kind: 'saved', recorded: { kind: 'recorded' } });
    expect(await core.scan()).toMatchObject({ unchanged: 1 });
    expect(createPlace(target).tree().size).toBe(0);
  });

  it('that holds a program named git does not have it run', async () => {
    const { place, repo, core, hasSung } = await createHostile('settings');
    await core.close();
    writeFileSync(join(repo.folder, 'git'), readFileSync(join(repo.folder, 'trap.sh')));
    chmodSync(join(repo.folder, 'git'), 0o755);
    expect(gitEnvironment.PATH?.split(':')).not.toContain(repo.folder);
    await (await place.open()).scan();
    expect(hasSung()).toBe(false);
  });

  it('is looked at and written to by the command line and by an agent: nothing of it is run', async () => {
    const { place, repo, core, hasSung } = await createHostile('settings');
    await core.close();
    const stemma = (...args: string[]) => run([...args, '--json'], { cwd: place.folder, home: place.home });
    const done = (...args: string[]) => expect([args, stemma(...args).code]).toEqual([args, 0]);
    done('status');
    place.write('new.md', '# New\n');
    done('track', 'new.md');
    done('anchors', 'add', 'a.md', '--file', 'code.ts', '--symbol', 'one');
    done('declarations', 'code.ts');
    place.write('source.md', place.text('source.md').replace('one', 'two'));
    done('scan');
    done('record', 'a.md', '--from', 'source.md', '--agent', 'model:m');
    for (const words of ['breakdown', 'log', 'log a.md', 'anchors check', 'anchors list', 'repositories list', 'verify', 'rebuild'])
      done(...words.split(' '));
    expect([0, 1]).toContain(stemma('check').code);
    expect(hasSung()).toBe(false);

    const agent = await startAgent(place);
    for (const action of ['list', 'search']) await agent.ask('workspace', { action, ...(action === 'search' ? { query: 'two' } : {}) });
    await agent.ask('document', { action: 'outline', path: 'source.md' });
    const { hash } = await agent.read('a.md');
    await agent.ask('document_write', { action: 'replace', path: 'a.md', base: hash, text: '# A\n\nwritten anew\n' });
    await agent.ask('document_write', { action: 'create', path: 'made.md', text: '# Made\n' });
    for (const action of ['status', 'edges', 'claims', 'contexts']) await agent.ask('coherence', { action });
    for (const action of ['check', 'list']) await agent.ask('code_anchors', { action });
    await agent.ask('code_anchors', { action: 'declarations', file: 'code.ts' });
    expect(hasSung()).toBe(false);
    repo.gitStops('add', '--renormalize', 'a.md');
    expect(hasSung()).toBe(true);
  });
});
