import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { codeOf } from '../../helpers/fault.ts';
import { add, mirrored, rows } from '../../helpers/mirrored.ts';
import { createFolder, createRepository, gitEnvironment } from '../../helpers/repository.ts';

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

// 60 s is what ClewWiki gives every git, 10 s what ours gives one that works on this machine (W38).
it('waits for a server that says nothing for longer than a minute, and takes what it sends then', async () => {
  const upstream = createRepository();
  upstream.write('src/rows.ts', rows);
  upstream.commit('one');
  let held = 0;
  const silent = 62_000;
  const { core } = await mirrored(upstream, {
    answering(request, response, serve) {
      if (!request.url?.includes('git-upload-pack') || held++ > 0) return false;
      setTimeout(() => serve(request, response), silent);
      return true;
    },
  });
  const start = performance.now();
  const { signal } = new AbortController();
  const { commit } = await core.anchors.repositories.fetch('engine', { signal, progress() {} });
  expect(performance.now() - start).toBeGreaterThanOrEqual(silent);
  expect(commit).toBe(upstream.git('rev-parse', 'HEAD').trim());
});

it('reads many files with few programs', async () => {
  const upstream = createRepository();
  upstream.write('src/rows.ts', rows);
  for (let at = 0; at < 400; at++) upstream.write(`lib/${at}.ts`, `export const limit${at} = [${at}, 1, 2, 3];\n`);
  upstream.commit('one');
  const folder = createFolder();
  const log = join(folder, 'started');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$*" >>'${log}'\nPATH='${process.env.PATH}' exec git "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  const { core, fetch, publish } = await mirrored(upstream, { env: { PATH: `${folder}${delimiter}${process.env.PATH}` } });
  await fetch();
  await add(core, 'src/rows.ts');
  upstream.git('rm', '--quiet', 'src/rows.ts');
  for (let at = 0; at < 400; at++) upstream.write(`lib/${at}.ts`, `export const limit${at} = [${at}, 1, 2, 4];\n`);
  upstream.commit('two');
  publish();
  await fetch();
  writeFileSync(log, '');
  const { anchors, budget } = await core.anchors.check({ document: null, observe: false });
  expect(anchors.map(({ state }) => state)).toEqual(['lost']);
  expect(budget.files_read).toBe(400);
  const started = readFileSync(log, 'utf8').trimEnd().split('\n');
  expect(started.filter((words) => words.includes('cat-file')).length).toBeGreaterThan(0);
  expect(started.length).toBeLessThan(400 / 4);
});
