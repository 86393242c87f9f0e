import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findPandoc, makeDocx } from '#core/export/pandoc';
import { temporaryFolder } from '../../helpers/temporary.ts';

const page = '<!DOCTYPE html><title>t</title><p>words src="x" <img src="data:image/png;base64,AA==" alt=""></p>';

/** A program that writes down what it was told, and does what `act` says. */
function standIn(act = 'process.stdout.write(Buffer.from([80, 75, 3, 4, 0, 255]))') {
  const folder = temporaryFolder();
  const told = join(folder, 'told.json');
  const program = join(folder, 'bin', 'pandoc');
  mkdirSync(join(folder, 'bin'));
  const lines = [
    `#!${process.execPath}`,
    "if (process.argv[2] === '--version') { console.log('pandoc 3.1.9\\nFeatures: none'); process.exit(0); }",
    "const input = require('node:fs').readFileSync(0, 'utf8');",
    `require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify({ argv: process.argv.slice(2), cwd: process.cwd(), input }));`,
    act,
  ];
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  const env = { PATH: join(folder, 'bin'), HOME: folder };
  return { folder, env, told: () => JSON.parse(readFileSync(told, 'utf8')) as { argv: string[]; cwd: string; input: string } };
}

describe('Pandoc', () => {
  beforeEach((context) =>
    context.skip(process.platform === 'win32', 'the stand-in for Pandoc is a script with a first line that this system does not read'),
  );

  it('is found in the absolute places of the path, with its version, and not in the folder that one stands in', async () => {
    const { env, folder } = standIn();
    expect(await findPandoc({ env, elsewhere: [] })).toEqual({ kind: 'found', version: '3.1.9' });
    for (const path of ['', '.', 'bin', join(folder, 'none')])
      expect(await findPandoc({ env: { ...env, PATH: path }, elsewhere: [] }), path).toEqual({ kind: 'none' });
    expect(await findPandoc({ env: { ...env, PATH: '' }, elsewhere: [join(folder, 'bin')] })).toMatchObject({ kind: 'found' });
  });

  it('is given the page as input and four words, by no shell', async () => {
    const { env, told, folder } = standIn();
    const made = await makeDocx(`${page}<p>$(touch ${folder}/no) ; \`x\`</p>`, { env, elsewhere: [] });
    expect(made).toEqual({ kind: 'made', bytes: Buffer.from([80, 75, 3, 4, 0, 255]).toString('base64') });
    expect(told().argv).toEqual(['--from=html+epub_html_exts', '--to=docx', '--standalone', '--output=-']);
    expect(told().input).toContain('$(touch');
    expect(told().cwd).not.toBe(process.cwd());
  });

  it('is given no page that would have it fetch something', async () => {
    const { env, told } = standIn();
    for (const bad of ['<img alt="" src="/etc/passwd">', "<img src='https://example.org/x.png'>", '<object data=file:///x>'])
      expect(await makeDocx(page + bad, { env, elsewhere: [] }), bad).toEqual({ kind: 'failed', why: 'outward', said: '' });
    expect(told).toThrow();
  });

  it('says itself why it could not, and is stopped when it takes too long', async () => {
    const refusing = standIn("console.error('Could not find data file'); process.exit(97)");
    expect(await makeDocx(page, { env: refusing.env, elsewhere: [] })).toEqual({
      kind: 'failed',
      why: 'refused',
      said: 'Could not find data file',
    });
    const slow = standIn('setInterval(() => {}, 1000)');
    expect(await makeDocx(page, { env: slow.env, elsewhere: [], timeoutMs: 500 })).toMatchObject({ kind: 'failed', why: 'slow' });
    expect(await makeDocx(page, { env: { PATH: '' }, elsewhere: [] })).toEqual({ kind: 'none' });
  });
});
