import { describe, expect, it } from 'vitest';
import { wordsFor } from '#protocol';
import en from '../../../src/renderer/breakdown/words/en.json' with { type: 'json' };
import es from '../../../src/renderer/breakdown/words/es.json' with { type: 'json' };
import { flat } from '../../protocol/catalogue.ts';

const english = new Map(flat(en));
const spanish = new Map(flat(es));
const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

describe('the words of the breakdown', () => {
  it('are the same keys in both languages, with the same placeholders', () => {
    expect([...spanish.keys()]).toEqual([...english.keys()]);
    for (const [key, text] of english) expect(placeholders(spanish.get(key)!), key).toEqual(placeholders(text));
  });

  it('have a singular and a plural of whatever is counted', () => {
    for (const key of english.keys()) {
      if (/_(one|other)$/.test(key))
        expect(english.has(key.replace(/_(one|other)$/, key.endsWith('_one') ? '_other' : '_one')), key).toBe(true);
    }
  });

  it('differ in all but names and frames', () => {
    const same = [...english].filter(([key, text]) => spanish.get(key) === text && /[a-z]{3}/i.test(text.replace(/\{\{\w+\}\}/g, '')));
    expect(same).toEqual([]);
  });

  it('never say upstream, downstream or derived', () => {
    for (const text of [...english.values(), ...spanish.values()]) expect(text).not.toMatch(/upstream|downstream|deriv(ed|ad)/i);
  });

  it('take no key from the words that all faces share', () => {
    for (const key of english.keys()) expect(wordsFor('en')(key), key).toBe(key);
  });

  it.each([
    ['header.refresh', 'Refresh', 'Actualizar'],
    ['action.accept', 'Accept latest', 'Aceptar más reciente'],
    ['action.revise', 'Revise', 'Revisar'],
    ['action.waive', 'Waive', 'Eximir'],
    ['waive.reason', 'Reason', 'Motivo'],
    ['still.confirm', 'Confirm provenance', 'Confirmar procedencia'],
  ])('%s reads "%s" and "%s"', (key, inEnglish, inSpanish) => {
    expect([english.get(key), spanish.get(key)]).toEqual([inEnglish, inSpanish]);
  });
});
