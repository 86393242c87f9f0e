import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '#core/document';
import { sightText } from '#core/workspace/agent-sight';
import { edited, rewritten, rewrittenByEdits, servedText, takenText } from '#core/workspace/agent-text';
import { readInTurns } from '#core/workspace/document-turns';
import { takeTurns } from '#core/workspace/turns';
import { yamlMapping } from '#core/yaml';
import { insertIdentity, readIdentity } from '#kernel/identity';
import { canonicalText } from '#kernel/text';
import type { Uuid } from '#kernel/uuid';

const id = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7' as Uuid;
const line = fc.constantFrom('', 'a', 'b b', '---', '# Head', 'é', 'e\u0301', '  x', 'vmark:');
const ending = fc.constantFrom('\n', '\r\n', '\r');
const front = fc.constantFrom('', 'title: x\n', 'title: x\ntags:\n  - a\n', 'vmark:\n  other: 1\n', '# note\n');
const body = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'));

/** Texts as they stand on disk: with and without frontmatter, block, BOM, in one kind of line ending. */
const raw = fc.record({ front, body, ending, bom: fc.boolean(), tracked: fc.boolean() }).map((parts) => {
  const plain = parts.front === '' ? parts.body : `---\n${parts.front}---\n${parts.body}`;
  const stamp = parts.tracked ? insertIdentity(plain, { id, schema: 'scene' }, yamlMapping) : null;
  const text = (stamp?.kind === 'stamped' ? stamp.text : plain).replaceAll('\n', parts.ending);
  return parts.bom ? `\uFEFF${text}` : text;
});

const hashOf = (text: string) => readDocument(Buffer.from(text), 'a.md').contentHash;
const idOf = (text: string) => readIdentity(canonicalText(text));

describe('a document that crosses to an agent and back', () => {
  it('unchanged is the same, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(raw, async (text) => {
        expect(await rewritten(text, servedText(text), yamlMapping)).toBe(text);
      }),
    );
  });

  it('has LF, no BOM and no id on the way', () => {
    fc.assert(
      fc.property(raw, (text) => {
        const served = servedText(text);
        expect(served).not.toMatch(/\r/u);
        expect(served.startsWith('\uFEFF')).toBe(false);
        expect(served.includes(id)).toBe(text.startsWith('\uFEFF') && text.includes(id));
      }),
    );
  });

  it('changed reads as what was written, keeps BOM, endings and identity, or is refused', async () => {
    const wanted = fc.oneof(
      body,
      fc.record({ front, body }).map((parts) => `---\n${parts.front}---\n${parts.body}`),
    );
    await fc.assert(
      fc.asyncProperty(raw, wanted, async (text, given) => {
        const after = await rewritten(text, given, yamlMapping);
        if (after === null) {
          expect(idOf(text)).not.toBeNull();
          return;
        }
        expect(idOf(after)).toEqual(idOf(text) ?? idOf(after));
        expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
        const [kind] = text.match(/\r\n|\r|\n/) ?? ['\n'];
        expect(after.match(/\r\n|\r|\n/g)?.every((one) => one === kind) ?? true).toBe(true);
        if (!text.startsWith('\uFEFF')) expect(hashOf(after)).toBe(hashOf(takenText(given)));
      }),
    );
  });

  it('keeps the endings of the lines that stay where there are several kinds', async () => {
    const mixed = fc.array(fc.record({ text: fc.constantFrom('a', 'b', 'c'), ending }), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(mixed, fc.nat(), fc.nat(), async (lines, from, length) => {
        const start = from % lines.length;
        const end = Math.min(lines.length, start + (length % 3));
        const textOf = (some: typeof lines) => some.map((one) => one.text + one.ending).join('');
        const served = lines.map((one) => one.text);
        const wanted = `${[...served.slice(0, start), 'NEW', ...served.slice(end)].join('\n')}\n`;
        const after = (await rewritten(textOf(lines), wanted, yamlMapping))!;
        expect(after.startsWith(textOf(lines.slice(0, start)))).toBe(true);
        expect(after.endsWith(textOf(lines.slice(end)))).toBe(true);
        expect(servedText(after)).toBe(wanted);
      }),
    );
  });

  it('keeps the endings between two edits', async () => {
    const after = await rewrittenByEdits(
      'a\r\nb\nc\r\nd\ne',
      [
        { old: 'a', new: 'A' },
        { old: 'e', new: 'E\nF' },
      ],
      yamlMapping,
    );
    expect(after).toBe('A\r\nb\nc\r\nd\nE\nF');
  });

  it('keeps a block byte for byte where the frontmatter around it stays', async () => {
    const text = `---\nvmark:   \n    id: ${id}\n    other: 1\ntitle: x\n---\nbody\n`;
    expect(await rewritten(text, servedText(text).replace('body', 'new'), yamlMapping)).toBe(text.replace('body', 'new'));
    const retitled = (await rewritten(text, servedText(text).replace('title: x', 'title: y'), yamlMapping))!;
    expect(idOf(retitled)?.id).toBe(id);
    expect(retitled).toContain('other: 1\ntitle: y\n');
  });
});

describe('a text that is taken in turns', () => {
  it('is served and hashed as if it were taken at once', async () => {
    await fc.assert(
      fc.asyncProperty(raw, fc.nat(3), async (text, times) => {
        const long = text + `${'e\u0301 \uac00 long line\r\n'.repeat(6000)}\u0301\r`.repeat(times);
        const sighted = await sightText(long, takeTurns(0));
        expect(sighted.text === servedText(long)).toBe(true);
        expect([sighted.hash, sighted.identity]).toEqual([hashOf(long), idOf(long)]);
        const { masked, ...read } = await readInTurns(Buffer.from(long), 'a.md');
        const { masked: atOnce, ...other } = readDocument(Buffer.from(long), 'a.md');
        expect([masked === atOnce, { ...read, text: read.text === long }]).toEqual([true, { ...other, text: true }]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('an edit', () => {
  it('replaces the one place where its text stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, after, next) => {
        const text = `${before}\u0001${after}`;
        fc.pre(!`${before}${after}`.includes('\u0001') && !`${before}${after}${next}`.includes('\r'));
        expect(edited(text, { old: '\u0001', new: next }, 1)).toBe(`${before}${next}${after}`);
      }),
    );
  });

  it('finds a text in the other Unicode form, and keeps to that form', () => {
    const [composed, apart] = ['Caf\u00e9 ', 'Cafe\u0301 '];
    expect(edited(`a ${apart}b`, { old: composed, new: 'Th\u00e9 ' }, 1)).toBe('a The\u0301 b');
    expect(edited(`a ${composed}b`, { old: apart, new: 'The\u0301 ' }, 1)).toBe('a Th\u00e9 b');
    expect(edited(`${composed}${apart}`, { old: apart, new: 'x' }, 1)).toBe(`${composed}x`);
    expect(() => edited(`${apart}${apart}`, { old: composed, new: '' }, 1)).toThrow(expect.objectContaining({ code: 'edit-ambiguous' }));
  });

  it('counts places that overlap', () => {
    expect(() => edited('aaa', { old: 'aa', new: 'b' }, 1)).toThrow(expect.objectContaining({ code: 'edit-ambiguous' }));
  });
});
