import { describe, expect, it } from 'vitest';
import { sentencesOf } from '#protocol/catalogue';

const english = {
  plain: 'Plain.',
  files: { moved_zero: 'Nothing moved.', moved_one: '{{count}} file moved.', moved_other: '{{count}} files moved.', only_other: 'many' },
  why: 'Not done: $t(reasons.{{reason}}) ({{path}})',
  reasons: { disk: 'the disk of {{path}} is full' },
};
const spanish = { plain: 'Llano.', files: { moved_one: '{{count}} archivo movido.', moved_other: '{{count}} archivos movidos.' } };

describe('sentences of a catalogue', () => {
  const { say, has } = sentencesOf('es', spanish, { tag: 'en', catalogue: english });
  const { say: sayEnglish } = sentencesOf('en', english);

  it('are found by their keys, in the other language where there is none, and an unknown key is itself', () => {
    expect(say('plain')).toBe('Llano.');
    expect(say('reasons.disk', { path: 'a' })).toBe('the disk of a is full');
    expect(['files', 'files.none', 'toString', 'files.constructor', ''].map((key) => say(key))).toEqual([
      'files',
      'files.none',
      'toString',
      'files.constructor',
      '',
    ]);
    expect([has('plain'), has('why'), has('none')]).toEqual([true, true, false]);
  });

  it('have a plural for a number', () => {
    expect([0, 1, 2, 1_000_000].map((count) => sayEnglish('files.moved', { count }))).toEqual([
      'Nothing moved.',
      '1 file moved.',
      '2 files moved.',
      '1000000 files moved.',
    ]);
    expect([1, 1_000_000].map((count) => say('files.moved', { count }))).toEqual(['1 archivo movido.', '1000000 archivos movidos.']);
    expect([sayEnglish('files.only', { count: 1 }), sayEnglish('plain', { count: 3 })]).toEqual(['many', 'Plain.']);
  });

  it('take values and other sentences in, and read nothing of what stands in a value', () => {
    expect(say('why', { reason: 'disk', path: 'b' })).toBe('Not done: the disk of b is full (b)');
    const name = '$t(plain) {{reason}} $& $1';
    expect(say('reasons.disk', { path: name })).toBe(`the disk of ${name} is full`);
    expect(say('why', { reason: 'disk', path: '{{reason}} $& $1' })).toBe(
      'Not done: the disk of {{reason}} $& $1 is full ({{reason}} $& $1)',
    );
    expect([say('reasons.disk'), say('reasons.disk', { path: null })]).toEqual(['the disk of {{path}} is full', 'the disk of  is full']);
  });
});
