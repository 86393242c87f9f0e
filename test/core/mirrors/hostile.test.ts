import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeOf } from '../../helpers/fault.ts';
import { add, mirrored, rows } from '../../helpers/mirrored.ts';
import { createFolder, createRepository, gitEnvironment } from '../../helpers/repository.ts';

it('runs no hook, filter or attribute of a repository that it mirrors, and follows no link, submodule or pointer out of it', async () => {
  const canary = join(createFolder(), 'ran');
  const secret = join(createFolder(), 'secret.ts');
  writeFileSync(secret, rows);
  const upstream = createRepository();
  upstream.write('src/rows.ts', rows);
  upstream.write('src/[x] (y)/é ".ts', rows.replaceAll('readRows', 'readOdd'));
  upstream.write('.gitattributes', '* filter=evil diff=evil merge=evil\n*.ts text eol=crlf\n');
  upstream.write('.gitmodules', `[submodule "x"]\n\tpath = sub\n\turl = ext::sh -c "touch% ${canary}"\n\tupdate = !touch ${canary}\n`);
  upstream.write('.lfsconfig', '[lfs]\n\turl = https://127.0.0.1:9/\n');
  const oid = 'a'.repeat(64);
  upstream.write('src/big.ts', `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`);
  upstream.write('src/binary.ts', '\0\u0001\u0002');
  writeFileSync(join(upstream.folder, 'src/latin.ts'), Buffer.from('export function caf\xe9() { return 1 + 2 + 3 + 4; }\n', 'latin1'));
  execFileSync('ln', ['-s', secret, join(upstream.folder, 'src/link.ts')]);
  execFileSync('ln', ['-s', '.', join(upstream.folder, 'loop')]);
  upstream.commit('one');
  const commit = upstream.git('rev-parse', 'HEAD').trim();
  upstream.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
  // Names that are no UTF-8 can only be put into the index by their bytes.
  const blob = upstream.git('rev-parse', 'HEAD:src/rows.ts').trim();
  const entry = Buffer.concat([Buffer.from(`100644 ${blob}\tsrc/`), Buffer.from([0xff, 0xfe]), Buffer.from('.ts\0')]);
  execFileSync('git', ['update-index', '-z', '--index-info'], { cwd: upstream.folder, env: gitEnvironment, input: entry });
  upstream.git('commit', '--quiet', '--message', 'two');
  const { core, place, fetch } = await mirrored(upstream);
  await fetch();
  const mirrors = join(place.home, 'mirrors');
  const [mirror] = readdirSync(mirrors);
  const hooks = join(mirrors, mirror!, 'hooks');
  expect(existsSync(hooks)).toBe(false);
  mkdirSync(hooks);
  for (const hook of ['post-fetch', 'reference-transaction', 'post-checkout', 'pre-auto-gc', 'fsmonitor-watchman'])
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  await fetch();
  await add(core, 'src/rows.ts');
  await add(core, 'src/[x] (y)/é ".ts', 'readOdd');
  expect(await codeOf(add(core, 'src/link.ts'))).toBe('file-missing');
  expect(await codeOf(add(core, 'loop/src/rows.ts'))).toBe('file-missing');
  expect(await codeOf(add(core, 'sub'))).toBe('file-missing');
  for (const file of ['src/big.ts', 'src/latin.ts']) expect(await codeOf(add(core, file)), file).toBe('file-unreadable');
  expect(await codeOf(add(core, 'src/binary.ts'))).toBe('no-such-declaration');
  for (const file of ['../secret.ts', '/etc/passwd', 'src/../../x.ts', 'a\0b', 'a\nb']) {
    expect(await codeOf(add(core, file))).toBe('outside-workspace');
  }
  const { anchors, complete } = await core.anchors.check({ document: null, observe: false });
  expect([complete, anchors.map(({ state }) => state)]).toEqual([true, ['fresh', 'fresh']]);
  expect((await core.anchors.files('engine')).files).toContain('src/rows.ts');
  expect(existsSync(canary)).toBe(false);
  expect(existsSync(join(place.home, 'mirrors', mirror!, 'src'))).toBe(false);
});

it('does not say that code is gone where some of it stands elsewhere as a pointer', async () => {
  const upstream = createRepository();
  upstream.write('src/rows.ts', rows);
  upstream.commit('one');
  const { core, fetch } = await mirrored(upstream);
  await fetch();
  await add(core, 'src/rows.ts');
  const local = createRepository();
  local.write('rows.ts', `version https://git-lfs.github.com/spec/v1\noid sha256:${'b'.repeat(64)}\nsize 99\n`);
  await core.anchors.repositories.link({ name: 'engine', path: local.folder, url: null, ref: null, tokenEnv: null });
  await core.anchors.repositories.confirm('engine');
  const { unchecked_anchor_ids, anchors } = await core.anchors.check({ document: null, observe: false });
  expect([unchecked_anchor_ids.length, anchors.map(({ state }) => state)]).toEqual([1, ['fresh']]);
});
