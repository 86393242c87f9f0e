import { describe, expect, it } from 'vitest';
import { pinIn, said, type Tree, verdictIn } from '../../helpers/code.ts';

/** How a language writes a function in a file of its own, and what it calls it. */
interface Dialect {
  readonly extension: string;
  readonly kind: string;
  /** A function with two statements; `body` is what it multiplies by. */
  write(name: string, body: string, signature?: 'wide'): string;
  /** The same function as somebody else would lay it out, with a comment. */
  rewrite(name: string, body: string): string;
  /** What the function is called. */
  named(name: string): string;
}

const plain = (name: string) => name;
const curly = (head: string, lines: readonly string[], tail = '') =>
  `${head} {\n${lines.map((line) => `    ${line}\n`).join('')}}${tail}\n`;

const dialects: Record<string, Dialect> = {
  typescript: {
    extension: 'ts',
    kind: 'function',
    named: plain,
    write: (name, body, wide) =>
      curly(`export function ${name}(rows: number${wide ? ', rain: number' : ''}): number`, [
        `const base = rows * ${body};`,
        'return base + measure(base, rows);',
      ]),
    rewrite: (name, body) =>
      `// told\nexport function ${name}(\n  rows: number,\n): number {\n  const base = (rows * ${body})\n  return base + measure(\n    base, rows)\n}\n`,
  },
  tsx: {
    extension: 'tsx',
    kind: 'function',
    named: plain,
    write: (name, body, wide) =>
      curly(`export function ${name}({ rows }: Rows${wide ? ', rain: number' : ''})`, [
        `const base = rows * ${body};`,
        'return <b title="x">{measure(base, rows)}</b>;',
      ]),
    rewrite: (name, body) =>
      `/** told */\nexport function ${name}(\n  { rows }: Rows,\n) {\n  const base = rows * ${body}\n  return (\n    <b\n      title='x'\n    >\n      {measure(base, rows)}\n    </b>\n  )\n}\n`,
  },
  javascript: {
    extension: 'mjs',
    kind: 'function',
    named: plain,
    write: (name, body, wide) =>
      curly(`export function ${name}(rows${wide ? ', rain' : ''})`, [`const base = rows * ${body};`, "return base + measure('x', rows);"]),
    rewrite: (name, body) =>
      `export function ${name}(rows) {\n\t// told\n\tconst base = rows * ${body}\n\treturn base + measure("x", rows,)\n}\n`,
  },
  swift: {
    extension: 'swift',
    kind: 'func',
    named: (name) => `${name}(rows:)`,
    write: (name, body, wide) =>
      curly(`func ${name}(rows: Double${wide ? ' = 2' : ''}) -> Double`, [
        `let base = rows * ${body}`,
        'return base + measure(base, rows)',
      ]),
    rewrite: (name, body) =>
      `/// told\nfunc ${name}(\n    rows: Double\n) -> Double {\n    let base = rows * ${body} // told\n    return base + measure(\n        base,\n        rows)\n}\n`,
  },
  kotlin: {
    extension: 'kt',
    kind: 'fun',
    named: (name) => `${name}(rows)`,
    write: (name, body, wide) =>
      curly(`fun ${name}(rows: Int${wide ? ' = 2' : ''}): Int`, [`val base = rows * ${body}`, 'return base + measure(base, rows)']),
    rewrite: (name, body) =>
      `/** told */\nfun ${name}(\n    rows: Int,\n): Int {\n    val base = rows * ${body} // told\n    return base + measure(\n        base,\n        rows,\n    )\n}\n`,
  },
  python: {
    extension: 'py',
    kind: 'def',
    named: plain,
    write: (name, body, wide) =>
      `def ${name}(rows${wide ? ', rain' : ''}):\n    base = rows * ${body}\n    return base + measure("x", rows)\n`,
    rewrite: (name, body) =>
      `def ${name}(\n    rows,\n):\n    # told\n    base = rows * ${body}\n\n    return base + measure(\n        'x',\n        rows,\n    )\n`,
  },
  go: {
    extension: 'go',
    kind: 'func',
    named: plain,
    write: (name, body, wide) =>
      `package beds\n\n${curly(`func ${name}(rows int${wide ? ', rain int' : ''}) int`, [`base := rows * ${body}`, 'return base + measure(base, rows)'])}`,
    rewrite: (name, body) =>
      `package beds\n\n// told\nfunc ${name}(\n\trows int,\n) int {\n\tbase := rows * ${body} // told\n\n\treturn base + measure(\n\t\tbase,\n\t\trows,\n\t)\n}\n`,
  },
  rust: {
    extension: 'rs',
    kind: 'fn',
    named: plain,
    write: (name, body, wide) =>
      curly(`pub fn ${name}(rows: u32${wide ? ', rain: u32' : ''}) -> u32`, [`let base = rows * ${body};`, 'base + measure(base, rows)']),
    rewrite: (name, body) =>
      `/// told\npub fn ${name}(\n    rows: u32,\n) -> u32 {\n    let base = rows * ${body}; // told\n    base + measure(\n        base,\n        rows,\n    )\n}\n`,
  },
  java: {
    extension: 'java',
    kind: 'method',
    named: (name) => `Beds.${name}(int)`,
    write: (name, body, wide) =>
      curly('class Beds', [
        curly(`${wide ? 'static ' : ''}int ${name}(int rows)`, [`int base = rows * ${body};`, 'return base + measure(base, rows);']),
      ]),
    rewrite: (name, body) =>
      `class Beds {\n  /** told */\n  int ${name}(\n      int rows) {\n    // told\n    int base = rows * ${body};\n    return base + measure(\n        base, rows);\n  }\n}\n`,
  },
};

describe.each(Object.entries(dialects))('a function of %s', (_, { extension, kind, write, rewrite, named }) => {
  const [home, other] = [`src/beds.${extension}`, `src/garden/plots.${extension}`];
  const name = `${kind} ${named('demand')}`;
  const before: Tree = { [home]: write('demand', '45') };
  const empty = extension === 'go' ? 'package beds\n' : '';
  const became = async (tree: Tree, from: Tree = before) => said(await verdictIn(await pinIn(from, home, name), tree));

  it('that is laid out anew, with comments, is fresh', async () => {
    expect(await became({ [home]: rewrite('demand', '45') })).toBe(`fresh identity_matched ${home}:${named('demand')}`);
  });

  it('whose body changed is stale', async () => {
    expect(await became({ [home]: write('demand', '46') })).toBe(`stale body_changed ${home}:${named('demand')} +body`);
  });

  it('that is called otherwise is stale, and says so', async () => {
    expect(await became({ [home]: write('demand', '45', 'wide') })).toBe(`stale signature_changed ${home}:${named('demand')} +signature`);
  });

  it('that went to another file is moved, edited or not', async () => {
    expect(await became({ [home]: empty, [other]: write('demand', '45') })).toBe(`moved-renamed moved ${other}:${named('demand')}`);
    expect(await became({ [home]: empty, [other]: write('demand', '46') })).toBe(`moved-renamed moved ${other}:${named('demand')} +body`);
  });

  it('that got another name is renamed, here or elsewhere', async () => {
    expect(await became({ [home]: write('thirst', '45') })).toBe(`moved-renamed renamed ${home}:${named('thirst')}`);
    expect(await became({ [home]: empty, [other]: write('thirst', '45') })).toBe(
      `moved-renamed moved_and_renamed ${other}:${named('thirst')}`,
    );
  });

  it('that is gone is lost, whether or not its file is', async () => {
    expect(await became({ [home]: empty })).toBe('lost declaration_missing');
    expect(await became({})).toBe('lost file_missing');
  });

  it('whose twin stood there all along is not that twin', async () => {
    const twins: Tree = { [home]: write('demand', '45'), [other]: write('thirst', '45') };
    expect(await became({ [home]: empty, [other]: write('thirst', '45') }, twins)).toBe('lost declaration_missing');
    const namesakes: Tree = { [home]: write('demand', '45'), [other]: write('demand', '99') };
    expect(await became({ [home]: empty, [other]: write('demand', '99') }, namesakes)).toBe('lost declaration_missing');
  });

  it('that may have become either of two is lost', async () => {
    const two = { [other]: write('thirst', '45'), [`lib/plots.${extension}`]: write('thirst', '45') };
    expect(await became({ [home]: empty, ...two })).toBe('lost ambiguous');
  });
});
