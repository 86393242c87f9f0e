import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Core } from '#core';
import { realDisk } from '#core/storage/disk';
import { Fault, type Outputs } from '#protocol';
import { createTrackingPlace, type Place } from '../../helpers/workspace.ts';

interface Target {
  kind: string;
  qualified_name?: string;
  line_start?: number;
  line_end?: number;
}
interface Vector {
  id: string;
  file: string;
  before: Record<string, string>;
  after: Record<string, string>;
  anchor: Target;
  /** What we call it, where the reference calls it otherwise. */
  anchor_target?: Target;
  expect: Record<string, unknown>;
  accept_reasons?: string[];
}
const vectors: Vector[] = JSON.parse(readFileSync('test/vectors/code-anchors.json', 'utf8'));
const those = (wants: (vector: Vector) => boolean) => vectors.filter(wants).map((vector) => [vector.id, vector] as const);

async function prepared({ before }: Vector): Promise<[Place, Core]> {
  const place = createTrackingPlace();
  place.write('about.md', '# About the code\n');
  for (const [path, text] of Object.entries(before)) place.write(path, text);
  // Nothing here is about power cuts, and a flush takes longer than a check.
  return [place, await place.open({ disk: { ...realDisk, fsyncSync() {}, fdatasyncSync() {}, flush: async () => {} } })];
}

function added(core: Core, { file, anchor, anchor_target = anchor }: Vector) {
  const { kind, qualified_name: name = '', line_start = 0, line_end = 0 } = anchor_target;
  const target =
    kind === 'lines'
      ? { kind: 'lines' as const, lines: { start: line_start, end: line_end } }
      : { kind: 'declaration' as const, name, declared: kind };
  return core.anchors.add({ document: 'about.md', section: [], repository: null, file, target, by: { type: 'external', id: 'a test' } });
}

async function checkedAfter(place: Place, core: Core, { before, after }: Vector): Promise<Outputs['anchors-check']> {
  for (const path of Object.keys(before)) if (!Object.hasOwn(after, path)) place.remove(path);
  for (const [path, text] of Object.entries(after)) place.write(path, text);
  return core.anchors.check({ document: null, observe: true });
}

it('there are all 103 of them', () => {
  expect(vectors).toHaveLength(103);
});

describe('an anchor, after the code changed', () => {
  it.each(those((vector) => 'state' in vector.expect))('%s', async (_, vector) => {
    const [place, core] = await prepared(vector);
    const { id } = await added(core, vector);
    const check = await checkedAfter(place, core, vector);
    const { state, reason, unchecked = false, ...places } = vector.expect;
    const [anchor] = check.anchors;
    expect(anchor).toMatchObject({ id, state, detail: places });
    expect([reason, ...(vector.accept_reasons ?? [])]).toContain(anchor?.detail.reason);
    expect(check.unchecked_anchor_ids).toEqual(unchecked ? [id] : []);
    expect(check.complete).toBe(!unchecked);
  });
});

describe('an anchor that does not resolve', () => {
  const codes: Record<string, string> = { no_such_declaration: 'no-such-declaration', range: 'range-invalid' };

  it.each(those((vector) => vector.expect.creation === 'refused'))('%s', async (_, vector) => {
    const [place, core] = await prepared(vector);
    const refused = await added(core, vector).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Fault);
    expect((refused as Fault).code).toBe(codes[vector.expect.error as string]);
    expect(place.lines()).toEqual([]);
  });
});

describe('the declarations of a file', () => {
  it.each(those((vector) => 'declarations_equal' in vector.expect || 'declarations_include' in vector.expect))('%s', async (_, vector) => {
    const [, core] = await prepared(vector);
    const { declarations } = await core.anchors.declarations(vector.file, null);
    const names = declarations.map(({ kind, qualified_name }) => `${kind} ${qualified_name}`);
    const { declarations_equal: all, declarations_include: some } = vector.expect;
    if (all !== undefined) expect(names).toEqual(all);
    else expect(names).toEqual(expect.arrayContaining(some as string[]));
  });
});
