import { expect, it } from 'vitest';
import { stemmaIn } from '../helpers/cli.ts';
import { gitEnvironment } from '../helpers/repository.ts';
import { createTrackingPlace } from '../helpers/workspace.ts';

const at = (uri: string) => ({ physicalLocation: { artifactLocation: { uri } } });

it('a check says which of a pair stayed behind, in words and in SARIF, and fails only where pairs are asked about', async () => {
  const place = createTrackingPlace();
  place.write('docs/api.md', '# API\n\nOne call.\n');
  place.write('docs/a guide.md', '# Guide\n\nPress the button.\n');
  const core = await place.open();
  const { pair } = await core.pairs.make({ technical: 'docs/api.md', human: 'docs/a guide.md', by: { type: 'human' } });
  await core.close();
  const stemma = stemmaIn(place, gitEnvironment as Record<string, string>);
  const check = (form: string) => stemma('check', form, '--fail-on', 'pair-ahead');
  expect(check('--sarif')).toMatchObject({ code: 0 });
  place.write('docs/api.md', place.text('docs/api.md').replace('One', 'No'));
  const ahead = check('--sarif');
  const { runs } = ahead.json() as { runs: { tool: { driver: { rules: object[] } }; results: object[] }[] };
  expect([ahead.code, runs[0]!.tool.driver.rules.length]).toEqual([1, 1]);
  expect(runs[0]!.tool.driver.rules).toMatchObject([
    { id: 'pair-ahead', shortDescription: { text: 'One of two paired documents has changed since both were said to be in step.' } },
  ]);
  expect(runs[0]!.results).toMatchObject([
    {
      ruleId: 'pair-ahead',
      ruleIndex: 0,
      message: { text: 'docs/a guide.md and docs/api.md are a pair, and docs/api.md has moved ahead.' },
      locations: [at('docs/a%20guide.md')],
      partialFingerprints: { 'stemma/v1': pair },
      properties: { ahead: ['technical'] },
    },
  ]);
  expect(stemma('check', '--sarif', '--fail-on', 'lost').code).toBe(0);
  expect(stemma('breakdown').stdout).toBe(
    'docs/a guide.md and docs/api.md are a pair, and docs/api.md has moved ahead.\n\n1 pair is not in step.\n',
  );
  place.write('docs/a guide.md', place.text('docs/a guide.md').replace('Press', 'Hold'));
  const both = (check('--sarif').json() as { runs: typeof runs }).runs[0]!.results;
  expect(both).toMatchObject([
    {
      message: { text: 'docs/api.md and docs/a guide.md are a pair, and both have changed since they were in step.' },
      locations: [at('docs/api.md')],
      properties: { ahead: ['technical', 'human'] },
    },
  ]);
});
