import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUuid, uuidFromHex } from '#kernel/uuid';

const written = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const hex = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

describe('a UUID', () => {
  it('reads the same from every form in any case', () => {
    const form = fc.constantFrom(
      (uuid: string) => uuid,
      (uuid: string) => `{${uuid}}`,
      (uuid: string) => `urn:uuid:${uuid}`,
      (uuid: string) => uuid.replaceAll('-', ''),
    );
    fc.assert(
      fc.property(fc.uuid(), form, fc.boolean(), (uuid, write, isUpper) => {
        const text = write(uuid);
        expect(parseUuid(isUpper ? text.toUpperCase() : text)).toBe(uuid);
      }),
    );
  });

  it.each([
    '',
    ` ${written}`,
    `${written}\n`,
    `"${written}"`,
    `{${written}`,
    `${written}}`,
    `{${written.replaceAll('-', '')}}`,
    `urn:uuid:${written.replaceAll('-', '')}`,
    `urn:uuid:{${written}}`,
    written.slice(1),
    `${written}0`,
    written.replace('a', 'g'),
    '018f3c7a9f2e-7cc1-b302-5e9d4a6b21c7',
    '018f3c7a-9f2e7cc1-b302-5e9d4a6b-21c7',
    '\u0130'.repeat(32),
  ])('is not read from %j', (text) => {
    expect(parseUuid(text)).toBeNull();
  });

  it('derived from a digest keeps its digits but for version 8 and the variant', () => {
    fc.assert(
      fc.property(hex(64), (digest) => {
        const uuid = uuidFromHex(digest);
        expect(parseUuid(uuid)).toBe(uuid);
        const digits = uuid.replaceAll('-', '');
        expect(digits[12]).toBe('8');
        expect('89ab').toContain(digits[16]);
        const rest = (text: string) => text.slice(0, 12) + text.slice(13, 16) + text.slice(17, 32);
        expect(rest(digits)).toBe(rest(digest));
      }),
    );
    expect(uuidFromHex('f'.repeat(32))).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
    expect(uuidFromHex('0'.repeat(32))).toBe('00000000-0000-8000-8000-000000000000');
  });

  it('is not derived from fewer than 32 hex digits', () => {
    expect(() => uuidFromHex('f'.repeat(31))).toThrow(RangeError);
    expect(() => uuidFromHex('g'.repeat(32))).toThrow(RangeError);
  });
});
