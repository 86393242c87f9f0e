import { describe, expect, it } from 'vitest';
import { isOlder, neededNode } from '#cli/node-version';
import packageJson from '../../package.json' with { type: 'json' };

describe('the version of Node', () => {
  it('that is needed is the one that the package asks for', () => {
    expect(packageJson.engines.node).toBe(`>=${neededNode}`);
  });

  it.each([
    ['20.20.2', true],
    ['22.21.99', true],
    ['22.3.0', true],
    ['22.22.0', false],
    ['22.22.0-nightly', false],
    ['24.0.0', false],
    ['100.0.0', false],
    ['9.0.0', true],
  ])('%s is too old: %s', (found, isTooOld) => {
    expect(isOlder(found, '22.22')).toBe(isTooOld);
  });
});
