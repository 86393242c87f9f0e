// TypeScript sources for bench/declarations.ts: node gen-code.mjs --out FOLDER [--files 2000] [--bytes 30000000] [--seed 1]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { out: { type: 'string' }, files: { type: 'string' }, bytes: { type: 'string' }, seed: { type: 'string' } },
});
const files = Number(values.files ?? 2000);
const bytes = Number(values.bytes ?? 30_000_000);
let state = Number(values.seed ?? 1);

/** A whole number below `limit`, the same in every run. */
function below(limit) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const pick = (list) => list[below(list.length)];
const words = 'row code parcel ledger grams total index value next node scope path entry state option result buffer range token depth'.split(' ');
const name = () => `${pick(words)}${pick(words).replace(/^./u, (letter) => letter.toUpperCase())}${below(90)}`;
const many = (least, most, make, joint) => Array.from({ length: least + below(most - least + 1) }, make).join(joint);
const types = ['string', 'number', 'boolean', 'readonly string[]', 'Map<string, number>', "'open' | 'held'", 'Promise<void>'];

function expression(depth = 0) {
  if (depth > 2) return pick([name(), String(below(1000)), `'${pick(words)}'`, 'this.rows', 'undefined']);
  const deeper = () => expression(depth + 1);
  return pick([
    () => `${name()}(${many(0, 3, deeper, ', ')})`,
    () => `${deeper()} ${pick(['+', '-', '*', '===', '<', '&&', '??'])} ${deeper()}`,
    () => `this.${name()}.${pick(['get', 'map', 'filter'])}((${name()}) => ${deeper()})`,
    () => `{ ${many(1, 3, () => `${name()}: ${deeper()}`, ', ')} }`.replace(/^/u, '(').replace(/$/u, ')'),
    () => `[${many(1, 4, deeper, ', ')}]`,
    () => `\`${pick(words)} \${${deeper()}} ${pick(words)}\``,
    () => deeper(),
  ])();
}

function statement(indent, depth = 0) {
  const inner = `${indent}  `;
  if (depth > 2 || below(10) < 6)
    return `${indent}${pick([() => `const ${name()} = ${expression()};`, () => `${name()} += ${expression()};`, () => `return ${expression()};`])()}`;
  const block = () => many(1, 4, () => statement(inner, depth + 1), '\n');
  return pick([
    () => `${indent}if (${expression()}) {\n${block()}\n${indent}} else {\n${block()}\n${indent}}`,
    () => `${indent}for (const ${name()} of ${expression()}) {\n${block()}\n${indent}}`,
    () => `${indent}// ${many(4, 12, () => pick(words), ' ')}\n${indent}try {\n${block()}\n${indent}} catch {\n${block()}\n${indent}}`,
  ])();
}

const parameters = () => many(0, 4, () => `${name()}: ${pick(types)}`, ', ');
const body = (indent) => many(2, 6, () => statement(indent), '\n');
const comment = (indent) => `${indent}/** ${many(6, 20, () => pick(words), ' ')}. */\n`;
const members = [
  () => `  private readonly ${name()}: ${pick(types)} = ${expression()};`,
  () => `${comment('  ')}  ${pick(['', 'async ', 'static '])}${name()}(${parameters()}): ${pick(types)} {\n${body('    ')}\n  }`,
  () => `${comment('  ')}  ${name()}(${parameters()}) {\n${body('    ')}\n  }`,
];
const declarations = [
  () => `${comment('')}export function ${name()}(${parameters()}): ${pick(types)} {\n${body('  ')}\n}`,
  () => `export const ${name()} = (${parameters()}) => {\n${body('  ')}\n};`,
  () => `${comment('')}export class C${name()} extends Base {\n${many(2, 6, () => pick(members)(), '\n\n')}\n}`,
  () => `export interface I${name()} {\n${many(2, 8, () => `  ${name()}: ${pick(types)};`, '\n')}\n}`,
  () => `export type T${name()} = ${many(2, 5, () => pick(types), ' | ')};`,
  () => `const ${name()} = {\n${many(2, 6, () => `  ${name()}: ${expression()},`, '\n')}\n};`,
];

let written = 0;
for (let at = 0; at < files; at++) {
  const size = bytes / files;
  let text = `import { Base } from './base';\n`;
  const wanted = size * (0.5 + below(100) / 100);
  for (;;) {
    const next = `\n${pick(declarations)()}\n`;
    if (text.length + next.length / 2 > wanted) break;
    text += next;
  }
  const file = join(values.out, `part${at % 40}`, `${name()}-${at}.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  written += text.length;
}
console.log(JSON.stringify({ files, bytes: written }));
