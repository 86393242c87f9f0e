import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { familyOf, similarity } from '#kernel/declaration';
import { createEncoding, type EncodedRange, type Encoding, encodedName, tagOf } from '#kernel/declaration-encoding';
import { hashParts, trigramsOf } from '#kernel/declaration-hash';

interface Leaf {
  readonly kind: string;
  readonly text: string;
  readonly isReference: boolean;
}

interface Tree {
  readonly kind: string;
  readonly children: readonly (Tree | Leaf)[];
}

const sha256 = (data: Uint8Array | string) => hash('sha256', data, 'hex');
const whole = (encoding: Encoding): EncodedRange => ({ from: 0, to: encoding.length(), firstToken: 0, lastToken: encoding.tokens() });

function write(encoding: Encoding, node: Tree | Leaf): void {
  if ('text' in node) {
    if (node.text === '') encoding.mark(tagOf(node.kind));
    else encoding.leaf(tagOf(node.kind), node.text, 0, node.text.length, node.isReference);
    return;
  }
  encoding.open(tagOf(node.kind));
  for (const child of node.children) write(encoding, child);
  encoding.close();
}

function encode(...nodes: readonly (Tree | Leaf)[]): Encoding {
  const encoding = createEncoding();
  for (const node of nodes) write(encoding, node);
  return encoding;
}

const hashesOf = (encoding: Encoding, names: readonly string[], visibility = '') =>
  hashParts({ encoding, body: [whole(encoding)], shape: [], visibility, names: names.map(encodedName) }, sha256);

const kind = fc.constantFrom('call', 'block', 'name', 'string');
const text = fc.oneof(fc.constantFrom('a', 'b', 'ab', 'own', '\u0001', '\u0003abc'), fc.string({ unit: 'binary', maxLength: 5 }));
const leaf: fc.Arbitrary<Leaf> = fc.record({ kind, text: text.filter((value) => !value.includes('\r')), isReference: fc.boolean() });
const { tree } = fc.letrec<{ tree: Tree; node: Tree | Leaf }>((tie) => ({
  tree: fc.record({ kind, children: fc.array(tie('node'), { maxLength: 4 }) }),
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('tree')),
}));

const plain = (node: Tree | Leaf): unknown => ('text' in node ? [node.kind, node.text] : [node.kind, node.children.map(plain)]);
const renamed = (node: Tree | Leaf, from: string, to: string): Tree | Leaf => {
  if ('text' in node) return node.isReference && node.text === from ? { ...node, text: to } : node;
  return { ...node, children: node.children.map((child) => renamed(child, from, to)) };
};

describe('the encoding of declarations', () => {
  it('gives different trees different bytes, and equal trees equal ones', () => {
    fc.assert(
      fc.property(tree, tree, (one, two) => {
        const isSame = JSON.stringify(plain(one)) === JSON.stringify(plain(two));
        expect(hashesOf(encode(one), []).bodyHash === hashesOf(encode(two), []).bodyHash).toBe(isSame);
      }),
    );
  });

  it('tells a list from a nested list, and a text from two', () => {
    const name = (value: string): Leaf => ({ kind: 'name', text: value, isReference: false });
    const list = (...children: (Tree | Leaf)[]): Tree => ({ kind: 'call', children });
    const all = [list(name('a'), name('b')), list(name('ab')), list(list(name('a')), name('b')), list(list(name('a'), name('b'))), list()];
    expect(new Set(all.map((one) => hashesOf(encode(one), []).bodyHash)).size).toBe(all.length);
  });

  it('hashes a tree alike under another name of its own', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('new', 'a much longer name', 'ñ', '𝒳'), (one, name) => {
        // What was called so already is another thing.
        fc.pre(!JSON.stringify(plain(one)).includes(JSON.stringify(name)));
        const other = renamed(one, 'own', name);
        expect(hashesOf(encode(other), [name])).toEqual(hashesOf(encode(one), ['own']));
      }),
    );
  });

  it('does not take a text that is no reference for an own name', () => {
    const one: Leaf = { kind: 'string', text: 'own', isReference: false };
    expect(hashesOf(encode(one), ['own'])).toEqual(hashesOf(encode(one), []));
  });

  it('tells an own name from the name of the container, and both from a text', () => {
    const of = (value: string) => hashesOf(encode({ kind: 'name', text: value, isReference: true }), ['own', 'box']).bodyHash;
    expect(new Set([of('own'), of('box'), of('other')]).size).toBe(3);
  });

  it('hashes a part as it hashes it alone', () => {
    fc.assert(
      fc.property(tree, tree, tree, (before, one, after) => {
        const encoding = encode(before);
        const [from, firstToken] = [encoding.length(), encoding.tokens()];
        write(encoding, one);
        const range = { from, to: encoding.length(), firstToken, lastToken: encoding.tokens() };
        write(encoding, after);
        const names = [encodedName('own')];
        const alone = encode(one);
        expect(encoding.bytes(range, names)).toEqual(alone.bytes(whole(alone), names));
        expect(trigramsOf(encoding, [range], names)).toEqual(trigramsOf(alone, [whole(alone)], names));
      }),
    );
  });

  it('lists what is alike of a body in order, however long it is', () => {
    const words = fc.array(text, { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(words, (values) => {
        const encoding = encode(...values.map((value): Leaf => ({ kind: 'name', text: value, isReference: false })));
        const grams = trigramsOf(encoding, [whole(encoding)], []);
        expect([...grams]).toEqual([...grams].sort((one, two) => one - two));
        expect(grams.length).toBe(Math.max(1, values.length - 2));
        encoding.clear();
        for (const value of values) write(encoding, { kind: 'name', text: value, isReference: false });
        expect(trigramsOf(encoding, [whole(encoding)], [])).toEqual(grams);
      }),
    );
  });

  it('reads the line ends of Windows as those of others', () => {
    const of = (value: string) => hashesOf(encode({ kind: 'string', text: value, isReference: false }), []).bodyHash;
    expect(of('a\r\nb')).toBe(of('a\nb'));
    expect(of('a\rb')).not.toBe(of('a\nb'));
  });

  it('keeps body, shape and visibility apart', () => {
    const encoding = encode({ kind: 'name', text: 'a', isReference: false });
    const of = (body: EncodedRange[], shape: EncodedRange[], visibility: string) =>
      hashParts({ encoding, body, shape, visibility, names: [] }, sha256);
    const [open, closed] = [of([whole(encoding)], [], 'export'), of([whole(encoding)], [], '')];
    expect([open.bodyHash, open.shapeHash]).toEqual([closed.bodyHash, closed.shapeHash]);
    expect(open.signatureHash).not.toBe(closed.signatureHash);
    expect(open.tokenHash).not.toBe(closed.tokenHash);
    expect(of([], [whole(encoding)], '').tokenHash).not.toBe(closed.tokenHash);
  });
});

describe('similarity', () => {
  const grams = fc.array(fc.nat(50), { minLength: 1 }).map((values) => Uint32Array.from(values).sort());

  it('is 1 for equals, 0 for strangers, the same both ways, and never beyond', () => {
    fc.assert(
      fc.property(grams, grams, (one, two) => {
        expect(similarity(one, one)).toBe(1);
        expect(similarity(one, two)).toBe(similarity(two, one));
        expect(similarity(one, two)).toBeGreaterThanOrEqual(0);
        expect(similarity(one, two)).toBeLessThanOrEqual(1);
        expect(
          similarity(
            one,
            two.map((value) => value + 100),
          ),
        ).toBe(0);
      }),
    );
  });

  it('counts a gram as often as both have it', () => {
    expect(similarity(Uint32Array.of(1, 1, 2), Uint32Array.of(1, 3, 3))).toBeCloseTo(1 / 3);
    expect(similarity(new Uint32Array(), new Uint32Array())).toBe(0);
  });
});

describe('families', () => {
  it('are one for TypeScript, TSX and JavaScript, and one for each other language', () => {
    expect(new Set((['typescript', 'tsx', 'javascript'] as const).map(familyOf))).toEqual(new Set(['ecmascript']));
    expect((['swift', 'kotlin', 'python', 'go', 'rust', 'java'] as const).map(familyOf)).toEqual([
      'swift',
      'kotlin',
      'python',
      'go',
      'rust',
      'java',
    ]);
  });
});
