import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { isDocumentPath, readDocument, sightDocument } from '#core/document';
import { yamlMapping } from '#core/yaml';
import { maskIdentity, readIdentity } from '#kernel/identity';
import { contentHash } from '#kernel/revision';
import { canonicalText } from '#kernel/text';
import { vectorsOf } from '../helpers/vectors.ts';

interface BinaryVector {
  readonly bytes_hex: string;
  readonly is_binary?: boolean;
  readonly content_hash?: string;
  readonly raw_hash?: string;
  readonly text_hash?: string;
}

const encode = (text: string) => new TextEncoder().encode(text);
const id = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';
const part = fc.oneof(
  fc.constantFrom('---\n', 'vmark:\n', `  id: ${id}\n`, 'a: 1\n', '\r', '\r\n', '\ufeff', 'é', 'e\u0301', '😀'),
  fc.string(),
);
const text = fc.array(part).map((parts) => parts.join('').toWellFormed());

describe('reading a document', () => {
  it('gives what the kernel says of its text, whatever the text', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const masked = maskIdentity(canonicalText(raw));
        expect(readDocument(encode(raw), 'a.md')).toEqual({
          binary: false,
          text: raw,
          identity: readIdentity(canonicalText(raw)),
          contentHash: contentHash(digest, masked),
          masked,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('says the same when it is only sighted', () => {
    const ascii = fc.array(fc.constantFrom('---', '--- ', 'vmark:', `  id: ${id}`, '  schema: note', ' ', '', 'a: 1', 'text'));
    const file = fc.oneof(
      text.map(encode),
      fc.uint8Array(),
      ascii.map((lines) => encode(lines.join('\n'))),
      ascii.map((lines) => encode(['---', ...lines, '---', 'text', ''].join('\n'))),
    );
    fc.assert(
      fc.property(file, fc.constantFrom('a.md', 'a.png'), (bytes, path) => {
        const { binary, identity, contentHash } = readDocument(bytes, path);
        expect(sightDocument(bytes, path)).toMatchObject({ binary, identity, contentHash });
      }),
      { numRuns: 1000 },
    );
  });

  it('loses no byte: the text encoded again is the file, unless it is binary', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      text.map(encode),
      text.map((raw) => encode(raw).subarray(1)),
    );
    fc.assert(
      fc.property(bytes, (file) => {
        const document = readDocument(file, 'a.md');
        if (document.text === null) expect(() => new TextDecoder('utf-8', { fatal: true }).decode(file)).toThrow(TypeError);
        else expect(encode(document.text)).toEqual(Uint8Array.from(file));
        expect(document.binary).toBe(document.text === null);
      }),
      { numRuns: 500 },
    );
  });

  it.each(vectorsOf<BinaryVector>('binary'))('hashes as in vector $bytes_hex', (vector) => {
    const bytes = Uint8Array.from(Buffer.from(vector.bytes_hex, 'hex'));
    const asText = readDocument(bytes, 'notes/a.md');
    const asBinary = readDocument(bytes, 'notes/a.PNG');
    expect(asText.binary).toBe(vector.is_binary ?? false);
    if (vector.content_hash !== undefined) expect(asText.contentHash).toBe(vector.content_hash);
    if (vector.text_hash !== undefined) expect(asText.contentHash).toBe(vector.text_hash);
    expect(asBinary.contentHash).toBe(vector.raw_hash ?? vector.content_hash);
    expect(asBinary).toMatchObject({ binary: true, text: null, identity: null, masked: null });
  });

  it.each(vectorsOf<{ name: string; input: string; canonical_masked: string; content_hash: string }>('content_hash'))(
    'hashes the file as in vector "$name"',
    (vector) => {
      const document = readDocument(encode(vector.input), 'a.md');
      expect(document.contentHash).toBe(vector.content_hash);
      expect(document.masked).toBe(vector.canonical_masked);
    },
  );

  it('reads a part of a larger buffer as that part', () => {
    const pool = encode(`xx---\nvmark:\n  id: ${id}\n---\nbodyyy`);
    expect(readDocument(pool.subarray(2, -2), 'a.md')).toEqual(readDocument(encode(`---\nvmark:\n  id: ${id}\n---\nbody`), 'a.md'));
  });
});

describe('the path of a document', () => {
  it.each(['a.md', 'A.MD', 'x/b.markdown', 'c.mdown', 'd.MkD', 'a.b.md'])('%s is one', (path) => {
    expect(isDocumentPath(path)).toBe(true);
  });

  it.each(['a.mdx', 'a.txt', 'md', '.md', 'a.md/b', 'a.md.bak', ''])('%j is none', (path) => {
    expect(isDocumentPath(path)).toBe(false);
  });
});

describe('the YAML question', () => {
  it.each(['', '\n', '# c\n', 'a: 1\n', 'a: &x 1\nb: *x\n', 'a: !tag b\n', '{a: 1}\n', '? a\n', 'a: 1\n...\n'])(
    '%j is a mapping',
    (yaml) => {
      expect(yamlMapping.isMapping(yaml)).toBe(true);
    },
  );

  it.each([
    '~\n',
    'a\n',
    '- a\n',
    'a: 1\na: 2\n',
    'a: 1\n"a": 2\n',
    'a:\n  b: 1\n  b: 2\n',
    'a: *x\n',
    'a: "b\n',
    'a: 1\n...\nb: 2\n',
    'a: 1\n--- \n',
    '%FOO\n',
    '[{b: 1, b: 2}]\n',
  ])('%j is none', (yaml) => {
    expect(yamlMapping.isMapping(yaml)).toBe(false);
  });

  it('is answered for nesting without end and for any text', () => {
    for (const deep of ['[', '{a: ', '- ', '? ', 'a:\n ']) expect(yamlMapping.isMapping(`k: ${deep.repeat(5_000)}`)).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a:-?[]{}#&*!|>\'"% \n\t,') }), (yaml) => {
        expect(typeof yamlMapping.isMapping(yaml)).toBe('boolean');
      }),
    );
  });
});
