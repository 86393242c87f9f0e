import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgent, parseFileAtRevision, parseStates, wantsJson } from '#cli/argument';
import { checkStates, Fault, failOnByDefault } from '#protocol';

function faultOf(work: () => unknown): Fault {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

describe('FILE@REV', () => {
  const path = fc.string({ unit: 'binary', minLength: 1 });
  const revision = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('@'));

  it('is split at the last @, whatever the name is', () => {
    fc.assert(
      fc.property(path, revision, (path, revision) => {
        expect(parseFileAtRevision(`${path}@${revision}`)).toEqual({ path, revision });
      }),
    );
  });

  it.each([
    ['a.md', 'missing-revision'],
    ['a.md@', 'missing-revision'],
    ['a@b.md@', 'missing-revision'],
    ['@v2', 'missing-argument'],
    ['', 'missing-argument'],
  ])('%j is refused as %s', (text, usage) => {
    expect(faultOf(() => parseFileAtRevision(text))).toMatchObject({ code: 'usage', detail: { usage } });
  });
});

describe('an agent', () => {
  it.each([
    [undefined, { type: 'external', id: null }],
    ['external', { type: 'external', id: null }],
    ['model', { type: 'model', id: null }],
    ['model:drafter', { type: 'model', id: 'drafter' }],
    ['external:make:all', { type: 'external', id: 'make:all' }],
    ['model:a b', { type: 'model', id: 'a b' }],
  ])('%j is read', (text, agent) => {
    expect(parseAgent(text)).toEqual(agent);
  });

  it.each(['human', 'human:ana', 'human:'])('%j is refused, for it is a person', (text) => {
    expect(faultOf(() => parseAgent(text)).code).toBe('agent-human-refused');
  });

  it.each(['', ':x', 'drafter', 'Model:x', 'git:x', 'model:', 'model: ', 'model :x'])('%j is no agent', (text) => {
    expect(faultOf(() => parseAgent(text))).toMatchObject({ code: 'agent-invalid', detail: { agent: text } });
  });
});

describe('states', () => {
  it('are those that fail by default when none are named', () => {
    expect(parseStates(undefined)).toEqual(failOnByDefault);
  });

  it('are read with blanks around them, each once', () => {
    expect(parseStates(' waived ,lost,waived')).toEqual(['waived', 'lost']);
    expect(parseStates(checkStates.join(','))).toEqual(checkStates);
  });

  it.each(['fresh', 'stale,', 'constructor', 'version-stale;lost'])('%j is refused, and all states are named', (text) => {
    expect(faultOf(() => parseStates(text))).toMatchObject({ code: 'state-unknown', detail: { candidates: checkStates.join(', ') } });
  });
});

describe('--json', () => {
  it('is an option until --', () => {
    expect(wantsJson(['log', '--json'])).toBe(true);
    expect(wantsJson(['--json', '--nonsense'])).toBe(true);
    expect(wantsJson(['log', '--', '--json'])).toBe(false);
    expect(wantsJson([])).toBe(false);
  });
});
