import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgents } from '#core/agents';
import { realDisk } from '#core/storage/disk';
import { createFolder } from '../helpers/workspace.ts';

const opened = () => {
  const home = createFolder('home');
  return { file: join(home, 'agents.json'), agents: openAgents(realDisk, home, () => Date.UTC(2026, 2, 1)) };
};
const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('the agents of an installation', () => {
  it('are known by a token that is shown once and kept as a hash, in a file of this user only', () => {
    const { file, agents } = opened();
    expect([agents.list(), agents.whose('stemma_x')]).toEqual([[], null]);
    const { name, token } = agents.add('  Scribe ');
    expect(name).toBe('Scribe');
    expect(agents.whose(token)).toBe('Scribe');
    expect(agents.whose(`${token} `)).toBeNull();
    expect(agents.list()).toEqual([{ name: 'Scribe', created: '2026-03-01T00:00:00.000Z', removed: null }]);
    expect(readFileSync(file, 'utf8')).not.toContain(token.slice(7));
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keep their name when the token is taken away, so that nobody takes it over', () => {
    const { agents } = opened();
    const { token } = agents.add('Scribe');
    agents.remove('Scribe');
    expect(agents.whose(token)).toBeNull();
    expect(() => agents.add('scribe')).toThrow(code('agent-taken'));
    expect(() => agents.add('MCP-client')).toThrow(code('agent-taken'));
    expect(() => agents.remove('Scribe')).toThrow(code('agent-missing'));
  });

  it.each(['', ' ', 'a\nb', '-a', 'a'.repeat(65), '\u202ea', 'a/b'])('are not called %j', (name) => {
    expect(() => opened().agents.add(name)).toThrow(code('agent-name-invalid'));
  });

  it.each(['{', '[]', '{"agents":[{"name":"x"}]}', '{"agents":7}'])('in a file like %s are left as they are', (text) => {
    const { file, agents } = opened();
    writeFileSync(file, text);
    expect(() => agents.add('Scribe')).toThrow(code('settings-unreadable'));
    expect(() => agents.whose('stemma_x')).toThrow(code('settings-unreadable'));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
