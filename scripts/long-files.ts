/** Tests that take long and try in breadth what shorter ones try once; `npm run test:long` runs them too. */
const long = [
  'e2e/breakdown-catalogue.test.ts',
  'e2e/breakdown-keys.test.ts',
  'e2e/breakdown-late-acts.test.ts',
  'e2e/breakdown-looks.test.ts',
  'e2e/breakdown-many.test.ts',
  'e2e/breakdown-states.test.ts',
  'e2e/checkout.test.ts',
  'e2e/axe.test.ts',
  'e2e/clipping.test.ts',
  'e2e/conflicted-copy.test.ts',
  'e2e/core-killed.test.ts',
  'e2e/electron-double.test.ts',
  'e2e/electron.test.ts',
  'e2e/dropped.test.ts',
  'e2e/export-desktop.test.ts',
  'e2e/export.test.ts',
  'e2e/field-reports.test.ts',
  'e2e/first-start.test.ts',
  'e2e/given.test.ts',
  'e2e/keyboard-tour.test.ts',
  'e2e/live-elements.test.ts',
  'e2e/modes.test.ts',
  'e2e/paste.test.ts',
  'e2e/window-kills.test.ts',
  'e2e/screen-reader.test.ts',
  'e2e/settings.test.ts',
  'e2e/writing.test.ts',
  'test/cli/anchors.test.ts',
  'test/cli/bad-input.test.ts',
  'test/cli/first-hour.test.ts',
  'test/cli/git-story.test.ts',
  'test/core/acts/crash.test.ts',
  'test/core/git/hostile.test.ts',
  'test/core/git/stories.test.ts',
  'test/core/grammars/laws.test.ts',
  'test/core/mirrors/large.test.ts',
  'test/core/workspace/crash-acts.test.ts',
  'test/core/workspace/fault-acts.test.ts',
  'test/core/workspace/fault.test.ts',
  'test/core/workspace/git-stories.test.ts',
  'test/core/workspace/git.test.ts',
  'test/core/workspace/hands.test.ts',
  'test/core/workspace/model.test.ts',
  'test/core/workspace/processes.test.ts',
];

/** What a run leaves out: nothing where `STEMMA_ALL` is set, or where a long file is asked for by its name. */
export function longFiles(): string[] {
  const isAsked = (file: string) =>
    process.argv.some((word) => word !== '' && file.includes(word.replace(/^\.\//, '')) && word.endsWith('.test.ts'));
  return process.env.STEMMA_ALL === undefined ? long.filter((file) => !isAsked(file)) : [];
}
