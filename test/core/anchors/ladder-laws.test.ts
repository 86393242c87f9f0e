import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baselineOf } from '#core/anchors/baseline';
import { pinDeclaration } from '#core/anchors/pin';
import { recipeOf } from '#core/grammars/parse';
import type { Verdict } from '#kernel/anchor';
import { isMinorPath, type ReadFile } from '#kernel/anchor-index';
import { resolveDeclaration } from '#kernel/anchor-ladder';
import type { Declaration } from '#kernel/declaration';
import { indexOf, said } from '../../helpers/code.ts';

/** A declaration by what it says and what it is called; equal bodies have equal numbers. */
interface Made {
  readonly file: string;
  readonly name: string;
  readonly body: number;
  readonly signature: number;
}

const hash = (what: string, ...parts: readonly unknown[]) => `${what} ${parts.join(' ')}`;

/** Bodies of neighbouring numbers have nothing in common. */
const trigramsOf = (body: number) => Uint32Array.from({ length: 40 }, (_, at) => body * 1000 + at);

function declare({ name, body, signature }: Made, at: number): Declaration {
  return {
    ...{ language: 'typescript', kind: 'function', qualifiedName: name, baseName: name, plainName: name, container: '' },
    ...{
      lineStart: at + 1,
      lineEnd: at + 1,
      start: at * 10,
      end: at * 10 + 9,
      visibility: '',
      bodyTokens: 40,
      damaged: false,
      besideDamage: false,
    },
    bodyHash: hash('body', body),
    signatureHash: hash('signature', signature),
    shapeHash: hash('shape', signature),
    tokenHash: hash('token', body, signature),
    trigrams: trigramsOf(body),
  };
}

type Code = readonly Made[];

function filesOf(code: Code): ReadFile[] {
  return [...Map.groupBy(code, ({ file }) => file)].map(([path, own]) => ({
    path,
    isMinor: isMinorPath(path),
    parsed: { language: 'typescript', recipe: recipeOf('typescript'), declarations: own.map(declare), parseErrors: 0, generated: false },
  }));
}

/** What the ladder says of one declaration of `before` in `after`. */
async function resolved(before: Code, { file, name }: Made, after: Code, order = (files: ReadFile[]) => files): Promise<Verdict> {
  const files = filesOf(before);
  const own = files.find(({ path }) => path === file)!;
  const declaration = own.parsed.declarations.find(({ qualifiedName }) => qualifiedName === name)!;
  const searched = { index: indexOf(order(files)), complete: true };
  const { pin } = pinDeclaration({ ...own, blob: 'b' }, ' '.repeat(1000), declaration, searched, null);
  const baseline = await baselineOf(pin, () => null, { languages: ['typescript'], trigrams: false });
  const now = order(filesOf(after));
  const hinted = now.some(({ path }) => path === file) ? 'read' : 'absent';
  return resolveDeclaration({ ...baseline!, trigrams: declaration.trigrams! }, { index: indexOf(now), hinted, unseen: null });
}

const place = (one: Made) => `${one.file}\n${one.name}`;

const arbitraryMade = (bodies: number): fc.Arbitrary<Made> =>
  fc.record({
    file: fc.constantFrom('a.ts', 'b.ts', 'lib/c.ts', 'dist/d.ts'),
    name: fc.constantFrom('read', 'write', 'north', 'south', 'east', 'west'),
    body: fc.nat(bodies),
    signature: fc.nat(2),
  });
const arbitraryCode = (bodies: number) => fc.uniqueArray(arbitraryMade(bodies), { selector: place, minLength: 1, maxLength: 10 });

describe('the ladder', () => {
  it('says nothing of code that did not change, whatever was added beside it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCode(4), arbitraryCode(4), async (before, more) => {
        const added = more.filter((one) => !before.some((other) => place(other) === place(one)));
        for (const one of before) {
          expect(said(await resolved(before, one, [...before, ...added]))).toBe(`fresh identity_matched ${one.file}:${one.name}`);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never answers with a twin that stood there all along, nor with one that moved', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCode(3), fc.boolean(), async (before, areMoved) => {
        for (const one of before) {
          const others = before.filter((other) => other !== one);
          const after = areMoved ? others.map((other) => ({ ...other, file: `moved/${other.file}` })) : others;
          const verdict = await resolved(before, one, after);
          expect([verdict.state, verdict.state === 'lost' ? verdict.reason : ''], place(one)).toEqual(['lost', expect.any(String)]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('finds each of several that were renamed or moved at once, where no two are alike', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCode(0), fc.infiniteStream(fc.constantFrom('stay', 'rename', 'move', 'both')), async (code, fates) => {
        const before = code.map((one, at) => ({ ...one, body: at }));
        const after = before.map((one, at): Made => {
          const fate = fates.next().value;
          const name = fate === 'rename' || fate === 'both' ? `${one.name}${at}` : one.name;
          return { ...one, name, file: fate === 'move' || fate === 'both' ? `new/${at}.ts` : one.file };
        });
        for (const [at, one] of before.entries()) {
          const now = after[at]!;
          const verdict = await resolved(before, one, after);
          if (verdict.state === 'lost' || verdict.state === 'unchecked') throw new Error(`${place(one)}: ${said(verdict)}`);
          expect([verdict.target.file, verdict.target.declaration.qualifiedName]).toEqual([now.file, now.name]);
          expect(verdict.bodyChanged).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('hangs on no order of files', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCode(2), arbitraryCode(2), async (before, after) => {
        for (const one of before) {
          const straight = await resolved(before, one, after);
          expect(await resolved(before, one, after, (files) => files.toReversed())).toEqual(straight);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('says that a body changed wherever it did', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCode(3), arbitraryCode(3), async (before, after) => {
        for (const one of before) {
          const verdict = await resolved(before, one, after);
          if (verdict.state === 'lost' || verdict.state === 'unchecked') continue;
          const isSame = verdict.target.declaration.bodyHash === hash('body', one.body);
          expect(verdict.bodyChanged).toBe(!isSame);
          if (verdict.state === 'fresh') expect(isSame).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
