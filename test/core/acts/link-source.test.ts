import { describe, expect, it } from 'vitest';
import { createPlace } from '../../helpers/workspace';

async function linksIn(texts: Record<string, string | Buffer>, path: string) {
  const place = createPlace();
  for (const [name, text] of Object.entries(texts)) place.write(name, text as string);
  const core = await place.open();
  return core.acts.linksTo(path);
}

const brief = ({ links }: Awaited<ReturnType<typeof linksIn>>) => links.map(({ path, line, text }) => `${path}:${line} ${text}`);

describe('the links to a document', () => {
  it('are found however they are written, with the line that they stand in', async () => {
    const found = await linksIn(
      {
        'bible/elena.md': 'Elena, see [herself](elena.md) and [[elena]].\n',
        'a.md': '# A\r\n\r\nBefore [her](bible/elena.md#eyes) after.\r\n',
        'b.md': '[[Elena|she]] and ![[bible/elena]]\n\n[r]: /bible/elena.md\n',
        'bible/c.md': '[her](elena) <a href="./elena.md">x</a>\n',
        'd.md': '`[[elena]]`\n\n```\n[her](bible/elena.md)\n```\n\n[no](elena.md) [[elen]]\n',
      },
      'bible/elena.md',
    );
    expect(brief(found)).toEqual([
      'a.md:3 Before [her](bible/elena.md#eyes) after.',
      'b.md:1 [[Elena|she]] and ![[bible/elena]]',
      'b.md:1 [[Elena|she]] and ![[bible/elena]]',
      'b.md:3 [r]: /bible/elena.md',
      'bible/c.md:1 [her](elena) <a href="./elena.md">x</a>',
      'bible/c.md:1 [her](elena) <a href="./elena.md">x</a>',
    ]);
    expect(found.more).toBe(false);
  });

  it('lead to the file that is meant where several have the name', async () => {
    const texts = { 'a/x.md': '', 'b/x.md': '', 'a/1.md': '[[x]]\n', 'b/1.md': '[[x]]\n', '1.md': '[[b/x]]\n' };
    expect(brief(await linksIn(texts, 'b/x.md'))).toEqual(['1.md:1 [[b/x]]', 'b/1.md:1 [[x]]']);
  });

  it('are listed to a limit, and what cannot be read as text is left out', async () => {
    const found = await linksIn(
      { 'x.md': '', 'a.md': '[[x]] '.repeat(600), 'b.md': Buffer.from([0x5b, 0x5b, 0x78, 0x5d, 0x5d, 0xff]) },
      'x.md',
    );
    expect([found.links.length, found.more]).toEqual([500, true]);
    await expect(linksIn({ 'x.md': '' }, '../out.md')).rejects.toThrow();
  });
});

describe('the tags of a workspace', () => {
  it('are listed with their documents, the most used first', async () => {
    const place = createPlace();
    place.write('a.md', '#north and #South\n');
    place.write('b.md', '---\ntags: [north]\n---\n');
    place.write('c.txt', '#north\n');
    const core = await place.open();
    expect(await core.acts.tags()).toEqual([
      { tag: 'north', count: 2, paths: ['a.md', 'b.md'] },
      { tag: 'South', count: 1, paths: ['a.md'] },
    ]);
  });
});
