import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && !/^(?:test|resources)\//u.test(page) && existsSync(join(root, page)));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const textOf = (page: string) => readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gmu, '');
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, what]) => what!);
const anchorsOf = (page: string) =>
  found(textOf(page), /^#+ (.*)$/gmu).map((words) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('a page of the documentation', () => {
  it('is one of many', () => expect(pages.length).toBeGreaterThan(30));

  it.each(pages)('%s links to what is there, and names files and commands that are there', (page) => {
    const text = textOf(page);
    const links = found(text.replace(/`[^`\n]*`/gu, ''), /\]\(([^)\s]+)\)/gu).filter((link) => !/^[a-z]+:/u.test(link));
    const isThere = (link: string) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
    };
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    const files = found(text, /`((?:src|test|e2e|bench|scripts|docs|tools|resources|grammars)\/[\w./-]+\.\w+)`/gu);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(found(text, /npm run ([\w:-]*\w)/gu).filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
