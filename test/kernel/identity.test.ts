import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { digest } from '#core/digest';
import { yamlMapping } from '#core/yaml';
import { type ByPathReason, type Identity, insertIdentity, maskIdentity, readIdentity } from '#kernel/identity';
import { contentHash } from '#kernel/revision';
import { canonicalText } from '#kernel/text';
import { parseUuid } from '#kernel/uuid';
import { vectorsOf } from '../helpers/vectors.ts';

interface HashVector {
  readonly name: string;
  readonly input: string;
  readonly canonical_masked: string;
  readonly content_hash: string;
}

interface InsertVector {
  readonly name: string;
  readonly before: string;
  readonly id: string;
  readonly schema: string | null;
  readonly after: string;
  readonly tracked_by: 'id' | 'path';
  readonly ours?: { readonly after: string; readonly tracked_by: 'id' | 'path' };
}

const id = parseUuid('018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7')!;
const plain: Identity = { id, schema: null };
const masked = (text: string) => maskIdentity(canonicalText(text));
const read = (text: string) => readIdentity(canonicalText(text));
const stamp = (text: string, identity: Identity = plain) => insertIdentity(text, identity, yamlMapping);
const stampedText = (text: string, identity: Identity = plain) => {
  const result = stamp(text, identity);
  return result.kind === 'stamped' ? result.text : result.reason;
};

const shards = [
  '---',
  'vmark:',
  'id:',
  'schema:',
  '  id: ',
  '  schema: ',
  '  future:',
  '    id: ',
  '\tid: ',
  '  - ',
  '  # ',
  `  id: ${id}`,
  'title: T',
  'a: |',
  ' x',
  ' ',
  '\t',
];
const strange = [
  '\r',
  '\n',
  '\r\n',
  '\ufeff',
  '\u00a0',
  '\u0085',
  '\u2028',
  'e\u0301',
  '\u0301',
  '"',
  '{',
  '}',
  '[',
  ']',
  '?',
  '#',
  '...',
  '+++',
  '&a',
  '*a',
  '%',
  '\0',
  '\ud800',
];
const ending = fc.constantFrom('\n', '\n', '\r\n', '\r');
const soup = fc.array(fc.constantFrom(...shards, ...strange), { maxLength: 25 }).map((parts) => parts.join(''));

const innerLine = fc.constantFrom(
  ...[
    'title: Tide',
    'tags: [a, b]',
    'note: |',
    '  folded',
    '',
    '  ',
    '# note',
    'e\u0301: 1',
    'list:',
    '- a',
    '  - a',
    'name: "x"',
    '...',
    '---',
    '--- ',
    '"q',
    '{a: 1}',
    '? k',
  ],
  ...['vmark:', 'vmark:', 'vmark:', 'vmark:  ', 'vmark:\u00a0', 'vmark: # c', 'vmark: {a: 1}', '"vmark": 1', ' vmark:'],
  ...[
    '  id: bad',
    `  id: ${id}`,
    `  id: "${id}"`,
    '  id:',
    '  schema: old',
    '  schema:',
    '  future: x',
    '  future:',
    '    id: keep',
    '    schema: keep',
    '      deep: 1',
  ],
  ...[
    '\tid: bad',
    '\tfuture: x',
    '  # child note',
    ' id: one',
    '    id: four',
    '    future: four',
    '  - id: x',
    '  text',
    '    text',
    ' \u00a0id: x',
    '  note: |',
    '  ids: 1',
    '  id : 1',
  ],
);
const fencedWith = (ended: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom('---', '---', '---', '--- ', '\ufeff---', '+++'),
      fc.array(innerLine, { maxLength: 8 }),
      fc.constantFrom('---', '---', '--- ', '...'),
      soup,
      fc.boolean(),
    )
    .chain(([open, inner, close, body, isWhole]) =>
      fc.array(ended, { minLength: inner.length + 2, maxLength: inner.length + 2 }).map((endings) => {
        const head = [open, ...inner, close].map((line, index) => line + endings[index]).join('');
        return isWhole ? head + body : head.trimEnd();
      }),
    );
const text = fc.oneof(
  soup,
  fencedWith(fc.constant('\n')),
  fencedWith(fc.constant('\r\n')),
  fencedWith(fc.constant('\r')),
  fencedWith(ending),
);
const identity = fc.record({
  id: fc.uuid().map((uuid) => parseUuid(uuid)!),
  schema: fc.constantFrom(null, null, 'character', 'old', 'a b', 'café'),
});

/** Stamps until `check` has seen it done often enough to mean something. */
function forStamped(texts: fc.Arbitrary<string>, check: (raw: string, stamped: string, wanted: Identity) => void): void {
  let seen = 0;
  fc.assert(
    fc.property(texts, identity, (raw, wanted) => {
      const result = stamp(raw, wanted);
      if (result.kind === 'by-path') return;
      if (result.text !== raw) seen++;
      check(raw, result.text, wanted);
    }),
    { numRuns: 2000 },
  );
  expect(seen).toBeGreaterThan(200);
}

const linesOf = (raw: string): string[] => raw.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
const isOurs = (line: string) => /^(?:---|vmark:|[ \t][ \t\u00a0]*(?:id|schema):.*)(?:\r\n|\r|\n)$/.test(line);

/** Whether `longer` is `shorter` with only lines of ours added, after only lines of ours were taken from `shorter`. */
function differsOnlyInOurLines(before: string, after: string): boolean {
  const foreign = (raw: string) =>
    linesOf(raw)
      .filter((line) => !isOurs(line))
      .join('');
  return foreign(before) === foreign(after);
}

/** The frontmatter as data, without what is ours in it. */
function meaning(raw: string): unknown {
  const inner = /^---\n(.*?\n)---(?:\n|$)/s.exec(raw.replace(/\r\n?/g, '\n'))?.[1];
  const { vmark, ...others } = (parse(inner ?? '') ?? {}) as { vmark?: object };
  const rest = Object.entries(vmark ?? {}).filter(([key]) => !['id', 'schema'].includes(key.trim()));
  return { ...others, vmark: rest };
}

describe('the content hash', () => {
  const vectors = vectorsOf<HashVector>('content_hash');
  const hashOf = (name: string) => contentHash(digest, masked(vectors.find((vector) => vector.name === name)!.input));

  it.each(vectors)('is as in vector "$name"', (vector) => {
    expect(masked(vector.input)).toBe(vector.canonical_masked);
    expect(contentHash(digest, masked(vector.input))).toBe(vector.content_hash);
  });

  it.each(vectorsOf<{ equal?: [string, string]; not_equal?: [string, string] }>('content_hash_relations'))(
    'is the same or another: %j',
    ({ equal, not_equal }) => {
      if (equal !== undefined) expect(hashOf(equal[0])).toBe(hashOf(equal[1]));
      if (not_equal !== undefined) expect(hashOf(not_equal[0])).not.toBe(hashOf(not_equal[1]));
      expect(equal ?? not_equal).toHaveLength(2);
    },
  );
});

describe('masking', () => {
  it('twice is masking once, but where a collapsed block exposes text that looks like another', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const canonical = canonicalText(raw);
        const once = maskIdentity(canonical);
        const exposes = once !== canonical && canonical.endsWith(once) && once.startsWith('---\n');
        if (!exposes) expect(maskIdentity(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes lines away and adds none', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const rest = linesOf(canonicalText(raw));
        for (const line of linesOf(masked(raw))) {
          const at = rest.indexOf(line);
          expect(at).toBeGreaterThanOrEqual(0);
          rest.splice(0, at + 1);
        }
      }),
    );
  });

  it('gives a text without frontmatter back as it is', () => {
    fc.assert(
      fc.property(soup, (raw) => {
        const canonical = canonicalText(`# T\n${raw}`);
        expect(maskIdentity(canonical)).toBe(canonical);
        expect(readIdentity(canonical)).toBeNull();
      }),
    );
  });
});

describe('reading an identity', () => {
  it.each(vectorsOf<{ name: string; input: string; identity: Identity | null }>('read_identity'))('is as in vector "$name"', (vector) => {
    expect(read(vector.input)).toEqual(vector.identity);
  });

  it('does not take the id of another child for the document’s own', () => {
    const other = '00000000-0000-7000-8000-000000000001';
    expect(read(`---\nvmark:\n  id: ${id}\n  future:\n    id: ${other}\n    schema: s\n---\n`)).toEqual(plain);
    expect(read(`---\nvmark:\n  future:\n    id: ${other}\n---\n`)).toBeNull();
    expect(read(`---\nvmark:\n  # note\n    id: ${id}\n---\n`)).toEqual(plain);
  });
});

describe('stamping', () => {
  it.each(vectorsOf<InsertVector>('insert_identity'))('does as in vector "$name"', (vector) => {
    const wanted = { ...vector, ...vector.ours };
    const result = stamp(vector.before, { id: parseUuid(vector.id)!, schema: vector.schema });
    expect(result.kind === 'stamped' ? 'id' : 'path').toBe(wanted.tracked_by);
    expect(result.kind === 'stamped' ? result.text : vector.before).toBe(wanted.after);
    expect(masked(wanted.after)).toBe(masked(vector.before));
  });

  it('never moves the content hash', () => {
    forStamped(text, (raw, stamped) => {
      expect(masked(stamped)).toBe(masked(raw));
    });
  });

  it('makes the identity readable', () => {
    forStamped(text, (_, stamped, wanted) => {
      const found = read(stamped)!;
      expect(found.id).toBe(wanted.id);
      if (wanted.schema !== null) expect(found.schema).toBe(wanted.schema);
    });
  });

  it('changes only lines of ours, byte for byte', () => {
    forStamped(text, (raw, stamped) => {
      expect(differsOnlyInOurLines(raw, stamped)).toBe(true);
    });
  });

  it('into a text with no block of ours adds one piece: taken out again, the text is as it was', () => {
    forStamped(
      text.filter((raw) => !raw.includes('vmark')),
      (raw, stamped) => {
        const at = stamped.indexOf('vmark:');
        const added = stamped.length - raw.length;
        const from = stamped.endsWith(raw) ? 0 : at;
        expect(stamped.slice(0, from) + stamped.slice(from + added)).toBe(raw);
      },
    );
  });

  it('ends its lines as the file does', () => {
    for (const own of ['\n', '\r\n', '\r']) {
      const uniform = text.map((raw) => `${raw.replace(/\r\n|\r|\n/g, own)}${own}`);
      forStamped(uniform, (_, stamped) => {
        expect(stamped.replaceAll(own, '')).not.toMatch(/[\r\n]/);
      });
    }
  });

  it('leaves frontmatter that YAML still reads as a mapping', () => {
    forStamped(text, (raw, stamped) => {
      if (stamped === raw) return;
      const inner = /^---\n(.*?\n)---(?:\n|$)/s.exec(canonicalText(stamped))![1]!;
      expect(yamlMapping.isMapping(inner)).toBe(true);
    });
  });

  it('leaves every other key of the frontmatter its meaning', () => {
    forStamped(fencedWith(ending), (raw, stamped) => {
      if (!stamped.startsWith(raw.slice(0, 4))) return;
      expect(meaning(stamped)).toEqual(meaning(raw));
    });
  });

  it('twice is stamping once', () => {
    forStamped(text, (_, stamped, wanted) => {
      expect(stamp(stamped, wanted)).toEqual({ kind: 'stamped', text: stamped });
    });
  });

  it('another id replaces the first, and putting the first back gives the same bytes', () => {
    forStamped(text, (raw, stamped, wanted) => {
      if (stamped === raw) return;
      const other = { ...wanted, id: parseUuid('00000000-0000-7000-8000-000000000001')! };
      expect(stampedText(stampedText(stamped, other), wanted)).toBe(stamped);
    });
  });

  it.each<[string, ByPathReason]>([
    ['\ufeff# T\n', 'bom'],
    ['\ufeff---\ntitle: x\n---\n', 'bom'],
    ['---\ntitle: x\n', 'unterminated'],
    ['---', 'unterminated'],
    ['---\rtitle: x\r--- \r', 'unterminated'],
    ['---\n---\nbody\n', 'adjacent-fences'],
    ['---\r\n---', 'adjacent-fences'],
    ['---\n---\na: 1\n---\nbody\n', 'adjacent-fences'],
    ['--- \ntitle: x\n---\n', 'spaced-fence'],
    ['+++\ntitle = "x"\n+++\nbody\n', 'other-frontmatter'],
    ['+++\r\ntitle = "x"\r\n+++', 'other-frontmatter'],
    ['---\nvmark: {a: 1}\n---\n', 'inline-map'],
    ['---\nvmark: x\n---\n', 'inline-map'],
    ['---\nvmark: # c\n  a: 1\n---\n', 'header-comment'],
    ['---\nvmark:\u00a0\n  a: 1\n---\n', 'not-a-mapping'],
    ['---\nvmark:\n\ta: 1\n---\n', 'not-a-mapping'],
    ['---\nvmark:\n\tid: bad\n---\n', 'not-a-mapping'],
    ['---\nvmark:\n  id: a\n  id: b\n---\n', 'not-a-mapping'],
    ['---\na: 1\na: 2\n---\n', 'not-a-mapping'],
    ['---\na: *nowhere\n---\n', 'not-a-mapping'],
    ['---\n- a\n---\n', 'not-a-mapping'],
    ['---\na: 1\n...\nb: 2\n---\n', 'not-a-mapping'],
    ['---\n{\nvmark:\n  }\n---\n', 'not-a-mapping'],
    ['---\na: "open\nvmark:\n  id: x"\n---\n', 'not-a-mapping'],
    ['---\nvmark:\n  id:\n    - kept\n---\n', 'continued-value'],
    ['---\nvmark:\n  a: 1\n  id:\n    kept\n---\n', 'continued-value'],
    ['---\nvmark:\n\n    text\n---\n', 'continued-value'],
    ['---\nvmark:\n  - a\n---\n', 'stamp-not-a-mapping'],
    ['---\nvmark:\n  text\n---\n', 'stamp-not-a-mapping'],
    ['---\n"vmark": 1\n---\n', 'stamp-not-a-mapping'],
    ['---\n{a: 1}\n---\n', 'stamp-not-a-mapping'],
    ['---\n  a: 1\n---\n', 'stamp-not-a-mapping'],
    ['---\na: 1\n...\n---\n', 'stamp-not-a-mapping'],
    ['---\nvmark:\n  id: &a 5\nb: *a\n---\n', 'stamp-not-a-mapping'],
  ])('leaves %j to its path', (raw, reason) => {
    expect(stamp(raw)).toEqual({ kind: 'by-path', reason });
  });

  it.each([
    ['a CR file', '---\rtitle: x\r---\rbody', `---\rtitle: x\rvmark:\r  id: ${id}\r---\rbody`],
    ['mixed endings, as the line before', '---\ntitle: x\r\n---\nbody\r', `---\ntitle: x\r\nvmark:\r\n  id: ${id}\r\n---\nbody\r`],
    ['mixed endings, as the header', '---\r\nvmark:\n  a: 1\r\n---', `---\r\nvmark:\n  id: ${id}\n  a: 1\r\n---`],
    ['no newline at all', 'body', `---\nvmark:\n  id: ${id}\n---\nbody`],
    ['a comment only', '---\n# c\n---\n', `---\n# c\nvmark:\n  id: ${id}\n---\n`],
    ['children four spaces in', '---\nvmark:\n    a: 1\n---\n', `---\nvmark:\n    id: ${id}\n    a: 1\n---\n`],
    ['a child comment', '---\nvmark:\n  # c\n  id: bad\n---\n', `---\nvmark:\n  id: ${id}\n  # c\n---\n`],
    ['a bare header', '---\nvmark:  \nb: 1\n---\n', `---\nvmark:  \n  id: ${id}\nb: 1\n---\n`],
    ['a rule that is no fence', '----\nbody\n', `---\nvmark:\n  id: ${id}\n---\n----\nbody\n`],
    ['a TOML fence that stays open', '+++\nbody\n', `---\nvmark:\n  id: ${id}\n---\n+++\nbody\n`],
  ])('writes into %s', (_, raw, after) => {
    expect(stampedText(raw)).toBe(after);
  });

  it('keeps a schema line as written when the schema is the same or not given', () => {
    const raw = '---\nvmark:\n  a: 1\n  schema:  s  \n---\n';
    const after = `---\nvmark:\n  id: ${id}\n  a: 1\n  schema:  s  \n---\n`;
    expect(stampedText(raw)).toBe(after);
    expect(stampedText(raw, { id, schema: 's' })).toBe(after);
    expect(stampedText(raw, { id, schema: 't' })).toBe(`---\nvmark:\n  id: ${id}\n  schema: t\n  a: 1\n---\n`);
  });

  it('gives a text that carries the identity back as it is, even one that it could not write', () => {
    for (const raw of [`---\nvmark:\n\tid: ${id.toUpperCase()}\n---`, `---\nvmark:\n  id: {${id}}\n  schema: s\n---\r\n`])
      expect(stampedText(raw)).toBe(raw);
  });

  it.each(['', ' s', 'a\nb', 'a\r---', 'e\u0301', 's\u0085'])('refuses the schema %j, which would not read back', (schema) => {
    expect(stamp('body\n', { id, schema })).toEqual({ kind: 'by-path', reason: 'unwritable-schema' });
  });

  it('refuses a schema that YAML cannot read', () => {
    expect(stamp('body\n', { id, schema: 'a: b' })).toEqual({ kind: 'by-path', reason: 'stamp-not-a-mapping' });
  });
});
