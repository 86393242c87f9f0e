import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { breakdownLines, hasRows } from '#cli/breakdown-page';
import type { Row } from '#cli/breakdown-row';
import { colouredInk } from '#cli/ink';
import { momentOf } from '#cli/moment';
import { type Outputs, wordsFor } from '#protocol';
import { valid } from '../helpers/cli.ts';

type Breakdown = Outputs['breakdown'];
type EdgeRow = Extract<Row, { edge: object }>;

const uuid = (digit: number) => `018f3c7a-9f2e-7cc1-b302-${String(digit).padStart(12, '0')}`;
const revision = (digit: string, label: string | null) => ({ revision: `rev1:${digit.repeat(64)}`, label });

const row: EdgeRow = {
  edge: { txf: uuid(90), input: 0 },
  source: { object: uuid(1), path: 'bible/elena.md' },
  pinned: revision('a', 'v2'),
  current: revision('b', 'v4'),
  state: 'version-stale',
  silenced: null,
  section: null,
  check: null,
  waiver: null,
  provenance: 'exact',
  resolutions: 0,
  judgment: null,
  actions: { accept: true, revise: true, waive: true },
};
const aside = { edge: null, source: null, section: null, check: null, waiver: null, provenance: null, judgment: null } as const;
const waiver = { reason: 'The scar is\nmeant to be missing.', by: 'Ana', at: '2026-11-30T08:47:00.000Z', expires: null };

const empty: Breakdown = {
  format: 1,
  context: { id: uuid(0), name: 'default', enforcement: 'greenhouse' },
  scan: { complete: true, documents: 5, external: 1, navigations: 0, absent: 0, diagnostics: [] },
  artifacts: [],
  silenced: [],
  sourceGone: [],
  provenanceUnknown: [],
  finished: [],
  codeAnchors: [],
  pairs: [],
  counts: {
    'version-stale': 0,
    diverged: 0,
    'diverged-multi-head': 0,
    waived: 0,
    unpinnable: 0,
    'anchor-lost': 0,
    'parallel-versions': 0,
    'finished-changed': 0,
    silenced: 0,
    stale: 0,
    'moved-renamed': 0,
    lost: 0,
    'pair-ahead': 0,
  },
};

const full: Breakdown = {
  ...empty,
  artifacts: [
    {
      object: uuid(2),
      path: 'chapters/01.md',
      lifecycle: 'live',
      rows: [
        row,
        {
          ...row,
          source: { object: uuid(3), path: 'bible/tom.md' },
          section: { path: ['Backstory', 'The war'], status: 'changed' },
          provenance: 'inferred',
          resolutions: 3,
          check: { verdict: 'contradicted', confidence: 0.97, evidence: [{ path: 'bible/tom.md', quote: 'Tom never\nfought.' }] },
        },
        { ...row, source: { object: uuid(4), path: 'style.md' }, state: 'waived', waiver },
        { ...row, source: { object: uuid(5), path: 'world.md' }, state: 'diverged-multi-head', current: null },
      ],
    },
    {
      object: uuid(6),
      path: 'chapters/02.md',
      lifecycle: 'finished',
      rows: [
        { ...row, ...aside, state: 'finished-changed' },
        {
          ...row,
          ...aside,
          state: 'parallel-versions',
          pinned: null,
          current: null,
          heads: [
            { revision: `rev1:${'c'.repeat(64)}`, label: 'v3' },
            { revision: `rev1:${'d'.repeat(64)}`, label: 'v3' },
          ],
        },
      ],
    },
  ],
  silenced: [
    { ...row, silenced: 'same-text', artifact: { object: uuid(2), path: 'chapters/01.md' } },
    { ...row, silenced: 'document-finished', artifact: { object: uuid(6), path: 'chapters/02.md' } },
    { ...row, silenced: 'same-text', artifact: { object: uuid(7), path: 'chapters/03.md' } },
  ],
  sourceGone: [{ ...row, source: { object: uuid(8), path: 'old.md' }, artifact: { object: uuid(2), path: 'chapters/01.md' } }],
  provenanceUnknown: [{ object: uuid(9), path: 'notes.md' }],
  finished: [{ object: uuid(8), path: 'printed.md' }],
  counts: {
    ...empty.counts,
    'version-stale': 2,
    waived: 1,
    'diverged-multi-head': 1,
    'finished-changed': 1,
    'parallel-versions': 1,
    silenced: 3,
  },
};

// Times are shown in the zone of the machine.
const page = (output: Breakdown, locale = 'en') =>
  `\n${breakdownLines(output, wordsFor(locale)).join('\n')}\n`.replace(momentOf(waiver.at), 'THEN');

describe('a breakdown for people', () => {
  it('shown here is one that the schema allows', () => {
    expect(valid('breakdown', full)).toBe(full);
  });

  it('says of a row what an agent decided, and what became of its section', () => {
    const carried = { path: ['Voice'], status: 'changed' as const, carried: true as const };
    const delegated = { by: 'codex', grant: uuid(9), at: waiver.at };
    const rows = [
      { ...row, section: carried, delegated, resolutions: 1 },
      { ...row, notCarried: { path: ['Voice'], reason: 'not-found' as const } },
    ];
    const shown = page({ ...empty, artifacts: [{ object: uuid(2), path: 'a.md', lifecycle: 'live', rows }] });
    expect(shown).toContain('section carried over · resolved 1 time · decided by an agent');
    expect(shown).toMatch(/changed \(version-stale\) +section not carried over/u);
  });

  it('is grouped by document, with one set of columns, in English', () => {
    expect(page(full)).toMatchInlineSnapshot(`
      "
      chapters/01.md
        bible/elena.md                         v2 → v4  changed (version-stale)
        bible/tom.md    § Backstory › The war  v2 → v4  section changed (version-stale)         contradicted · inferred · resolved 3 times
            “Tom never fought.” (bible/tom.md)
        style.md                               v2 → v4  waived
            You accepted the difference: The scar is meant to be missing. (Ana, THEN).
        world.md                               v2 → ?   several versions (diverged-multi-head)

      chapters/02.md
        This document is finished.
        changed after it was finished (finished-changed)  v2 → v4
        several versions (parallel-versions)  v3 rev1:cccccccc, v3 rev1:dddddddd

      No questions about these: 3  (same text 2, document finished 1)
      Source no longer here: 1  (old.md)
      Provenance unknown: 1  (notes.md)

      3 pins have been passed by their sources.
      "
    `);
  });

  it('says the same in Spanish', () => {
    expect(page(full, 'es')).toMatchInlineSnapshot(`
      "
      chapters/01.md
        bible/elena.md                         v2 → v4  modificada (version-stale)
        bible/tom.md    § Backstory › The war  v2 → v4  sección anclada modificada (version-stale)  contradicha · inferida · resuelto 3 veces
            “Tom never fought.” (bible/tom.md)
        style.md                               v2 → v4  eximida (waived)
            Aceptaste la diferencia: The scar is meant to be missing. (Ana, THEN).
        world.md                               v2 → ?   varias versiones (diverged-multi-head)

      chapters/02.md
        Este documento está terminado.
        modificado después de terminarse (finished-changed)  v2 → v4
        varias versiones (parallel-versions)  v3 rev1:cccccccc, v3 rev1:dddddddd

      Sin preguntas sobre esto: 3  (mismo texto 2, documento terminado 1)
      La fuente ya no está: 1  (old.md)
      Procedencia desconocida: 1  (notes.md)

      3 versiones fijadas han quedado atrás respecto a sus fuentes.
      "
    `);
  });

  it('says that nothing is stale, and which context it looks through', () => {
    expect(hasRows(empty)).toBe(false);
    expect(page({ ...empty, context: { ...empty.context, name: 'canon' } })).toMatchInlineSnapshot(`
      "
      Seen through the context canon.

      Nothing is stale.
      "
    `);
  });

  it('does not say that nothing is stale where code was not checked', () => {
    const detail = { reason: 'unreadable', file: 'a.ts', expected_hash: `sha256:${'a'.repeat(64)}` } as const;
    const document = { object: uuid(2), path: 'a.md', section: [] };
    const code = { id: uuid(3), document, repository: null, language: 'typescript', kind: 'function', qualified_name: 'one' } as const;
    const anchor = { ...code, file_hint: 'a.ts', fallback: false, state: 'fresh', detail } as Breakdown['codeAnchors'][number];
    const [said] = breakdownLines({ ...empty, codeAnchors: [anchor] }, wordsFor('en'));
    expect(said).toMatch(/^a\.md describes function one: not checked, last seen as up to date\./u);
    expect(page({ ...empty, codeAnchors: [anchor] })).not.toContain('Nothing is stale');
  });

  it('says that the files were not looked at', () => {
    expect(page({ ...empty, scan: { ...empty.scan, complete: false, reason: 'not-scanned' } })).toMatchInlineSnapshot(`
      "
      As recorded; the files were not looked at.

      Nothing is stale.
      "
    `);
  });

  it('names a revision without a label by the first digits of its id', () => {
    const [artifact] = full.artifacts;
    const rows = [{ ...row, pinned: revision('e', null) }];
    expect(page({ ...empty, artifacts: [{ ...artifact!, rows }] })).toContain('rev1:eeeeeeee → v4');
  });

  it('names at most five documents of a folded group', () => {
    const provenanceUnknown = Array.from({ length: 7 }, (_, at) => ({ object: uuid(at), path: `${at}.md` }));
    expect(page({ ...empty, provenanceUnknown })).toContain('Provenance unknown: 7  (0.md, 1.md, 2.md, 3.md, 4.md, …)');
  });

  it('has colours that carry nothing alone', () => {
    const coloured = breakdownLines(full, wordsFor('en'), colouredInk).map((line) => stripVTControlCharacters(line).trimEnd());
    expect(coloured).toEqual(breakdownLines(full, wordsFor('en')));
  });

  it('lets no name, reason or quotation act on a terminal', () => {
    const bad = 'x\u001b]0;owned\u0007\u202e\n';
    const rows: Row[] = [
      {
        ...row,
        source: { object: uuid(1), path: bad },
        section: { path: [bad], status: 'changed' },
        waiver: { ...waiver, reason: bad, by: bad, at: bad },
        check: { verdict: 'unchecked', confidence: null, evidence: [{ path: bad, quote: bad }] },
      },
    ];
    const document = { object: uuid(2), path: bad };
    const output: Breakdown = {
      ...empty,
      context: { ...empty.context, name: bad },
      artifacts: [{ ...document, lifecycle: 'live', rows }],
      sourceGone: [{ ...row, source: document, artifact: document }],
      provenanceUnknown: [document],
    };
    for (const line of breakdownLines(output, wordsFor('en'))) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});
