import { describe, expect, it } from 'vitest';
import { hitLimit, matchLimit } from '#core/workspace/agent-search';
import { createPlace, stamped } from '../../helpers/workspace.ts';

const id = '018f3c7a-9f2e-7cc1-b302-5e9d4a6b21c7';

describe('a search', () => {
  it('shows the first documents by path and says that there are more', async () => {
    const place = createPlace();
    const names = Array.from({ length: hitLimit + 5 }, (_, at) => `${String(at).padStart(3, '0')}.md`);
    for (const name of names) place.write(name, 'wind\n');
    const { answer, served } = await (await place.open()).agents.search('WIND', null);
    expect(answer.hits.map(({ path }) => path)).toEqual(names.slice(0, hitLimit));
    expect([answer.truncated, served.length]).toEqual([true, hitLimit]);
  });

  it('shows a few matches of a document, in its lines, and counts the rest', async () => {
    const place = createPlace();
    place.write('a.md', stamped(id, 'one\r\nWind\r\r\nwind wind\nÉole and e\u0301ole\n'));
    const core = await place.open();
    const [hit] = (await core.agents.search('wind', null)).answer.hits;
    expect(hit!.matches).toEqual([2, 4, 4].map((line) => ({ line, text: expect.stringMatching(/^wind/iu) })));
    expect([hit!.matches.length, hit!.more]).toEqual([matchLimit, 0]);
    const accents = (await core.agents.search('e\u0301ole', null)).answer.hits[0]!;
    expect(accents.matches).toEqual([1, 2].map(() => ({ line: 5, text: 'Éole and éole' })));
    expect((await core.agents.search(id, null)).answer.hits).toEqual([]);
  });

  it('shows the piece of a long line that matches, wherever in a long document', async () => {
    const place = createPlace();
    const line = `${'x'.repeat(500)} the wind ${'y'.repeat(500)}`;
    place.write('a.md', `${'short\n'.repeat(50_000)}${line}\n`);
    const [hit] = (await (await place.open()).agents.search('the wind', null)).answer.hits;
    const [match] = hit!.matches;
    expect(match!.line).toBe(50_001);
    expect(match!.text).toMatch(/^…x+ the wind y+…$/u);
    expect(match!.text.length).toBeLessThan(260);
  });

  it('takes a query as it is written', async () => {
    const place = createPlace();
    place.write('a.md', 'a.b* (c) [d] {e} ^f$ g|h \\i /j\n');
    const core = await place.open();
    for (const query of ['a.b*', '(c)', '[d]', '{e}', '^f$', 'g|h', '\\i', '/j'])
      expect((await core.agents.search(query, null)).answer.hits, query).toHaveLength(1);
    for (const query of ['a.b', '.*', 'g|z'])
      expect((await core.agents.search(query, null)).answer.hits.length, query).toBe(query === 'a.b' ? 1 : 0);
  });
});
