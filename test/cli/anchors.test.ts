import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace, type Place, type Stemma, stemmaIn, valid } from '../helpers/cli.ts';
import { createRepository, gitEnvironment } from '../helpers/repository.ts';

const code = (extra = '') => `import { extname } from 'node:path';

/** The language of a path. */
export function languageForPath(path: string): string | null {
  const extension = extname(path).slice(1).toLowerCase();
${extra}  return languages.get(extension) ?? null;
}

export const isKnown = (path: string): boolean => {
  const language = languageForPath(path);
  return language !== null && language !== 'none';
};

export class Registry {
  private readonly rows = new Map<string, number>();

  enter(name: string, version: number): void {
    const before = this.rows.get(name) ?? 0;
    this.rows.set(name, Math.max(before, version));
  }
}
`;
const three = [
  ['function', 'languageForPath'],
  ['const', 'isKnown'],
  ['method', 'Registry.enter'],
] as const;

function write({ folder }: Place, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A workspace with one document that describes three things of one file. */
function anchored(place: Place): { stemma: Stemma; ids: string[] } {
  const stemma = stemmaIn(place, gitEnvironment as Record<string, string>);
  write(place, 'docs/anchors.md', '# Anchors\n\n## The ladder\n\nLooks for code.\n');
  write(place, 'src/languages.ts', code());
  stemma.json('init', 'init');
  const ids = three.map(([kind, symbol]) => {
    const args = ['add', 'docs/anchors.md', '--kind', kind, '--symbol', symbol, '--file', 'src/languages.ts', '--section', 'The ladder'];
    return stemma.json('anchors-add', 'anchors', ...args).id;
  });
  return { stemma, ids };
}

describe('the demonstration', () => {
  it('one commit adds a line to one of three: fresh, stale, fresh', () => {
    const repository = createRepository();
    const place = { ...createPlace(), folder: repository.folder };
    const { stemma, ids } = anchored(place);
    repository.commit('describe the code');
    const before = stemma.json('anchors-check', 'anchors', 'check');
    expect(before).toMatchObject({ complete: true, unchecked_anchor_ids: [], fallback_share: { total: 3, fallback: 0, share: 0 } });
    expect(before.anchors.map(({ state }) => state)).toEqual(['fresh', 'fresh', 'fresh']);

    const edited = code("  if (extension === '') return null;\n");
    repository.write('src/languages.ts', edited);
    repository.commit('no extension, no language');
    const answer = stemma.json('anchors-check', 'anchors', 'check');
    expect(answer).toEqual({
      complete: true,
      budget: { files_read: 1, bytes_read: Buffer.byteLength(edited), elapsed_ms: expect.any(Number), limit: null },
      anchors: [expect.anything(), expect.anything(), expect.anything()],
      unchecked_anchor_ids: [],
      fallback_share: { total: 3, fallback: 0, share: 0 },
      retired: [],
    });
    const { anchors } = answer;
    const shown = Object.fromEntries(anchors.map((anchor) => [anchor.qualified_name, anchor]));
    expect(three.map(([, name]) => shown[name]?.state)).toEqual(['stale', 'fresh', 'fresh']);
    expect(shown.languageForPath).toEqual({
      id: ids[0],
      document: { object: expect.any(String), path: 'docs/anchors.md', section: ['The ladder'] },
      repository: null,
      language: 'typescript',
      kind: 'function',
      qualified_name: 'languageForPath',
      file_hint: 'src/languages.ts',
      fallback: false,
      state: 'stale',
      detail: {
        reason: 'body_changed',
        file: 'src/languages.ts',
        line_start: 4,
        line_end: 8,
        body_changed: true,
        signature_changed: false,
        expected_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        actual_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(stemma('anchors', 'check').stdout).toContain(
      'docs/anchors.md § The ladder describes function languageForPath: code changed. The declaration is still there, but its body changed.\n',
    );
    expect(repository.git('status', '--porcelain', '--', 'src', 'docs')).toBe('');
  });

  it('is cleared by a confirmation and by nothing else', () => {
    const place = createPlace();
    const { stemma, ids } = anchored(place);
    write(place, 'src/languages.ts', code("  if (extension === '') return null;\n"));
    const stateNow = () => stemma.json('anchors-check', 'anchors', 'check').anchors.find(({ id }) => id === ids[0])!;
    const seen = stateNow();
    write(place, 'src/languages.ts', code());
    expect(stateNow()).toMatchObject({ state: 'stale', detail: { reason: 'reverted' } });
    write(place, 'src/languages.ts', code("  if (extension === '') return null;\n"));

    // What was seen last is the text that was reverted.
    const unseen = stemma('anchors', 'confirm', ids[0]!, '--json');
    expect([unseen.code, valid('failure', unseen.json()).error.code]).toEqual([1, 'anchor-moved']);
    const hash = seen.detail.actual_hash!;
    const confirmed = stemma.json('anchors-confirm', 'anchors', 'confirm', ids[0]!, '--hash-seen', hash, '--actor', 'ci', '--note', 'read');
    expect(confirmed).toMatchObject({ id: ids[0], changed: true, from: 'stale', state: 'fresh' });
    expect(stateNow().state).toBe('fresh');
    const { entries } = stemma.json('log', 'log');
    const [confirmation] = entries.filter(({ kind }) => kind === 'code-anchor-confirmation');
    expect(confirmation?.body).toMatchObject({ from: 'stale', hash_seen: hash, note: 'read', actor: { type: 'external', id: 'ci' } });
    expect(stemma.json('verify', 'verify').ok).toBe(true);
  });
});

describe('an anchor that does not resolve', () => {
  it('is refused with the nearest names, and nothing is written', () => {
    const place = createPlace();
    const stemma = stemmaIn(place);
    write(place, 'a.md', '# A\n\n## One\n');
    write(place, 'b.kt', 'fun demand(rows: Int, rain: Double): Double {\n    return rows * rain\n}\n');
    stemma.json('init', 'init');
    const refused = (...args: string[]) => {
      const { code: exit, json } = stemma('anchors', 'add', 'a.md', '--file', 'b.kt', ...args, '--json');
      const { error } = valid('failure', json());
      return [exit, error.code, ...(error.candidates ?? [])];
    };
    expect(refused('--symbol', 'demnd')).toEqual([1, 'no-such-declaration', 'fun demand(rows, rain)']);
    expect(refused('--symbol', 'demand(rows, rain)', '--kind', 'class')).toEqual([1, 'no-such-declaration', 'fun demand(rows, rain)']);
    expect(refused('--lines', '2-9')).toEqual([1, 'range-invalid']);
    expect(refused('--symbol', 'demand(rows, rain)', '--section', 'Two')).toEqual([1, 'section-unknown']);
    expect(stemma.json('status', 'status')).toMatchObject({ initialized: false });
  });

  it('is refused without provenance, without a file, and without knowing the language', () => {
    const place = createPlace();
    const stemma = stemmaIn(place);
    write(place, 'a.md', '# A\n');
    write(place, 'b.yml', 'a: 1\n');
    const codeOf = (...args: string[]) => {
      const { code: exit, json } = stemma('anchors', 'add', 'a.md', ...args, '--json');
      return [exit, valid('failure', json()).error.code];
    };
    expect(codeOf('--file', 'b.yml', '--lines', '1')).toEqual([3, 'no-workspace-record']);
    stemma.json('init', 'init');
    expect(codeOf('--file', 'b.yml', '--symbol', 'a')).toEqual([1, 'language-unknown']);
    expect(codeOf('--file', 'gone.ts', '--symbol', 'a')).toEqual([3, 'file-missing']);
    expect(codeOf('--file', '../b.ts', '--symbol', 'a')).toEqual([3, 'outside-workspace']);
    expect(codeOf('--file', 'b.yml')).toEqual([2, 'usage']);
    expect(codeOf('--file', 'b.yml', '--lines', '3-x')).toEqual([2, 'usage']);
    expect(stemma('anchors', 'mend', '--json').code).toBe(2);
    expect(stemma('anchors', 'check', '--symbol', 'a', '--json').code).toBe(2);
  });
});

describe('a check for CI', () => {
  it('counts code anchors, names them in SARIF, and writes nothing', () => {
    const place = createPlace();
    const { stemma, ids } = anchored(place);
    expect(stemma('check').code).toBe(0);
    const before = stemma.json('log', 'log').entries.length;
    write(place, 'src/languages.ts', code("  if (extension === '') return null;\n"));
    const failed = stemma('check', '--json');
    expect(failed.code).toBe(1);
    const output = valid('check', failed.json());
    expect(output).toMatchObject({ ok: false, complete: true, failing: { stale: 1 }, breakdown: { counts: { stale: 1, lost: 0 } } });
    expect(output.breakdown.codeAnchors).toHaveLength(3);
    const sarif = stemma('check', '--sarif').json() as { runs: { results: Record<string, unknown>[] }[] };
    // Behind the lines that hold the document's id.
    const headingLine = readFileSync(join(place.folder, 'docs/anchors.md'), 'utf8').split('\n').indexOf('## The ladder') + 1;
    expect(headingLine).toBeGreaterThan(3);
    expect(sarif.runs[0]!.results).toMatchObject([
      {
        ruleId: 'stale',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'docs/anchors.md' }, region: { startLine: headingLine } } }],
        relatedLocations: [{ physicalLocation: { artifactLocation: { uri: 'src/languages.ts' }, region: { startLine: 4, endLine: 8 } } }],
        partialFingerprints: { 'stemma/v1': ids[0] },
      },
    ]);
    expect(stemma('check', '--fail-on', 'lost').code).toBe(0);
    expect(stemma.json('breakdown', 'breakdown').counts.stale).toBe(1);
    expect(stemma('breakdown').stdout).toBe(
      'docs/anchors.md § The ladder describes function languageForPath: code changed. The declaration is still there, but its body changed.\n\n1 anchor needs a look at its code.\n',
    );
    expect(stemma.json('log', 'log').entries).toHaveLength(before);
  });
});

it('a partial check says so on paper, in JSON and by its exit code', () => {
  const place = createPlace();
  const { stemma } = anchored(place);
  write(place, 'src/other.ts', 'export const other = () => ["something", "else", 1, 2, 3];\n');
  stemma.json('anchors-add', 'anchors', 'add', 'docs/anchors.md', '--symbol', 'other', '--file', 'src/other.ts');
  writeFileSync(join(place.home, 'settings.json'), JSON.stringify({ app: { 'anchors.files': 1 } }));
  const partial = stemma('anchors', 'check', '--json');
  expect(partial.code).toBe(3);
  expect(valid('anchors-check', partial.json())).toMatchObject({ complete: false, budget: { limit: 'files' } });
  const page = stemma('anchors', 'check');
  expect(page.code).toBe(3);
  expect(page.stdout).toContain('not checked, last seen as up to date. The limit of this check was reached before.');
  expect(page.stdout).toMatch(/^4 code anchors, 3 as they were\.$/mu);
  const note = '1 anchor was not checked: it looks at no more files.';
  expect(page.stderr).toContain(note);
  const ci = stemma('check');
  expect([ci.code, ci.stdout]).toEqual([3, '']);
  expect(ci.stderr).toContain(note);
});

it('an anchor is listed, bound anew and removed', () => {
  const place = createPlace();
  const { stemma, ids } = anchored(place);
  expect(
    stemma
      .json('anchors-list', 'anchors', 'list', 'docs/anchors.md')
      .anchors.map(({ id }) => id)
      .sort(),
  ).toEqual(ids.toSorted());
  const twice = stemma('anchors', 'add', 'docs/anchors.md', '--symbol', 'isKnown', '--file', 'src/languages.ts', '--section', 'The ladder');
  expect(twice.code).toBe(1);
  const bound = stemma.json('anchors-confirm', 'anchors', 'rebind', ids[0]!, '--file', 'src/languages.ts', '--lines', '1-2');
  expect(bound).toMatchObject({ id: ids[0], changed: true, detail: { line_start: 1, line_end: 2 } });
  expect(stemma.json('anchors-check', 'anchors', 'check').fallback_share).toEqual({ total: 3, fallback: 1, share: 0.3333 });
  expect(stemma.json('anchors-remove', 'anchors', 'remove', ids[0]!)).toEqual({ id: ids[0], removed: true });
  expect(stemma('anchors', 'remove', ids[0]!, '--json').code).toBe(3);
  expect(stemma.json('anchors-list', 'anchors', 'list').anchors).toHaveLength(2);
});
