import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainInk } from '#cli/ink';
import { fileLogLines, logLines } from '#cli/log';
import { momentOf } from '#cli/moment';
import { type Outputs, wordsFor } from '#protocol';
import { valid } from '../helpers/cli.ts';

const uuid = (digit: number) => `018f3c7a-9f2e-7cc1-b302-${String(digit).padStart(12, '0')}`;
const revision = (digit: string) => `rev1:${digit.repeat(64)}`;
const time = '2026-11-30T08:47:41.000Z';

type Entries = Outputs['log']['entries'];

const entry = (kind: string, body: unknown): Entries[number] => ({ id: uuid(90), idem: uuid(91), time, kind, writer: uuid(92), body });

const write = (agent: object, intent: object) => ({ outputs: [{ object: uuid(1), revision: revision('a') }], inputs: [], agent, intent });

const ledger: Outputs['log'] = {
  entries: [
    entry('object-registered', { object: uuid(1), path: 'draft.md' }),
    entry('object-registered', { object: uuid(1), path: 'chapters/01.md' }),
    entry(
      'transformation',
      write({ type: 'external', id: null }, { kind: 'observed-external-edit', summary: 'changed by another program' }),
    ),
    entry('transformation', write({ type: 'model', id: 'drafter' }, { kind: 'record', summary: 'first\ndraft' })),
    entry('waiver', { upstream_object: uuid(2), reason: 'meant so', actor: { type: 'human', id: 'Ana' } }),
    entry('checkpoint-of-the-future', { what: 'ever' }),
  ],
};

const history: Outputs['log-file'] = {
  object: uuid(1),
  path: 'chapters/01.md',
  heads: [revision('b'), revision('c')],
  revisions: [
    {
      revision: revision('a'),
      label: 'v1',
      time,
      agent: { type: 'human', id: 'Ana' },
      intent: { kind: 'editor-save', summary: 'saved' },
      confidence: 'exact',
      parents: [],
      inputs: [],
    },
    {
      revision: revision('b'),
      label: 'v2',
      time,
      agent: { type: 'model', id: 'drafter' },
      intent: { kind: 'record', summary: 'second draft' },
      confidence: 'inferred',
      parents: [revision('a')],
      inputs: [
        { object: uuid(3), path: 'bible/elena.md', revision: revision('d'), role: 'direct' },
        { object: uuid(4), path: null, revision: revision('e'), role: 'contextual' },
      ],
    },
  ],
};

describe('the log for people', () => {
  it('has one line for each entry, by the last name of its document', () => {
    valid('log', ledger);
    expect(`\n${logLines(ledger, wordsFor('en'), plainInk, 'UTC').join('\n')}\n`).toMatchInlineSnapshot(`
      "
      2026-11-30 08:47  registered                              chapters/01.md
      2026-11-30 08:47  registered                              chapters/01.md
      2026-11-30 08:47  write                                   chapters/01.md                        changed outside
      2026-11-30 08:47  write                                   chapters/01.md                        recorded by a script: first draft, a model (drafter)
      2026-11-30 08:47  waived                                  018f3c7a-9f2e-7cc1-b302-000000000002  meant so, a person (Ana)
      2026-11-30 08:47  other entry (checkpoint-of-the-future)
      "
    `);
    expect(`\n${logLines(ledger, wordsFor('es'), plainInk, 'UTC').join('\n')}\n`).toMatchInlineSnapshot(`
      "
      2026-11-30 08:47  alta                                     chapters/01.md
      2026-11-30 08:47  alta                                     chapters/01.md
      2026-11-30 08:47  escritura                                chapters/01.md                        modificado desde fuera
      2026-11-30 08:47  escritura                                chapters/01.md                        registrado por un programa: first draft, un modelo (drafter)
      2026-11-30 08:47  exención                                 018f3c7a-9f2e-7cc1-b302-000000000002  meant so, una persona (Ana)
      2026-11-30 08:47  otro asiento (checkpoint-of-the-future)
      "
    `);
  });

  it('says when there is nothing', () => {
    expect(logLines({ entries: [] }, wordsFor('en'), plainInk)).toEqual(['The ledger is empty.']);
  });

  it('has one safe line for an entry of any body', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (kind, body) => {
        const lines = logLines({ entries: [entry(kind, body), entry('transformation', body)] }, wordsFor('en'), plainInk);
        expect(lines).toHaveLength(2);
        expect(lines.join('')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('the history of a document', () => {
  it('has its revisions newest last, each with author and sources, and says that there are several heads', () => {
    valid('log-file', history);
    const lines = fileLogLines(history, ({ path }) => (path === null ? null : 'v7'), wordsFor('en'), plainInk, 'UTC');
    expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      v1  2026-11-30 08:47  a person (Ana)     exact     saved in the editor
      v2  2026-11-30 08:47  a model (drafter)  inferred  recorded by a script: second draft
            rests on   bible/elena.md                        v7
            was shown  018f3c7a-9f2e-7cc1-b302-000000000004  rev1:eeeeeeee

      2 current versions.
      "
    `);
  });
});

describe('a moment', () => {
  it('is shown to the minute in the zone that is asked for, and anything else as it came', () => {
    expect(momentOf(time, 'UTC')).toBe('2026-11-30 08:47');
    expect(momentOf(time, 'America/Mexico_City')).toBe('2026-11-30 02:47');
    expect(momentOf('2026-11-30T23:59:59.999+00:00', 'Asia/Tokyo')).toBe('2026-12-01 08:59');
    expect(momentOf('never')).toBe('never');
  });
});
