import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, type FaultCode, faultDetails, faultFrom, faultFromSystem, isFaultCode, wordsFor } from '#protocol';
import { catalogue, placeholders } from './catalogue.ts';

const codes = Object.keys(faultDetails) as FaultCode[];

describe('every code', () => {
  it.each(codes)('%s has a sentence in both languages that needs exactly its details', (code) => {
    for (const locale of ['en', 'es'] as const) {
      const sentences = Object.entries(catalogue(locale)).filter(([key]) => key.replace(/_(one|other)$/, '') === `faults.${code}`);
      expect(sentences.length).toBeGreaterThan(0);
      for (const [, sentence] of sentences) expect(placeholders(sentence)).toEqual([...faultDetails[code]].sort());
    }
  });

  it('stands in the catalogues only if it is a code', () => {
    const worded = Object.keys(catalogue('en')).filter((key) => key.startsWith('faults.'));
    for (const key of worded) expect(isFaultCode(key.slice('faults.'.length).replace(/_(one|other)$/, '')), key).toBe(true);
  });
});

describe('a fault', () => {
  it('says in English what happened, to which file, what was kept and what to do', () => {
    const fault = new Fault('disk-full', { path: 'chapters/03.md' });
    expect(fault.message).toBe(
      'The disk is full, so chapters/03.md was not written; what was there before is kept. Free some space and try again.',
    );
    expect(fault).toBeInstanceOf(Error);
    expect(fault.name).toBe('Fault');
  });

  it('is worded in Spanish from its code and details alone', () => {
    const { code, detail } = new Fault('needs-yes', { count: 1 });
    expect(wordsFor('es')(`faults.${code}`, detail)).toBe(
      '1 documento recibiría un id. No se ha cambiado nada; míralo con `--dry-run` y añade `--yes`.',
    );
  });

  it('names the reason of an incomplete answer in words', () => {
    expect(faultFrom('scan-incomplete', { reason: 'git-busy' }).message).toBe(
      'The answer is incomplete: Git is in the middle of a merge, rebase or similar. Nothing was changed.',
    );
  });

  it('of a code that only a newer program knows is a bug that names it', () => {
    const fault = faultFrom('quota-spent', { path: 'a.md' });
    expect(fault.code).toBe('bug');
    expect(fault.message).toContain('quota-spent');
  });
});

const table: readonly [system: string, what: 'file' | 'folder', code: FaultCode][] = [
  ['ENOENT', 'file', 'file-missing'],
  ['ENOENT', 'folder', 'folder-missing'],
  ['EACCES', 'file', 'permission'],
  ['EPERM', 'file', 'permission'],
  ['ENOSPC', 'file', 'disk-full'],
  ['EDQUOT', 'file', 'disk-full'],
  ['EROFS', 'folder', 'read-only'],
  ['EISDIR', 'file', 'is-a-folder'],
  ['ENOTDIR', 'folder', 'not-a-folder'],
  ['ELOOP', 'file', 'link-loop'],
  ['ENAMETOOLONG', 'file', 'name-too-long'],
  ['EBUSY', 'file', 'file-busy'],
  ['EMFILE', 'file', 'too-many-open-files'],
  ['EIO', 'file', 'io'],
  ['EXDEV', 'file', 'io'],
];

describe('what the operating system refused', () => {
  it.each(table)('%s for a %s is %s', (system, what, code) => {
    const cause = Object.assign(new Error(`${system}: open '/somewhere/else'`), { code: system });
    const fault = faultFromSystem(cause, 'notes/a.md', what);
    expect(fault.code).toBe(code);
    expect(fault.detail).toEqual({ path: 'notes/a.md', system });
    expect(fault.message).toContain('notes/a.md');
    expect(fault.message).not.toContain('somewhere');
    expect(fault.cause).toBe(cause);
  });

  it('keeps a fault as it is', () => {
    const fault = new Fault('git-busy', {});
    expect(faultFromSystem(fault, 'a.md')).toBe(fault);
  });

  it.each([
    ['an error without a code', new TypeError('x is not a function')],
    ['an error of Node itself', Object.assign(new TypeError('x is not a function'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['what is no error', 'x is not a function'],
  ])('calls %s our own mistake', (_, thrown) => {
    const fault = faultFromSystem(thrown, 'a.md');
    expect(fault.code).toBe('bug');
    expect(fault.detail.problem).toBe('x is not a function');
  });
});

it('no detail can break the line of a sentence or move the cursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(new Fault('file-missing', { path }).message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it('a detail that looks like a placeholder or a nested key is shown as it is', () => {
  for (const path of ['{{path}}', '$t(states.fresh)', '$&', 'a:b.c', '<b>&amp;']) {
    expect(new Fault('not-tracked', { path }).message.startsWith(`${path} is not tracked`)).toBe(true);
  }
});
