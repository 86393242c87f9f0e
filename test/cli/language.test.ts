import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace, stemmaIn } from '../helpers/cli.ts';

const spanish = { LC_ALL: '', LANG: 'es_ES.UTF-8' };

describe('in Spanish', () => {
  it('people read Spanish, and programs the same JSON as ever', () => {
    const place = createPlace();
    writeFileSync(join(place.folder, 'a.md'), '# A\n');
    writeFileSync(join(place.folder, 'b.md'), '# B\n');
    const [stemma, english] = [stemmaIn(place, spanish), stemmaIn(place)];
    expect(stemma('init').stdout).toMatch(/^La procedencia está activada/u);
    expect(stemma('record', 'b.md', '--from', 'a.md').stdout).toBe('Se ha registrado b.md como v1, apoyado en 1 fuente.\n');
    appendFileSync(join(place.folder, 'a.md'), 'más\n');
    expect(stemma('breakdown').stdout).toBe(
      'b.md\n  a.md  v1 → v2  modificada (version-stale)  inferida\n\n1 versión fijada ha quedado atrás respecto a su fuente.\n',
    );
    expect(stemma('check').stdout).toMatch(/^b\.md se apoya en a\.md: modificada\.$/mu);
    expect(stemma('log', 'nowhere.md').stderr).toMatch(/^El archivo nowhere\.md no existe\./u);
    expect(stemma('sttaus').stderr).toMatch(/^No existe la orden sttaus/u);
    expect(stemma('--help').stdout).toMatch(/^Uso: /u);
    for (const call of [['breakdown'], ['status'], ['log', 'nowhere.md'], ['sttaus'], ['record', 'b.md']]) {
      expect(stemma(...call, '--json').stdout, call.join(' ')).toBe(english(...call, '--json').stdout);
    }
    const { message } = stemma.json('failure', 'log', 'nowhere.md').error;
    expect(message).toMatch(/^The file nowhere\.md does not exist\./u);
  });
});
