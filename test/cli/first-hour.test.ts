import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace, type Place, stemmaIn } from '../helpers/cli.ts';

function createNovel(): Place {
  const place = createPlace();
  mkdirSync(join(place.folder, 'bible'));
  mkdirSync(join(place.folder, 'chapters'));
  writeFileSync(join(place.folder, 'bible/elena.md'), '# Elena\n\nGreen eyes, left-handed.\n');
  writeFileSync(join(place.folder, 'chapters/01.md'), '# One\n\nElena looked up.\n');
  return place;
}

const edit = ({ folder }: Place, path: string) => appendFileSync(join(folder, path), '\nShe limps.\n');

describe('the first hour', () => {
  it('goes from a folder of texts to a breakdown that says what has changed', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    expect(stemma('init').stdout).toMatch(/^Provenance is on .* Nothing was written/u);
    expect(existsSync(join(place.folder, '.vmark'))).toBe(false);
    expect(stemma('breakdown').stdout).toMatch(/^No ledger yet/u);
    expect(stemma('track', '--all', '--yes')).toMatchObject({
      code: 0,
      stdout: 'bible/elena.md is tracked by its id.\nchapters/01.md is tracked by its id.\n2 documents are newly tracked.\n',
      stderr: '',
    });
    expect(stemma('breakdown', '--all').stdout).toMatch(/^No document rests on another yet/u);
    expect(stemma('record', 'chapters/01.md', '--from', 'bible/elena.md', '--agent', 'model:drafter').stdout).toBe(
      'Recorded chapters/01.md as v2, resting on 1 source.\n',
    );
    expect(stemma('breakdown').stdout).toBe('Nothing is stale.\n');

    edit(place, 'bible/elena.md');
    expect(stemma('breakdown')).toEqual({
      code: 0,
      stdout: `chapters/01.md
  bible/elena.md  v1 → v2  changed (version-stale)  inferred

1 pin has been passed by its source.
`,
      stderr: '',
      json: expect.any(Function),
    });
    expect(stemma('check')).toMatchObject({
      code: 1,
      stdout: 'chapters/01.md rests on bible/elena.md: changed.\n1 row is in a listed state.\n',
    });
    expect(stemma('diff', 'bible/elena.md', 'v1', 'v2').stdout).toMatch(/^\+She limps\.$/mu);
    expect(stemma('show', 'bible/elena.md@v1').stdout).toBe('# Elena\n\nGreen eyes, left-handed.\n');
    expect(stemma('log', 'chapters/01.md').stdout).toMatch(
      /^v1 .*\nv2 .* a model \(drafter\) +inferred +recorded by a script\n +rests on +bible\/elena\.md +v1\n$/u,
    );
  });

  it('begins with record as well: its sources are registered as they are', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    stemma('init');
    const recorded = stemma.json('record', 'record', 'chapters/01.md', '--from', 'bible/elena.md', '--intent', 'first draft');
    expect(recorded).toMatchObject({
      path: 'chapters/01.md',
      confidence: 'inferred',
      inputs: [{ path: 'bible/elena.md', role: 'direct' }],
    });
    edit(place, 'bible/elena.md');
    expect(stemma.json('breakdown', 'breakdown').artifacts).toMatchObject([
      { path: 'chapters/01.md', rows: [{ state: 'version-stale', pinned: { label: 'v1' }, current: { label: 'v2' } }] },
    ]);
  });

  it('names what was left out of a record, and records the rest', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    stemma('init');
    const run = stemma('record', 'chapters/01.md', '--from', 'bible/elena.md', 'bible/tom.md', '--context-from', 'bible/elena.md');
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/resting on 1 source\.\n$/u) });
    expect(run.stderr).toContain('Left out bible/tom.md. It does not exist.');
  });

  it('works in a subfolder: names start there, answers are from the top', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    stemma('init');
    stemma('track', '--all', '--yes');
    const below = stemmaIn({ ...place, folder: join(place.folder, 'chapters') });
    expect(below.json('record', 'record', '01.md', '--from', '../bible/elena.md')).toMatchObject({ path: 'chapters/01.md' });
    expect(below('record', '01.md', '--from', '../bible/elena.md').stdout).toMatch(/^(Recorded )?chapters\/01\.md /u);
    const elsewhere = stemmaIn({ ...place, folder: join(place.folder, '..') });
    expect(elsewhere('-C', 'workspace', 'log', 'chapters/01.md').stdout).toMatch(/rests on +bible\/elena\.md +v1/u);
  });
});

describe('every answer in JSON', () => {
  it('is one document that its schema describes, also when people are told something besides', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    const answers = {
      init: stemma.json('init', 'init'),
      preview: stemma.json('track', 'track', '--all', '--dry-run'),
      track: stemma.json('track', 'track', 'bible/elena.md', 'chapters/01.md'),
      record: stemma.json('record', 'record', 'chapters/01.md', '--from', 'bible/elena.md', 'gone.md', '--intent', 'a line'),
    };
    expect(answers.preview).toMatchObject({ dry_run: true, counts: { tracked: 2 } });
    expect(answers.record.dropped).toEqual([{ path: 'gone.md', reason: 'missing' }]);
    expect(stemma.json('scan', 'scan')).toMatchObject({ complete: true, external: 0 });
    edit(place, 'bible/elena.md');
    expect(stemma.json('check', 'check')).toMatchObject({ ok: false, failing: { 'version-stale': 1 } });
    expect(stemma.json('scan', 'scan')).toMatchObject({ complete: true, external: 1 });
    expect(stemma.json('breakdown', 'breakdown', '--all').counts).toMatchObject({ 'version-stale': 1, fresh: 0 });
    expect(stemma.json('breakdown', 'breakdown', '--no-scan').scan).toMatchObject({ complete: false, reason: 'not-scanned' });
    expect(stemma.json('status', 'status')).toMatchObject({ initialized: true, setting: 'on', tracked: 2, git: null });
    const { entries } = stemma.json('log', 'log');
    expect(entries.length).toBeGreaterThan(4);
    expect(stemma.json('log-file', 'log', 'bible/elena.md').revisions.map(({ label }) => label)).toEqual(['v1', 'v2']);
    expect(stemma.json('show', 'show', 'bible/elena.md@v1').text).toBe('# Elena\n\nGreen eyes, left-handed.\n');
    expect(stemma.json('diff', 'diff', 'bible/elena.md', 'v1')).toMatchObject({ equal: false, added: 2, removed: 0 });
    expect(stemma.json('verify', 'verify')).toMatchObject({ ok: true, entries: entries.length });
    expect(stemma.json('verify', 'verify', '--restore-lines')).toMatchObject({ ok: true, restored: 0 });
    expect(stemma.json('rebuild', 'rebuild').entries).toBe(entries.length);
    expect(stemma.json('hash', 'hash', 'bible/elena.md')).toMatchObject({ path: 'bible/elena.md', binary: false, tracked_by: 'id' });
    expect(stemma.json('failure', 'log', 'nowhere.md').error.code).toBe('file-missing');
  });

  it('for code scanning is SARIF with one result for each finding', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    stemma('init');
    stemma('record', 'chapters/01.md', '--from', 'bible/elena.md');
    edit(place, 'bible/elena.md');
    const { code, stdout } = stemma('check', '--sarif');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Stemma', rules: [{ id: 'version-stale' }] } },
          results: [
            {
              ruleId: 'version-stale',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'chapters/01.md rests on bible/elena.md: changed.' },
              locations: [{ physicalLocation: { artifactLocation: { uri: 'chapters/01.md' } } }],
            },
          ],
        },
      ],
    });
    expect(stemma('check', '--sarif', '--fail-on', 'diverged')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"results": []'),
    });
  });
});

describe('what is recorded', () => {
  it('answers with the same bytes after the index was built again', () => {
    const place = createNovel();
    const stemma = stemmaIn(place);
    stemma('init');
    stemma('record', 'chapters/01.md', '--from', 'bible/elena.md');
    edit(place, 'bible/elena.md');
    stemma('scan');
    const before = stemma('breakdown', '--json').stdout;
    expect(stemma('rebuild').stdout).toMatch(/^The index was built again from \d+ entries\.\n$/u);
    expect(stemma('breakdown', '--json').stdout).toBe(before);
  });
});
