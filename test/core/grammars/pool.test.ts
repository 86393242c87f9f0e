import { describe, expect, it } from 'vitest';
import { parseDeclarations } from '#core/grammars/parse';
import { createParsePool } from '#core/grammars/pool';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('threads that parse', () => {
  it('answer as this one would, each file its own', async () => {
    const pool = createParsePool(2);
    const files = Array.from(
      { length: 12 },
      (_, at) => [`${at}.ts`, bytes(`export function f${at}() { return [${at}, f${at}]; }\n`)] as const,
    );
    const answers = await Promise.all(files.map(([path, text]) => pool.parse(text, path, { trigrams: true })));
    expect(answers).toEqual(await Promise.all(files.map(([path, text]) => parseDeclarations(text, path, { trigrams: true }))));
    await pool.close();
  });

  it('never give one file the answer of another, though the first waits for its grammar', async () => {
    const pool = createParsePool(1);
    const first = pool.parse(bytes('func water() {}'), 'a.swift');
    const second = pool.parse(Uint8Array.of(0xff), 'b.ts');
    const third = pool.parse(bytes('let c'), 'c.ts');
    expect((await first)?.declarations[0]?.qualifiedName).toBe('water()');
    expect(await second).toBeNull();
    expect((await third)?.declarations[0]?.qualifiedName).toBe('c');
    await pool.close();
  });

  it('answer null for what is no code or no text', async () => {
    const pool = createParsePool(1);
    expect(await pool.parse(bytes('# a'), 'a.md')).toBeNull();
    expect(await pool.parse(Uint8Array.of(0xff), 'a.ts')).toBeNull();
    await pool.close();
  });

  it('leave the bytes of the caller alone', async () => {
    const pool = createParsePool(1);
    const text = Buffer.from('xx let a = 1').subarray(3);
    await pool.parse(text, 'a.ts');
    expect(text.toString()).toBe('let a = 1');
    await pool.close();
  });

  it('start again after they have rested', async () => {
    const pool = createParsePool(1, 1);
    await pool.parse(bytes('let a'), 'a.ts');
    await pool.close();
    expect((await pool.parse(bytes('let b'), 'a.ts'))?.declarations[0]?.baseName).toBe('b');
    await pool.close();
  });
});
