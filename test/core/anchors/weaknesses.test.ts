import { expect, it } from 'vitest';
import { pinIn, said, type Tree, verdictIn } from '../../helpers/code.ts';

/** What becomes of `demand` in `src/beds.ts`. */
async function became(before: Tree, after: Tree, name = 'function demand'): Promise<string> {
  return said(await verdictIn(await pinIn(before, 'src/beds.ts', name), after));
}

const demand = (name = 'demand', parameters = 'rows: number', factor = 3) =>
  `export function ${name}(${parameters}): number {\n  const base = rows * ${factor} + measure("north", 4);\n  return Math.max(base, measure("south", 5));\n}\n`;
const rest = 'export const other = 1;\n';

it('W14: a rename says whether parameters changed besides', async () => {
  expect(await became({ 'src/beds.ts': demand() }, { 'src/beds.ts': demand('thirst', 'rows: number, rain: number') })).toBe(
    'moved-renamed renamed src/beds.ts:thirst +signature',
  );
});

it('W18: a namesake that stood elsewhere all along is no successor, nor is one that is new there and unlike', async () => {
  const namesake = 'export function demand(queue: string[]) {\n  return queue.filter((one) => one !== "done").length + queue.length;\n}\n';
  const gone = { 'src/beds.ts': rest, 'src/shop.ts': namesake };
  expect(await became({ 'src/beds.ts': demand(), 'src/shop.ts': namesake }, gone)).toBe('lost declaration_missing');
  expect(await became({ 'src/beds.ts': demand() }, gone)).toBe('lost declaration_missing');
});

it('W19: of several that are new, the equal one is taken wherever its path sorts, and of two equals none', async () => {
  const before = { 'src/beds.ts': demand() };
  const [edited, equal] = [demand('demand', 'rows: number', 7), demand()];
  expect(await became(before, { 'src/beds.ts': rest, 'src/a.ts': edited, 'src/z.ts': equal })).toBe('moved-renamed moved src/z.ts:demand');
  expect(await became(before, { 'src/beds.ts': rest, 'src/a.ts': equal, 'src/z.ts': edited })).toBe('moved-renamed moved src/a.ts:demand');
  expect(await became(before, { 'src/beds.ts': rest, 'src/a.ts': equal, 'src/z.ts': equal })).toBe('lost ambiguous');
});

it('W20: its name in another file is it, though its own file has a new one with the same body', async () => {
  expect(await became({ 'src/beds.ts': demand() }, { 'src/beds.ts': demand('thirst'), 'src/plots.ts': demand() })).toBe(
    'moved-renamed moved src/plots.ts:demand',
  );
});

it('W22: a copy that was generated or vendored does not compete, and is taken where there is no other', async () => {
  const before = { 'src/beds.ts': demand() };
  const marked = `// @generated\n${demand()}`;
  for (const minor of ['dist/beds.ts', 'node_modules/beds/beds.ts', 'vendor/beds.ts'])
    expect(await became(before, { 'src/beds.ts': rest, [minor]: demand(), 'src/plots.ts': demand() }), minor).toBe(
      'moved-renamed moved src/plots.ts:demand',
    );
  expect(await became(before, { 'src/beds.ts': rest, 'src/a.ts': marked, 'src/plots.ts': demand() })).toBe(
    'moved-renamed moved src/plots.ts:demand',
  );
  expect(await became(before, { 'src/beds.ts': rest, 'src/a.ts': marked })).toBe('moved-renamed moved src/a.ts:demand');
});

it('W36: what a half-edited line cut off, or no longer exports, keeps its state; what is whole beside it counts', async () => {
  const before = { 'src/beds.ts': `${demand()}const rest = measure("east", 6);\nexport default rest;\n${demand('thirst')}` };
  const typed = (after: string) => ({ 'src/beds.ts': after });
  const cut = before['src/beds.ts'].replace('const base =', 'const base } =');
  expect(await became(before, typed(cut))).toBe('unchecked parse_error');
  expect(await became(before, typed(cut), 'function thirst')).toBe('fresh identity_matched src/beds.ts:thirst');
  const unexported = before['src/beds.ts'].replace('export default rest', 'export default = = ]');
  expect(await became(before, typed(unexported), 'const rest')).toBe('unchecked parse_error');
});
