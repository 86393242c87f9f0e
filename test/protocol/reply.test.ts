import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, type FaultCode, failureOf, faultDetails, faultFrom, fromReply, toReply } from '#protocol';
import { outputs } from '#protocol/outputs';

const codes = Object.keys(faultDetails) as FaultCode[];
const detail = fc.dictionary(
  fc.string().filter((name) => name !== '__proto__'),
  fc.oneof(fc.string(), fc.integer()),
  { noNullPrototype: true },
);

async function thrown(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a reply', () => {
  it('carries any plain value across', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(fromReply(structuredClone(await toReply(async () => value)))).toEqual(value);
      }),
    );
  });

  it('carries a fault of any code across a clone and across JSON, to the same fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...codes), detail, async (code, details) => {
        const fault = faultFrom(code, details, new Error('the cause stays behind'));
        const reply = await toReply(() => {
          throw fault;
        });
        for (const crossed of [structuredClone(reply), JSON.parse(JSON.stringify(reply))]) {
          const again = await thrown(() => fromReply(crossed));
          expect(again).toBeInstanceOf(Fault);
          expect(again).toMatchObject({ code, message: fault.message, detail: details });
        }
      }),
    );
  });

  it('calls anything else a bug, with its first line and without a stack', async () => {
    const reply = await toReply(() => {
      throw new RangeError('BUG: the list is empty\n    at somewhere (/private/file.ts:1:1)');
    });
    expect(reply).toEqual({
      ok: false,
      code: 'bug',
      message: 'Stemma made a mistake: BUG: the list is empty. Your files were left as they are; please report it.',
      detail: { problem: 'BUG: the list is empty' },
    });
  });

  it('survives what is thrown without being an error', async () => {
    for (const thing of [undefined, null, 7, 'text', { code: 'EIO' }]) {
      expect(
        await toReply(() => {
          throw thing;
        }),
      ).toMatchObject({ ok: false, code: 'bug' });
    }
  });
});

describe('a failure in JSON', () => {
  it('lists what could have been meant', async () => {
    const fault = new Fault('revision-ambiguous', { path: 'a.md', revision: '12', candidates: 'rev1:12a, rev1:12b' });
    const reply = await toReply((): never => {
      throw fault;
    });
    const failure = failureOf(reply);
    expect(failure).toEqual({ error: { code: 'revision-ambiguous', message: fault.message, candidates: ['rev1:12a', 'rev1:12b'] } });
    expect(outputs.failure.parse(failure)).toEqual(failure);
  });

  it('has no list when nothing else could have been', async () => {
    const reply = await toReply((): never => {
      throw new Fault('git-busy', {});
    });
    expect(failureOf(reply).error).not.toHaveProperty('candidates');
  });
});
