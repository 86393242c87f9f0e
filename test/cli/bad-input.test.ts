import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOlder, neededNode } from '#cli/node-version';
import { createPlace, type Place, program, run, type Stemma, stemmaIn, valid } from '../helpers/cli.ts';

function createTracked(): Place & { readonly stemma: Stemma } {
  const place = createPlace();
  writeFileSync(join(place.folder, 'a.md'), '# A\n');
  writeFileSync(join(place.folder, 'b.md'), '# B\n');
  const stemma = stemmaIn(place);
  stemma('init');
  stemma('record', 'b.md', '--from', 'a.md');
  return { ...place, stemma };
}

/** One call, for people and in JSON: a sentence with this beginning, this exit code, this code. */
function expectFailure(stemma: Stemma, args: readonly string[], exit: number, code: string | RegExp, sentence: RegExp): void {
  const people = stemma(...args);
  expect([people.code, people.stdout], args.join(' ')).toEqual([exit, '']);
  expect(people.stderr).toMatch(sentence);
  expect(people.stderr.trimEnd().split('\n'), 'one sentence a line').toHaveLength(1);
  const json = stemma('--json', ...args);
  expect([json.code, json.stderr], args.join(' ')).toEqual([exit, '']);
  expect(valid('failure', json.json()).error.code).toMatch(typeof code === 'string' ? new RegExp(`^${code}$`, 'u') : code);
}

describe('a folder', () => {
  it('that does not exist, or is a file, is named', () => {
    const { folder, stemma } = createTracked();
    for (const command of ['status', 'init', 'scan', 'verify']) {
      expectFailure(stemma, ['-C', join(folder, 'gone'), command], 3, 'folder-missing', /^The folder .*gone does not exist\./u);
      expectFailure(stemma, ['-C', join(folder, 'a.md'), command], 3, 'not-a-folder', /a\.md is not a folder/u);
    }
    expectFailure(stemma, ['-C', join(folder, 'gone'), 'hash', 'a.md'], 3, 'folder-missing', /^The folder /u);
  });

  it('that was removed under the command is a sentence', (context) => {
    if (process.platform === 'win32') context.skip('this system removes no folder that is in use');
    const place = createPlace();
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${program}" status`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
      cwd: place.folder,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', STEMMA_HOME: place.home },
    });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^The folder .* does not exist\./u);
  });
});

describe('a file', () => {
  it('that is none, is a folder, leads nowhere or round in a circle is named, and nothing is recorded', () => {
    const { folder, stemma } = createTracked();
    mkdirSync(join(folder, 'folder.md'));
    symlinkSync('nowhere.md', join(folder, 'dangling.md'));
    symlinkSync('round.md', join(folder, 'round.md'));
    const entries = stemma.json('log', 'log').entries.length;
    for (const command of [['hash'], ['record', '--from', 'a.md', '--'], ['track']]) {
      expectFailure(stemma, [...command, 'gone.md'], 3, 'file-missing', /^The file gone\.md does not exist\./u);
      expectFailure(stemma, [...command, 'folder.md'], 3, 'is-a-folder', /^folder\.md is a folder/u);
      expectFailure(stemma, [...command, 'dangling.md'], 3, /^(file-missing|is-a-link)$/u, /dangling\.md/u);
      expectFailure(stemma, [...command, 'round.md'], 3, /^(link-loop|is-a-link)$/u, /round\.md/u);
    }
    expect(stemma.json('log', 'log').entries).toHaveLength(entries);
  });

  // A name with NUL never gets here: no system lets a program be started with one.
  it('outside the workspace, or with a name that cannot be, is refused', () => {
    const { folder, stemma } = createTracked();
    writeFileSync(join(folder, '../outside.md'), '# Outside\n');
    symlinkSync('..', join(folder, 'up'));
    for (const path of ['../outside.md', join(folder, '../outside.md'), 'up/outside.md']) {
      expectFailure(stemma, ['hash', path], 3, 'outside-workspace', /outside\.md is outside this workspace/u);
    }
    for (const path of ['a\nb.md', '.git/config.md', '.vmark/ledger/x.md']) {
      expectFailure(stemma, ['hash', path], 3, 'path-invalid', /cannot be used/u);
    }
    for (const command of [['record', '--from', 'a.md', '--'], ['track'], ['log']]) {
      expectFailure(stemma, [...command, 'up/outside.md'], 3, 'outside-workspace', /outside\.md is outside this workspace/u);
      expectFailure(stemma, [...command, '.vmark/ledger/x.md'], 3, 'path-invalid', /cannot be used/u);
    }
    const beside = stemma.json('record', 'record', 'b.md', '--from', 'a.md', '--intent', 'still in order');
    expect(beside.dropped).toEqual([]);
    expect(readFileSync(join(folder, '../outside.md'), 'utf8')).toBe('# Outside\n');
  });

  it('whose name would act on a terminal is shown as its characters', () => {
    const { folder, stemma } = createTracked();
    const name = 'x\u001b]0;owned\u0007.md';
    writeFileSync(join(folder, name), '# X\n');
    const { stdout, stderr } = stemma('record', 'b.md', '--from', name, 'gone\u001b[2J.md');
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    appendFileSync(join(folder, name), 'more\n');
    const shown = stemma('breakdown').stdout;
    expect(shown).toContain('x\\u{1b}]0;owned\\u{7}.md');
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(stemma('breakdown', '--json').stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('that is not tracked has no history', () => {
    const { folder, stemma } = createTracked();
    writeFileSync(join(folder, 'new.md'), '# New\n');
    expectFailure(stemma, ['log', 'new.md'], 3, 'not-tracked', /^new\.md is not tracked yet/u);
    expectFailure(stemma, ['show', 'new.md@v1'], 3, 'not-tracked', /^new\.md is not tracked yet/u);
  });
});

describe('a revision', () => {
  it('that is not there is named', () => {
    const { stemma } = createTracked();
    for (const revision of ['v9', 'v0', 'rev1:0000', 'ffffffff', 'nonsense']) {
      expectFailure(stemma, ['show', `a.md@${revision}`], 3, 'revision-unknown', /^a\.md has no revision /u);
      expectFailure(stemma, ['diff', 'a.md', revision], 3, 'revision-unknown', /^a\.md has no revision /u);
    }
  });

  it('whose digits fit several is refused with the candidates', () => {
    const { folder, stemma } = createTracked();
    // Seventeen revisions: two of them begin with the same digit.
    for (let at = 0; at < 17; at++) {
      appendFileSync(join(folder, 'a.md'), `${at}\n`);
      stemma('scan');
    }
    const ids = stemma.json('log-file', 'log', 'a.md').revisions.map(({ revision }) => revision.slice('rev1:'.length));
    const first = ids.map((id) => id[0]!).find((digit, at, all) => all.indexOf(digit) < at)!;
    const { error } = valid('failure', stemma('show', `a.md@rev1:${first}`, '--json').json());
    expect(error.code).toBe('revision-ambiguous');
    expect(error.candidates!.length).toBe(ids.filter((id) => id.startsWith(first)).length);
  });
});

describe('a command line that cannot be understood', () => {
  it('ends with 2, one sentence and nothing on stdout', () => {
    const { stemma } = createTracked();
    expectFailure(stemma, ['sttaus'], 2, 'usage', /^There is no command sttaus; did you mean status\?/u);
    expectFailure(stemma, ['status', '--frob'], 2, 'usage', /^There is no option --frob\./u);
    expectFailure(stemma, ['record', 'a.md'], 2, 'usage', /^Name at least one source with `--from`\./u);
    expectFailure(stemma, ['show', 'a.md'], 2, 'usage', /^Add a revision after the name, such as a\.md@v2\./u);
    expectFailure(stemma, ['diff'], 2, 'usage', /^FILE is missing\./u);
    expectFailure(stemma, ['track'], 2, 'usage', /^Name at least one document/u);
    expectFailure(stemma, ['check', '--fail-on', 'bad'], 2, 'state-unknown', /^There is no state named bad\./u);
    expectFailure(stemma, ['record', 'a.md', '--from', 'b.md', '--agent', 'x'], 2, 'agent-invalid', /^x is not an agent\./u);
    expectFailure(stemma, ['record', 'a.md', '--from', 'b.md', '--agent', 'human:x'], 1, 'agent-human-refused', /^A script cannot/u);
    expectFailure(stemma, ['breakdown', '--context', 'nowhere'], 3, 'context-unknown', /^There is no context named nowhere\./u);
  });

  it('that would stamp everything without a word of a person is refused', () => {
    const { folder, stemma } = createTracked();
    writeFileSync(join(folder, 'new.md'), '# New\n');
    expectFailure(stemma, ['track', '--all'], 2, 'needs-yes', /^1 document would be stamped\. Nothing was changed/u);
    expect(readFileSync(join(folder, 'new.md'), 'utf8')).toBe('# New\n');
  });
});

describe('a ledger', () => {
  it('with a broken line in the middle, and a torn end, goes on without it and says so', () => {
    const { folder, stemma } = createTracked();
    const before = stemma.json('log', 'log').entries.length;
    const [segment] = readdirSync(join(folder, '.vmark/ledger')).filter((name) => name.endsWith('.jsonl'));
    const path = join(folder, '.vmark/ledger', segment!);
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const [first, ...rest] = lines;
    writeFileSync(path, `${[first, '{"format":0,"id":"broken \u001b[2J', '\u0000\u0000', ...rest].join('\n')}\n{"format":0,"id":"to`);
    expect(stemma.json('log', 'log').entries).toHaveLength(before);
    const verified = stemma('verify');
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain(`Line 2 of ${segment}`);
    expect(verified.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(stemma.json('verify', 'verify').quarantined).toMatchObject([{ line: 2 }, { line: 3 }]);
    expect(stemma.json('status', 'status').quarantined).toBe(2);
    appendFileSync(join(folder, 'a.md'), 'more\n');
    expect(stemma.json('breakdown', 'breakdown').counts['version-stale']).toBe(1);
    for (const line of lines) expect(readFileSync(path, 'utf8')).toContain(line);
  });

  it('that git took lines from is healed', () => {
    const { folder, stemma } = createTracked();
    const before = stemma.json('log', 'log').entries;
    for (const name of readdirSync(join(folder, '.vmark/ledger')).filter((name) => name.endsWith('.jsonl'))) {
      rmSync(join(folder, '.vmark/ledger', name));
    }
    expect(stemma('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining('`stemma verify --restore-lines` appends') });
    expect(stemma.json('verify', 'verify', '--restore-lines')).toMatchObject({ ok: true, restored: before.length });
    expect(stemma.json('log', 'log').entries).toEqual(before);
  });
});

/** A small disk of its own, or null where this user may not make one. */
function mountSmallDisk(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  if (status !== 0) return false;
  onTestFinished(() => void execFileSync('umount', [folder]));
  return true;
}

describe('a disk', () => {
  it('that is read-only is named, and what can be read is read', (context) => {
    const place = createPlace();
    const folder = join(place.folder, 'disk');
    if (!mountSmallDisk(folder, 'size=4m')) context.skip('this user may not mount a disk');
    writeFileSync(join(folder, 'a.md'), '# A\n');
    writeFileSync(join(folder, 'b.md'), '# B\n');
    const stemma = stemmaIn({ ...place, folder });
    stemma('init');
    stemma('record', 'b.md', '--from', 'a.md');
    appendFileSync(join(folder, 'a.md'), 'more\n');
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    expect(stemma.json('log', 'log').entries.length).toBeGreaterThan(0);
    expect(stemma.json('check', 'check').failing).toEqual({ 'version-stale': 1 });
    expect(stemma('status').code).toBe(0);
    const { code, stdout, stderr } = stemma('record', 'b.md', '--from', 'a.md');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/read-only|could not be written/u);
  });

  it('that is full is named, and nothing is lost', (context) => {
    const place = createPlace();
    const folder = join(place.folder, 'disk');
    if (!mountSmallDisk(folder, 'size=1m')) context.skip('this user may not mount a disk');
    writeFileSync(join(folder, 'a.md'), '# A\n');
    writeFileSync(join(folder, 'b.md'), '# B\n');
    const stemma = stemmaIn({ ...place, folder });
    stemma('init');
    stemma('record', 'b.md', '--from', 'a.md');
    const before = stemma.json('log', 'log').entries;
    const document = readFileSync(join(folder, 'b.md'), 'utf8');
    writeFileSync(join(folder, 'a.md'), `${readFileSync(join(folder, 'a.md'), 'utf8')}more\n`);
    fillUp(join(folder, 'filler'));
    const { code, stdout, stderr } = stemma('record', 'b.md', '--from', 'a.md');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^The disk is full/u);
    rmSync(join(folder, 'filler'));
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toBe(document);
    expect(stemma.json('log', 'log').entries.slice(0, before.length)).toEqual(before);
    expect(stemma.json('breakdown', 'breakdown').counts['version-stale']).toBe(1);
    expect(stemma.json('verify', 'verify').problems.filter(({ code }) => code !== 'torn-line')).toEqual([]);
  });
});

/** Writes until there is no room. */
function fillUp(path: string): void {
  for (let size = 1 << 16; size >= 1; ) {
    try {
      appendFileSync(path, Buffer.alloc(size));
    } catch {
      size >>= 1;
    }
  }
}

describe('the output', () => {
  it('may end before it was read: no stack, no complaint', (context) => {
    if (process.platform === 'win32') context.skip('this system has no sh');
    const { folder, home } = createTracked();
    const script = `"${process.execPath}" "${program}" log --json | head -c 10`;
    const env = { ...process.env, LC_ALL: 'C', STEMMA_HOME: home };
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', env });
    expect([stdout.length, stderr]).toEqual([10, '']);
  });

  it('that cannot be written is a sentence and not a success', (context) => {
    const { folder, home } = createTracked();
    const script = `"${process.execPath}" "${program}" log > /dev/full`;
    if (spawnSync('sh', ['-c', 'test -c /dev/full']).status !== 0) context.skip('this system has no /dev/full');
    const env = { ...process.env, LC_ALL: 'C', STEMMA_HOME: home };
    const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', env });
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^The disk is full, so stdout was not written/u)]);
  });
});

/** A Node on PATH that is too old for this program; those that packages of ours bring along are not. */
function oldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const nodes = folders.map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'));
  return nodes.find((node) => {
    const { status, stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return status === 0 && isOlder(stdout.trim(), neededNode);
  });
}

describe('a Node that is too old', () => {
  it('is refused with a sentence, in the language of the reader, or in JSON', (context) => {
    const node = oldNode();
    if (node === undefined) context.skip(`there is no Node older than ${neededNode} on PATH`);
    const { folder, home } = createPlace();
    const old = (args: string[], env = {}) => run(args, { cwd: folder, home, env, node: node! });
    expect(old(['status'])).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^Stemma needs Node 22\.22 or newer/u) });
    expect(old(['status'], { LC_ALL: 'es_ES.UTF-8' }).stderr).toMatch(/^Stemma necesita Node 22\.22/u);
    const json = old(['status', '--json'], { LC_ALL: 'es_ES.UTF-8' });
    expect([json.code, json.stderr, valid('failure', json.json()).error.code]).toEqual([3, '', 'node-too-old']);
  });
});
