import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { homeFolder } from '#core/home';
import { appDataFolder } from '#main/home';

describe('the app-data folder of the windows', () => {
  it('is that of core, on every system and with every environment', () => {
    const value = fc.option(fc.constantFrom('', '/data', '/elsewhere/stemma', 'C:\\data'), { nil: undefined });
    const env = fc.record({ STEMMA_HOME: value, XDG_DATA_HOME: value, APPDATA: value });
    const platform = fc.constantFrom<NodeJS.Platform>('linux', 'darwin', 'win32', 'freebsd');
    fc.assert(
      fc.property(env, platform, (variables, system) => {
        expect(appDataFolder(variables, system)).toBe(homeFolder(variables, system));
      }),
    );
  });
});
