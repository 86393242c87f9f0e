import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { digest } from '#core/digest';
import type { Bodies, KnownKind } from '#kernel/body';
import { type Draft, entryLine } from '#kernel/entry';
import { contentHash, type RevisionId, revisionId } from '#kernel/revision';
import { namedUuid } from '../../helpers/history';
import { createRepository } from '../../helpers/repository';
import { createTrackingPlace, entriesOf, inputOf, type Place, savingFrom, savingOf } from '../../helpers/workspace';

const ledgerOf = (place: Place) => join(place.folder, '.vmark', 'ledger');
const elsewhere = 'from-elsewhere.jsonl';
const id = namedUuid('planted');
const nowhere = `rev1:${'0'.repeat(64)}` as RevisionId;

/** A ledger with two documents, one resting on the other, a decision and a check about it, and an index. */
async function createStory(place = createTrackingPlace()) {
  const core = await place.open();
  await core.save(savingOf(place, 'source.md', 'one\n'));
  await core.save(savingFrom(place, 'a.md', 'from one\n', [await inputOf(core, 'source.md')]));
  await core.save(savingOf(place, 'source.md', place.text('source.md').replace('one', 'two')));
  await core.rebuild();
  const [, made] = entriesOf(place, 'transformation');
  const input = made!.body.inputs[0]!;
  const now = (await inputOf(core, 'source.md')).revision;
  return { place, core, edge: { txf: made!.id, input: 0 }, input, now, object: input.object };
}
type Story = Awaited<ReturnType<typeof createStory>>;

/** A line of another installation; what it says is checked by nobody. */
function lineOf<K extends KnownKind>(kind: K, body: Bodies[K], name = 'planted'): string {
  const draft = {
    id: namedUuid(name),
    kind,
    time: '2030-01-01T00:00:00.000Z',
    writer: namedUuid('w'),
    idem: namedUuid(`${name} idem`),
    body,
  };
  return entryLine(draft as Draft);
}

const add = (place: Place, ...lines: string[]) => appendFileSync(join(ledgerOf(place), elsewhere), lines.join(''));
const plant = <K extends KnownKind>({ place }: Story, kind: K, body: Bodies[K], name?: string) => add(place, lineOf(kind, body, name));

const by = {
  agent: { type: 'human', id: null },
  intent: { kind: 'editor-save', summary: '', prompt_hash: null },
  confidence: 'exact',
} as const;
const writing = (object: Story['object'], revision: RevisionId, parents: readonly RevisionId[], content = snapshotted) => ({
  inputs: [],
  outputs: [{ object, revision, content_hash: content, parents }],
  ...by,
});
/** The text of a snapshot that the story has. */
const snapshotted = contentHash(digest, 'one\n');
const person = { type: 'human', id: 'Ana' } as const;
const resolution = ({ edge, input, now }: Story) => ({
  edge,
  upstream_object: input.object,
  pinned: input.revision,
  resolved_against: now,
  actor: person,
  reason: 'because',
  expires: null,
  delegation: null,
});
const check = ({ edge, input, now }: Story): Bodies['check-result'] => ({
  edge,
  pinned: input.revision,
  checked_against: now,
  verdict: 'no-contradiction',
  model: 'm',
  prompt_version: 'check-v1',
  evidence: [],
  confidence: 1,
  context: null,
  claims_fingerprint: null,
  downgraded: null,
});
const manifest = (name: string, other: object = {}) => JSON.stringify({ format: 0, id: namedUuid(name), name, parent: null, ...other });
const noEdge = { txf: namedUuid('nowhere'), input: 0 };
const claim = {
  claim: namedUuid('claim'),
  statement: 's',
  valid_at: null,
  invalid_at: null,
  established_by: [],
  supersedes: null,
} as const;
const snapshotOf = (place: Place, hash: string) => join(place.folder, '.vmark/snapshots/sha256', hash.slice(7, 9), hash.slice(9));
const segmentOf = (place: Place) => readdirSync(ledgerOf(place)).find((name) => name.endsWith('.jsonl') && name !== elsewhere)!;

/** Where a damage is, once it is done. */
const at = (_done: unknown, where: string) => [where];

interface Damage {
  /** Answers where the problems are, when that is not the planted entry. */
  readonly plant: (story: Story) => unknown;
  readonly codes: readonly string[];
}

const damages: Readonly<Record<string, Damage>> = {
  'a line that is no entry': { plant: ({ place }) => at(add(place, 'no JSON\n'), `${elsewhere}:1`), codes: ['line-malformed'] },
  'a line that is cut': {
    plant: ({ place }) => at(add(place, lineOf('diagnostic', { code: 'c', message: 'm', path: null }).slice(0, 90)), elsewhere),
    codes: ['line-torn'],
  },
  'an envelope without a time': {
    plant: ({ place }) => at(add(place, `${place.lines()[0]!.replace('"time"', '"when"')}\n`), `${elsewhere}:1`),
    codes: ['line-malformed'],
  },
  'a known kind with a body that is none': {
    plant: ({ place, edge }) => at(add(place, lineOf('flag-judgment', { edge, judgment: 'so-so' as 'noise', note: '' })), `${elsewhere}:1`),
    codes: ['line-malformed'],
  },
  'an entry of a newer format': {
    plant: ({ place }) => at(add(place, '\n', `${place.lines()[0]!.replace('"format":0', '"format":2')}\n`), `${elsewhere}:2`),
    codes: ['future-format'],
  },
  'a revision that does not follow from its content': {
    plant: (story) => plant(story, 'transformation', writing(story.object, nowhere, [])),
    codes: ['revision-mismatch'],
  },
  'a parent that is nowhere': {
    plant: (story) => plant(story, 'transformation', writing(story.object, revisionId(digest, snapshotted, [nowhere]), [nowhere])),
    codes: ['parent-missing'],
  },
  'revisions in a circle': {
    plant: (story) => {
      const [one, two] = [nowhere, nowhere.replace('0', '1') as RevisionId];
      plant(story, 'transformation', writing(story.object, one, [two]));
      plant(story, 'transformation', writing(story.object, two, [one]), 'second');
      return [id, namedUuid('second'), id].sort();
    },
    codes: ['parents-circle', 'revision-mismatch', 'revision-mismatch'],
  },
  'an input that is nowhere': {
    plant: (story) => {
      const input = { object: story.object, revision: nowhere, role: 'contextual', kind: 'dependency' } as const;
      const object = entriesOf(story.place, 'transformation')[1]!.body.outputs[0]!.object;
      plant(story, 'transformation', { ...writing(object, revisionId(digest, snapshotted, []), []), inputs: [input] });
    },
    codes: ['input-missing'],
  },
  'a decision about an edge that is nowhere': {
    plant: (story) => plant(story, 'waiver', { ...resolution(story), edge: noEdge }),
    codes: ['edge-missing'],
  },
  'a decision about an input that the entry does not have': {
    plant: (story) => plant(story, 'ratification', { ...resolution(story), edge: { ...story.edge, input: 1 } }),
    codes: ['edge-missing'],
  },
  'a check of an edge that is nowhere': {
    plant: (story) => plant(story, 'check-result', { ...check(story), edge: noEdge }),
    codes: ['edge-missing'],
  },
  'a judgment of an edge that is nowhere': {
    plant: (story) => plant(story, 'flag-judgment', { edge: noEdge, judgment: 'noise', note: '' }),
    codes: ['edge-missing'],
  },
  'an anchor of an edge that is nowhere': {
    plant: (story) => plant(story, 'edge-anchor', { edge: noEdge, headings: [], anchored_hash: null }),
    codes: ['edge-missing'],
  },
  'a decision with another pin than its edge': {
    plant: (story) => plant(story, 'ratification', { ...resolution(story), pinned: story.now }),
    codes: ['edge-mismatch'],
  },
  'a decision against a revision that is nowhere': {
    plant: (story) => plant(story, 'ratification', { ...resolution(story), resolved_against: nowhere }),
    codes: ['against-missing'],
  },
  'a check against a revision that is nowhere': {
    plant: (story) => plant(story, 'check-result', { ...check(story), checked_against: nowhere }),
    codes: ['against-missing'],
  },
  'a decision of an agent under a grant that is nowhere': {
    plant: (story) =>
      plant(story, 'ratification', { ...resolution(story), actor: { type: 'agent', id: 'a' }, delegation: namedUuid('grant') }),
    codes: ['grant-missing'],
  },
  'a finished document that is nowhere': {
    plant: (story) => plant(story, 'object-lifecycle', { object: namedUuid('gone'), state: 'frozen', reason: '' }),
    codes: ['object-missing'],
  },
  'a document derived from one that is nowhere': {
    plant: (story) =>
      plant(story, 'object-registered', { object: story.object, path: 'source.md', schema: null, derived_from: [namedUuid('gone')] }),
    codes: ['object-missing'],
  },
  'a document without a place': {
    plant: (story) => {
      plant(story, 'transformation', writing(namedUuid('unplaced'), revisionId(digest, snapshotted, []), []));
      return [namedUuid('unplaced')];
    },
    codes: ['registration-missing'],
  },
  'a claim that rests on a revision that is nowhere': {
    plant: (story) =>
      plant(story, 'claim', { ...claim, established_by: [{ object: story.object, revision: nowhere }], maturity: 'draft', actor: person }),
    codes: ['input-missing'],
  },
  'a claim in place of one that is nowhere': {
    plant: (story) => plant(story, 'claim', { ...claim, supersedes: namedUuid('gone'), maturity: 'draft', actor: person }),
    codes: ['superseded-missing'],
  },
  'two entries with one id': {
    plant: ({ place }) => {
      const [one, two] = ['one', 'two'].map((code) => lineOf('diagnostic', { code, message: 'm', path: null }));
      add(place, one!, two!.replace(namedUuid('planted idem'), namedUuid('another idem')));
    },
    codes: ['entry-id-repeated'],
  },
  'a snapshot that is gone': {
    plant: ({ place }) => at(unlinkSync(snapshotOf(place, snapshotted)), snapshotted),
    codes: ['snapshot-missing'],
  },
  'a snapshot that was changed': {
    plant: ({ place }) => at(writeFileSync(snapshotOf(place, snapshotted), 'two\n'), snapshotted),
    codes: ['snapshot-damaged'],
  },
  'a context manifest that is no JSON': {
    plant: ({ place }) => at(place.write('.vmark/contexts/draft.json', '{'), 'contexts/draft.json'),
    codes: ['context-unreadable'],
  },
  'a default context without an id': {
    plant: ({ place }) => at(place.write('.vmark/contexts/default.json', '{"format":0,"name":"default"}'), 'contexts/default.json'),
    codes: ['context-unreadable'],
  },
  'contexts that are each other’s parents': {
    plant: ({ place }) => {
      place.write('.vmark/contexts/one.json', manifest('one', { parent: namedUuid('two') }));
      place.write('.vmark/contexts/two.json', manifest('two', { parent: namedUuid('one') }));
      return ['contexts/one.json', 'contexts/two.json'];
    },
    codes: ['context-cycle', 'context-cycle'],
  },
  'a context whose parent is nowhere': {
    plant: ({ place }) => at(place.write('.vmark/contexts/one.json', manifest('one', { parent: namedUuid('gone') })), 'contexts/one.json'),
    codes: ['context-parent-unknown'],
  },
  'a context that selects a revision that is nowhere': {
    plant: ({ place, object }) =>
      at(place.write('.vmark/contexts/one.json', manifest('one', { selections: { [object]: nowhere } })), 'contexts/one.json'),
    codes: ['context-selection-missing'],
  },
  'a context that selects what is no revision': {
    plant: ({ place, object }) =>
      at(place.write('.vmark/contexts/one.json', manifest('one', { selections: { [object]: 'newest' } })), 'contexts/one.json'),
    codes: ['context-selection-invalid'],
  },
  'two contexts with one id': {
    plant: ({ place }) => {
      place.write('.vmark/contexts/one.json', manifest('one'));
      return at(place.write('.vmark/contexts/two.json', manifest('one').replace('"one"', '"two"')), 'contexts/one.json');
    },
    codes: ['context-duplicate-id'],
  },
  'a segment that was written over with less': {
    plant: ({ place }) => {
      const lines = readFileSync(join(ledgerOf(place), segmentOf(place)), 'utf8').split('\n');
      writeFileSync(join(ledgerOf(place), segmentOf(place)), `${lines.slice(0, 4).join('\n')}\n`);
      return [segmentOf(place)];
    },
    codes: ['lines-lost'],
  },
  'an index that says something else': {
    plant: ({ place }) => {
      const file = join(place.folder, '.vmark', 'index.db');
      // Behind a page of 4096 bytes stand the parts, then where the one stands that names the others, and the CRC of all of it: here it is right.
      const bytes = readFileSync(file);
      const end = bytes.length - 24;
      const { parts } = JSON.parse(bytes.toString('utf8', 4096 + bytes.readDoubleLE(end), end)) as {
        parts: Record<string, [number, number]>;
      };
      bytes.fill(1, 4096 + parts.entryTime![0], 4096 + parts.entryTime![0] + 2);
      bytes.writeDoubleLE(crc32(bytes.subarray(4096, end + 16)), end + 16);
      writeFileSync(file, bytes);
      return [file];
    },
    codes: ['index-differs'],
  },
};

const verified = (core: Core) => core.verify({ restoreLines: false });

describe('verify', () => {
  it('finds nothing in a ledger that is whole', async () => {
    const story = await createStory();
    plant(story, 'ratification', resolution(story));
    plant(story, 'check-result', check(story), 'check');
    story.place.write('.vmark/contexts/draft.json', manifest('draft', { selections: { [story.object]: story.now } }));
    const answer = await verified(story.core);
    expect(answer).toMatchObject({ ok: true, problems: [], snapshots: { present: 3, missing: 0, damaged: 0 }, future: 0, quarantined: [] });
    expect(answer).not.toHaveProperty('orphans');
  });

  it.each(Object.entries(damages))('finds %s, says where, and finds nothing else', async (_, { plant: damage, codes }) => {
    const story = await createStory();
    const wheres = ((await damage(story)) as string[] | undefined) ?? [id];
    const before = story.place.tree();
    const { ok, problems } = await verified(story.core);
    expect(problems.map(({ code }) => code).sort()).toEqual(codes);
    expect(problems.map(({ where }) => where).sort()).toEqual(wheres);
    expect(ok).toBe(false);
    for (const { message } of problems) expect(message).toMatch(/ .*\.$/u);
    expect(story.place.tree()).toEqual(before);
  });

  it('says which snapshots no entry names, and that this is no damage', async () => {
    const { place, core } = await createStory();
    const orphan = contentHash(digest, 'nobody names me\n');
    mkdirSync(join(snapshotOf(place, orphan), '..'), { recursive: true });
    writeFileSync(snapshotOf(place, orphan), 'nobody names me\n');
    place.write('.vmark/snapshots/sha256/README', 'not one');
    expect(await verified(core)).toMatchObject({ ok: true, problems: [], orphans: [orphan] });
  });

  it('takes an index that is out of date, damaged or another program’s for none', async () => {
    const { place, core } = await createStory();
    await core.save(savingOf(place, 'new.md', 'new\n'));
    expect(await verified(core)).toMatchObject({ ok: true });
    place.write('.vmark/index.db', 'no database');
    expect(await verified(core)).toMatchObject({ ok: true });
  });
});

describe('lines that git ate', () => {
  it('are counted by segment with the command that brings them back, and come back as they were', async () => {
    const { folder, git, commit } = createRepository();
    const { place, core } = await createStory(createTrackingPlace(folder));
    commit('all of it');
    await core.save(savingOf(place, 'b.md', 'b\n'));
    await core.save(savingOf(place, 'c.md', 'c\n'));
    const before = place.lines().sort();
    await core.close();
    git('clean', '--quiet', '--force', '-d', '--', '.vmark/ledger');
    const later = await place.open();
    const { problems } = await verified(later);
    expect(problems).toMatchObject([
      { code: 'lines-lost', detail: { count: 4 }, message: expect.stringContaining('stemma verify --restore-lines') },
    ]);
    expect(existsSync(join(ledgerOf(place), problems[0]!.where!))).toBe(false);
    const kept = place.segments();
    expect((await later.verify({ restoreLines: true })).restored).toBe(4);
    expect(place.lines().sort()).toEqual(before);
    for (const [name, bytes] of kept) expect(place.segments().get(name)).toEqual(bytes);
    expect(await later.verify({ restoreLines: true })).toMatchObject({ ok: true, restored: 0 });
    expect((await later.logFile('c.md')).revisions).toHaveLength(1);
  });

  it('and were brought back are not said to be lost on a branch that does not have them', async () => {
    const { folder, git, commit } = createRepository();
    const { place, core } = await createStory(createTrackingPlace(folder));
    commit('all of it');
    await core.save(savingOf(place, 'b.md', 'b\n'));
    rmSync(
      join(
        ledgerOf(place),
        readdirSync(ledgerOf(place)).find((name) => name.endsWith('.jsonl') && git('ls-files', '--', `.vmark/ledger/${name}`) === '')!,
      ),
    );
    git('switch', '--quiet', '--create', 'side');
    expect((await core.verify({ restoreLines: true })).restored).toBe(2);
    commit('with the lines');
    git('switch', '--quiet', 'main');
    expect(await verified(core)).toMatchObject({ ok: true });
  });

  it('do not come into a ledger that holds a newer format', async () => {
    const { place, core } = await createStory();
    const [first, ...rest] = place.lines();
    writeFileSync(join(ledgerOf(place), segmentOf(place)), `${rest.join('\n')}\n`);
    add(place, `${first!.replace('"format":0', '"format":2')}\n`);
    await expect(core.verify({ restoreLines: true })).rejects.toMatchObject({ code: 'ledger-from-the-future' });
  });
});
