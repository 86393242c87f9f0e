import { expect, it } from 'vitest';
import { parseDeclarations } from '#core/grammars/parse';
import type { Declaration, ParsedFile } from '#kernel/declaration';

/** What a change did to a declaration. */
export type Effect = 'nothing' | 'body' | 'signature' | 'visibility' | 'body and signature' | 'gone';

/** One change of a source and what it does: what happened, to which `kind qualified.name`, before, after, and the effect. */
export type Change =
  | readonly [what: string, of: string, before: string, after: string, effect: Effect]
  | readonly [what: string, of: string, before: string, after: string, effect: Effect, now: string];

/** What a text declares, read as a file of this name. */
export async function parseText(path: string, text: string): Promise<ParsedFile> {
  const parsed = await parseDeclarations(new TextEncoder().encode(text), path);
  if (parsed === null) throw new RangeError(`${path} cannot be read.`);
  return parsed;
}

/** Kinds and qualified names, in order. */
export const namesIn = ({ declarations }: ParsedFile): string[] =>
  declarations.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`);

/** The declaration with this `kind qualified.name`. */
export function declarationIn(parsed: ParsedFile, name: string): Declaration | undefined {
  return parsed.declarations.find(({ kind, qualifiedName }) => `${kind} ${qualifiedName}` === name);
}

function effectOf(before: Declaration, after: Declaration | undefined): Effect {
  if (!after) return 'gone';
  const isBody = before.bodyHash !== after.bodyHash;
  const isShape = before.shapeHash !== after.shapeHash;
  if (isBody) return isShape || before.signatureHash !== after.signatureHash ? 'body and signature' : 'body';
  if (isShape) return 'signature';
  return before.signatureHash === after.signatureHash ? 'nothing' : 'visibility';
}

/** One test for each change. */
export function testChanges(path: string, changes: readonly Change[]): void {
  it.each(changes.map((change) => [...change] as const))('%s: %s', async (...[, of, before, after, effect, now = of]) => {
    const [first, second] = [await parseText(path, before), await parseText(path, after)];
    const [old, young] = [declarationIn(first, of), declarationIn(second, now)];
    expect(namesIn(first)).toContain(of);
    expect(first.parseErrors + second.parseErrors).toBe(0);
    expect(effectOf(old as Declaration, young)).toBe(effect);
    // What two hashes say together, the third says alone.
    expect(young?.tokenHash === old?.tokenHash).toBe(effect === 'nothing');
  });
}
