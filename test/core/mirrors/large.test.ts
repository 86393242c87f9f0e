import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { codeOf } from '../../helpers/fault.ts';
import { add, mirrored, rows } from '../../helpers/mirrored.ts';
import { createRepository, gitEnvironment } from '../../helpers/repository.ts';

it('reads no more of a large repository than its budget, and says so', async () => {
  const upstream = createRepository();
  const hugeBytes = 200_000_000;
  const many = Array.from({ length: 100_000 }, (_, at) => at);
  const stream = [
    `blob\nmark :1\ndata ${Buffer.byteLength(rows)}\n${rows}`,
    'blob\nmark :2\ndata 9\nexport {}',
    'commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx',
    'M 100644 :1 src/rows.ts',
    'M 100644 :3 src/huge.ts',
    ...many.map((at) => `M 100644 :2 lib/${at % 500}/${at}.ts`),
    '',
  ].join('\n');
  const importing = (input: string | Buffer) =>
    execFileSync('git', ['fast-import', '--quiet'], { cwd: upstream.folder, env: gitEnvironment, input });
  // One file of 200 MB, and 100,000 that say nothing.
  importing(
    Buffer.concat([
      Buffer.from(`blob\nmark :3\ndata ${hugeBytes}\n`),
      Buffer.alloc(hugeBytes, 'a'),
      Buffer.from('\n'),
      Buffer.from(stream),
    ]),
  );
  const { core, place, fetch } = await mirrored(upstream);
  await fetch();
  await add(core, 'src/rows.ts');
  expect((await core.anchors.check({ document: null, observe: false })).complete).toBe(true);
  expect(await codeOf(add(core, 'src/huge.ts', 'huge'))).toBe('file-too-large');
  importing('commit refs/heads/main\ncommitter A <a@example.org> 1700000001 +0000\ndata 1\ny\nfrom refs/heads/main^0\nD src/rows.ts\n');
  place.write('.vmark/repositories.json', JSON.stringify([{ name: 'engine', path: upstream.folder, ref: 'main' }]));
  await core.anchors.repositories.confirm('engine');
  const { budget, complete, unchecked_anchor_ids } = await core.anchors.check({ document: null, observe: false });
  expect([budget.limit, complete, unchecked_anchor_ids.length]).toEqual(['repository_files', false, 1]);
  expect(budget.files_read).toBeLessThanOrEqual(4_000);
});
