import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '#core/digest';
import { knownKinds } from '#kernel/body';
import { compareEntries, dedupe, type Entry, entryLine, type LineOutcome, nestingCap, parseLine, parseUnknownKind } from '#kernel/entry';
import { arbitraryEntry, arbitraryEntryOf, arbitraryTime, arbitraryUuid, entryOf } from '../helpers/entries.ts';

interface LineVector {
  name: string;
  line?: string;
  outcome: string;
  ours?: { outcome: string };
}
interface DedupeVector {
  entries: { id: string; idem: string; time?: string }[];
  kept: string[];
}
const vectors: { ledger_lines: LineVector[]; ledger_dedupe: DedupeVector[] } = JSON.parse(readFileSync('test/vectors/format.json', 'utf8'));

const words: Record<LineOutcome['kind'], string> = { entry: 'accepted', blank: 'ignored', malformed: 'quarantined', future: 'future' };
const outcome = (line: string) => parseLine(line, digest);
const parsed = (line: string): Entry => {
  const found = outcome(line);
  if (found.kind !== 'entry') throw new Error(`not an entry: ${JSON.stringify(found)}`);
  return found.entry;
};

const envelope = {
  format: 0,
  id: '018f3c7a-a001-7def-8a3c-1b2c3d4e5f60',
  kind: 'diagnostic',
  time: '2026-07-18T09:30:12.415Z',
  writer: '018f3c7a-0000-7abc-9def-000000000001',
  idem: '018f3c7a-a000-7c11-9e22-334455667788',
  body: { code: 'c', message: 'm' },
};
const lineWith = (changes: Record<string, unknown>) => JSON.stringify({ ...envelope, ...changes });

describe('a ledger line', () => {
  const readable = vectors.ledger_lines.filter((vector) => vector.line !== undefined);
  it.each(readable)('$name', ({ line, outcome: theirs, ours }) => {
    expect(words[outcome(line!).kind]).toBe(ours?.outcome ?? theirs);
  });

  it('is judged as text, so that only the vector of invalid UTF-8 is left to whoever decodes', () => {
    expect(vectors.ledger_lines.filter((vector) => vector.line === undefined).map(({ name }) => name)).toEqual(['invalid UTF-8']);
  });

  it.each(knownKinds)('of a %s says the same after it has been written and read', (kind) => {
    fc.assert(
      fc.property(arbitraryEntryOf(kind), (entry) => {
        expect(parsed(entryLine(entry).slice(0, -1))).toEqual(entry);
      }),
    );
  });

  it('of any kind says the same after it has been written and read, and is one line', () => {
    fc.assert(
      fc.property(arbitraryEntry(), (entry) => {
        const line = entryLine(entry);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(parsed(line.slice(0, -1))).toEqual(entry);
        expect(parsed(`${line.slice(0, -1)}\r`)).toEqual(entry);
      }),
    );
  });

  it('has its keys in canonical order', () => {
    fc.assert(
      fc.property(arbitraryEntry(), (entry) => {
        expect(Object.keys(JSON.parse(entryLine(entry)))).toEqual(['format', 'id', 'kind', 'time', 'writer', 'idem', 'body']);
      }),
    );
  });

  it('that is empty or only a carriage return is blank, and one of other white space is malformed', () => {
    for (const blank of ['', '\r']) expect(outcome(blank)).toEqual({ kind: 'blank' });
    for (const white of [' ', '\t', '\r\r', ' \r', '\ufeff']) expect(outcome(white).kind).toBe('malformed');
  });

  it('is judged by its shape before its format, and by its format before its time and body', () => {
    expect(outcome(lineWith({ format: 1, time: 'soon', body: null }))).toEqual({ kind: 'future', format: 1 });
    expect(outcome(lineWith({ format: 4_294_967_295, kind: 'new' }))).toEqual({ kind: 'future', format: 4_294_967_295 });
    for (const changes of [{ id: 'x' }, { writer: 1 }, { idem: null }, { kind: 1 }, { time: 0 }, { body: undefined }]) {
      expect(outcome(lineWith({ format: 1, ...changes })).kind).toBe('malformed');
    }
    expect(outcome(lineWith({ time: 'soon', kind: 'new' })).kind).toBe('malformed');
  });

  it.each([-1, 0.5, 4_294_967_296, '0', null, true, [0], {}, undefined])('with the format %j is malformed', (format) => {
    expect(outcome(lineWith({ format })).kind).toBe('malformed');
  });

  it('gives every spelling of a UUID as one', () => {
    const spelled = (id: string) => parsed(lineWith({ id, writer: id, idem: id }));
    const { id } = envelope;
    for (const spelling of [id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`]) {
      expect(spelled(spelling)).toMatchObject({ id, writer: id, idem: id });
    }
  });

  it('keeps its time as it was read, beside the instant', () => {
    const entry = parsed(lineWith({ time: '2026-07-18T11:30:12.415+02:00' }));
    expect(entry).toMatchObject({ time: '2026-07-18T11:30:12.415+02:00', instant: Date.parse(envelope.time) });
  });

  it('of an unknown kind keeps any body, and fields that are not known stay in raw', () => {
    for (const body of [null, 0, 'text', [], { edge: 1 }])
      expect(parsed(lineWith({ kind: 'hologram-sync', body }))).toMatchObject({ body, raw: body });
    const raw = { code: 'c', message: 'm', extra: { deep: [1] } };
    expect(parsed(lineWith({ body: raw }))).toMatchObject({ raw, body: { code: 'c', message: 'm', path: null } });
  });

  it('never fails to be judged', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((body) => lineWith({ body })),
        ),
        (line) => outcome(line).kind in words,
      ),
    );
    fc.assert(
      fc.property(arbitraryEntry(), fc.nat(), fc.string({ maxLength: 3 }), (entry, place, text) => {
        const line = entryLine(entry);
        const at = place % line.length;
        expect(outcome(line.slice(0, at) + text + line.slice(at + 1)).kind in words).toBe(true);
      }),
    );
  });
});

describe('a hostile line', () => {
  it('changes no prototype and is not fooled by one', () => {
    const around = lineWith({}).slice(1, -1);
    const body = '{"code":"c","message":"m","__proto__":{"path":"p","polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const entry = parsed(`{${around},"__proto__":{"polluted":1,"toString":null},"body":${body}}`);
    expect(entry.body).toEqual({ code: 'c', message: 'm', path: null });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const inherited = `{"format":0,"__proto__":${lineWith({})}}`;
    expect(outcome(inherited).kind).toBe('malformed');
    for (const kind of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(outcome(lineWith({ kind, body: {} })).kind).toBe('entry');
  });

  it('says what its last duplicate key says', () => {
    const twice = lineWith({}).replace('"body":{', '"kind":"diagnostic","kind":"novelty","body":{"code":1,');
    expect(parsed(twice)).toMatchObject({ kind: 'novelty', body: { code: 'c' } });
  });

  it('may nest as deep as the cap and no deeper', () => {
    const nested = (levels: number) =>
      lineWith({ kind: 'new', body: 0 }).replace('"body":0', `"body":${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(outcome(nested(nestingCap - 1)).kind).toBe('entry');
    expect(outcome(nested(nestingCap)).kind).toBe('malformed');
    expect(outcome(nested(1_000_000)).kind).toBe('malformed');
    const inBody = lineWith({ body: { code: 'c', message: 'm', extra: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) } });
    expect(outcome(inBody).kind).toBe('malformed');
    expect(outcome(lineWith({ kind: 'new', body: Array(1000).fill({}) })).kind).toBe('entry');
  });

  it('may hold numbers of any size', () => {
    const huge = (field: string) =>
      lineWith({ kind: 'flag-judgment', body: 0 }).replace(
        '"body":0',
        `"body":{"edge":{"txf":"${envelope.id}","input":${field}},"judgment":"noise"}`,
      );
    for (const number of ['1e400', '-1e400', `${'9'.repeat(400)}`, '1e-400', '0.1', '-1']) {
      expect(outcome(huge(number)).kind).toBe(number === '1e-400' ? 'entry' : 'malformed');
    }
    expect(parsed(huge('-0')).body).toMatchObject({ edge: { input: 0 } });
    expect(outcome(lineWith({ format: 0 }).replace('"format":0', '"format":1e400')).kind).toBe('malformed');
  });
});

/** Entries so alike that instants, ids and idems meet often. */
const crowd = () => {
  const few = { id: fc.constantFrom('a', 'b', 'c'), idem: fc.constantFrom('i', 'j'), ms: fc.nat(2), message: fc.constantFrom('m', 'n') };
  const uuid = (letter: string) => `00000000-0000-7000-8000-00000000000${letter.charCodeAt(0) % 10}`;
  return fc.array(
    fc
      .record(few)
      .map(({ id, idem, ms, message }) =>
        parsed(lineWith({ id: uuid(id), idem: uuid(idem), time: new Date(ms).toISOString(), body: { code: 'c', message } })),
      ),
    { maxLength: 8 },
  );
};

describe('reader order', () => {
  it('is by instant, however it is spelled, then by id', () => {
    fc.assert(
      fc.property(arbitraryUuid(), arbitraryUuid(), arbitraryTime(), arbitraryTime(), (a, b, early, late) => {
        const [one, two] = [parsed(lineWith({ id: a, time: early })), parsed(lineWith({ id: b, time: late }))];
        const expected = one.instant - two.instant || (a < b ? -1 : a > b ? 1 : 0) || (early < late ? -1 : early > late ? 1 : 0);
        expect(Math.sign(compareEntries(one, two))).toBe(Math.sign(expected));
      }),
    );
    const noon = parsed(lineWith({ time: '2026-07-18T12:00:00Z', id: envelope.id.replace(/0$/, '1') }));
    expect(compareEntries(noon, parsed(lineWith({ time: '2026-07-18T14:00:00+02:00' })))).toBeGreaterThan(0);
  });

  it('never depends on the order in files', () => {
    fc.assert(
      fc.property(
        crowd().chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length }))),
        ([a, b]) => {
          expect(dedupe(b).sort(compareEntries)).toEqual(dedupe(a).sort(compareEntries));
        },
      ),
    );
  });
});

describe('of equal idem', () => {
  it.each(vectors.ledger_dedupe)('the entry with the smallest (time, id) is kept: $kept', ({ entries, kept }) => {
    const uuids: Record<string, string> = { a: '0a', b: '0b', i: '1a', i1: '1b', i2: '1c' };
    const uuid = (name: string) => `018f3c7a-0000-7abc-9def-0000000000${uuids[name]}`;
    const lines = entries.map(({ id, idem, time }) => lineWith({ id: uuid(id), idem: uuid(idem), time: time ?? envelope.time }));
    for (const order of [lines, lines.toReversed()]) {
      expect(new Set(dedupe(order.map(parsed)).map(({ id }) => id as string))).toEqual(new Set(kept.map(uuid)));
    }
  });

  it('one is kept, none comes before it, and the order given stays', () => {
    fc.assert(
      fc.property(crowd(), (entries) => {
        const kept = dedupe(entries);
        expect(kept).toEqual(entries.filter((entry) => kept.includes(entry)));
        expect(kept.map(({ idem }) => idem).sort()).toEqual([...new Set(entries.map(({ idem }) => idem))].sort());
        for (const entry of entries) expect(kept.some(({ idem }) => idem === entry.idem)).toBe(true);
        for (const one of kept)
          for (const other of entries) if (one.idem === other.idem) expect(compareEntries(one, other)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

it('a kind that is known is no unknown kind', () => {
  for (const kind of knownKinds) expect(parseUnknownKind(kind)).toBeNull();
  expect(String(parseUnknownKind('document-trio'))).toBe('document-trio');
  const entry = entryOf({ ...(envelope as never as Entry), kind: parseUnknownKind('document-trio')!, body: { b: 1, a: 2 } });
  expect(entryLine(entry)).toContain('"kind":"document-trio"');
  expect(entryLine(entry)).toContain('"body":{"b":1,"a":2}}');
});
