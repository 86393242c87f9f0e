import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputs } from '#protocol/outputs';
import { createPlace, run } from '../helpers/cli.ts';

const id = '018f3c7a-a001-7def-8a3c-1b2c3d4e5f60';

/** A workspace where `a.md` was recorded from `s.md`, which has changed since, and a context of that name and content. */
function createStory(context: object) {
  const place = createPlace();
  const options = { cwd: place.folder, home: place.home };
  const write = (path: string, text: string) => writeFileSync(join(place.folder, path), text);
  const stemma = (...args: string[]) => run(args, options);
  write('s.md', 'one\n');
  write('a.md', 'made\n');
  stemma('init');
  stemma('record', 'a.md', '--from', 's.md');
  write('s.md', readFileSync(join(place.folder, 's.md'), 'utf8').replace('one', 'two'));
  stemma('scan');
  const { object, revisions } = stemma('log', 's.md', '--json').json() as { object: string; revisions: { revision: string }[] };
  mkdirSync(join(place.folder, '.vmark/contexts'));
  const manifest = { format: 0, id, name: 'past', selections: { [object]: revisions[0]!.revision }, ...context };
  write('.vmark/contexts/past.json', JSON.stringify(manifest));
  return { place, stemma };
}

describe('--context', () => {
  it('looks through a context by its name or its id, and says which', () => {
    const { stemma } = createStory({});
    expect(stemma('breakdown').stdout).toContain('version-stale');
    for (const named of ['past', id]) {
      const { code, stdout, stderr } = stemma('breakdown', '--all', '--context', named);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('past');
      expect(stdout).not.toContain('version-stale');
    }
    const seen = outputs.breakdown.parse(stemma('breakdown', '--context', 'past', '--json').json());
    expect(seen).toMatchObject({ context: { id, name: 'past', enforcement: 'greenhouse' }, artifacts: [] });
    expect(seen.context.problems).toBeUndefined();
  });

  it('says what is wrong with a context, in words and as data, and goes on with less', () => {
    const { stemma } = createStory({ parent: id, enforcement: 'strict' });
    const { code, stdout, stderr } = stemma('breakdown', '--context', 'past');
    expect([code, stdout.includes('version-stale')]).toEqual([0, true]);
    expect(stderr).toContain('The parents of the context in .vmark/contexts/past.json lead round in a circle');
    expect(stderr).toContain('The enforcement in .vmark/contexts/past.json is not known');
    const { problems } = outputs.breakdown.parse(stemma('breakdown', '--context', 'past', '--json').json()).context;
    expect(problems?.map((problem) => problem.code).sort()).toEqual(['context-cycle', 'context-enforcement-unknown']);
  });

  it('is heard by check, too: what it counts, and what is wrong with the context', () => {
    const { stemma } = createStory({ enforcement: 'strict' });
    expect(stemma('check')).toMatchObject({ code: 1, stderr: '' });
    const { code, stdout, stderr } = stemma('check', '--context', 'past');
    expect([code, stdout.includes('Seen through the context past.'), stdout.includes('version-stale')]).toEqual([0, true, false]);
    expect(stderr).toContain('The enforcement in .vmark/contexts/past.json is not known');
    const seen = outputs.check.parse(stemma('check', '--context', id, '--json').json());
    expect(seen).toMatchObject({ failing: {}, breakdown: { context: { name: 'past' }, artifacts: [] } });
    expect(stemma('check', '--context', 'past', '--sarif')).toMatchObject({ code: 0 });
    expect(stemma('check', '--context', 'canon')).toMatchObject({ code: 3, stderr: expect.stringContaining('default, past') });
  });

  it('names the contexts that there are, and a file that makes no sense', () => {
    const { place, stemma } = createStory({});
    writeFileSync(join(place.folder, '.vmark/contexts/torn.json'), '{');
    expect(stemma('breakdown', '--context', 'canon')).toMatchObject({ code: 3, stderr: expect.stringContaining('default, past') });
    expect(stemma('breakdown', '--context', 'torn', '--json').json()).toMatchObject({ error: { code: 'context-unreadable' } });
  });
});
