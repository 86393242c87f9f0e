// `npm test`: types, lint, then the tests, whose global setup makes the one build. All steps run, whatever the first ones say.
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest, type TestCase, type TestModule } from 'vitest/node';
import { closingLine, isGood, remarks, type TestOutcome, tally } from './report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

function step(name: string, program: string, ...args: string[]): string[] {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  return status === 0 ? [] : [name];
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

async function runTests(): Promise<{ outcomes: TestOutcome[]; broken: string[] }> {
  console.log('\n== tests');
  try {
    const vitest = await startVitest('test', [], {
      watch: false,
      reporters: ['default', ['json', { outputFile: '.tmp/report/unit.json' }]],
    });
    const modules = vitest.state.getTestModules();
    const unhandled = vitest.state
      .getUnhandledErrors()
      .map((error) => `outside any test: ${error instanceof Error ? error.message : String(error)}`);
    await vitest.close();
    return {
      outcomes: modules.flatMap((module) => [...module.children.allTests()].map(outcomeOf)),
      broken: [...modules.flatMap(brokenModule), ...unhandled],
    };
  } catch (error) {
    return { outcomes: [], broken: [`tests: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

const steps = [
  ...step('types', 'node_modules/typescript/bin/tsc', '-b'),
  ...step('lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'),
];
const { outcomes, broken } = await runTests();
const counts = tally(outcomes, [...steps, ...broken]);
const lines = [...remarks(outcomes, [...steps, ...broken]), closingLine(counts)];
process.stdout.write(`\n${lines.join('\n')}\n`, () => process.exit(isGood(counts) ? 0 : 1));
