// `npm test`: types, lint, build, then unit and end-to-end tests. All steps run, whatever the first ones say. With `--all` (`npm run test:long`)
// also the tests that try in breadth what others try once (`long-files.ts`).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node';
import { closingLine, isGood, remarks, type TestOutcome, tally } from './report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
if (process.argv.includes('--all')) process.env.STEMMA_ALL = '1';

async function step(name: string, program: string, ...args: string[]): Promise<string[]> {
  console.log(`\n== ${name}`);
  const [status] = await once(spawn(process.execPath, [program, ...args], { stdio: 'inherit' }), 'exit');
  return status === 0 ? [] : [name];
}

async function checks(): Promise<string[]> {
  const types = await step('types', 'node_modules/typescript/bin/tsc', '-b');
  return [...types, ...(await step('lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'))];
}

function outcomeOf(test: TestCase): TestOutcome {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return { file: relative(root, test.module.moduleId), name: test.fullName, state: result.state, note };
}

function brokenModule(module: TestModule): string[] {
  const suites = [...module.children.allSuites()];
  const errors = [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
  return errors.map(({ message }) => `${relative(root, module.moduleId)}: ${message.split('\n')[0]}`);
}

/** What the tests say is known by then: a runner that does not close within half a minute ends with this process. */
async function closed(vitest: Vitest): Promise<void> {
  const late = new AbortController();
  await Promise.race([vitest.close(), setTimeout(30_000, undefined, { signal: late.signal })]);
  late.abort();
}

async function runTests(name: string, config: string): Promise<{ outcomes: TestOutcome[]; broken: string[] }> {
  console.log(`\n== ${name}`);
  try {
    const vitest = await startVitest('test', [], {
      config,
      watch: false,
      reporters: ['default', ['json', { outputFile: `.tmp/report/${name}.json` }]],
    });
    const modules = vitest.state.getTestModules();
    const unhandled = vitest.state
      .getUnhandledErrors()
      .map((error) => `outside any test: ${error instanceof Error ? error.message : String(error)}`);
    await closed(vitest);
    return {
      outcomes: modules.flatMap((module) => [...module.children.allTests()].map(outcomeOf)),
      broken: [...modules.flatMap(brokenModule), ...unhandled],
    };
  } catch (error) {
    return { outcomes: [], broken: [`${name}: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

const built = await step('build', 'scripts/build.ts');
// The stories wait for windows most of the time, so all run at once.
const [checked, ...runs] = await Promise.all([
  checks(),
  runTests('unit', 'vitest.config.ts'),
  runTests('end-to-end', 'vitest.e2e.config.ts'),
]);
const outcomes = runs.flatMap((run) => run.outcomes);
const broken = [...checked, ...built, ...runs.flatMap((run) => run.broken)];
const counts = tally(outcomes, broken);
const lines = [...remarks(outcomes, broken), closingLine(counts)];
process.stdout.write(`\n${lines.join('\n')}\n`, () => process.exit(isGood(counts) ? 0 : 1));
