import { baselineOf, languageOf, languagesLike, type TextOf } from '#core/anchors/baseline';
import type { Budget } from '#core/anchors/budget';
import { type CodeReader, createTurn, type HintedCode } from '#core/anchors/code-reader';
import { type Finding, findingOf } from '#core/anchors/finding';
import type { KnownAnchor } from '#core/anchors/ledger';
import { stoodAt } from '#core/anchors/newness';
import { checkRange } from '#core/anchors/range-check';
import { candidateOf, type UncheckedReason, type Verdict } from '#kernel/anchor';
import { createCodeIndex, type GrowingIndex } from '#kernel/anchor-index';
import { type CodeView, inFile, resolveDeclaration } from '#kernel/anchor-ladder';

/** What a check of the anchors of one repository works with. */
export interface Checking {
  readonly reader: CodeReader;
  readonly budget: Budget;
  readonly textOf: TextOf;
}

/** Finds out about anchors of one repository: first what their own files say, then, of what is left, what all files say. */
export async function checkAnchors(anchors: readonly KnownAnchor[], checking: Checking): Promise<Map<string, Finding>> {
  const findings = new Map<string, Finding>();
  const left: KnownAnchor[] = [];
  const turn = createTurn();
  for (const known of anchors) {
    const finding = known.pin.fallback ? await checkLines(known, checking) : await checkInFile(known, checking);
    if (finding === null) left.push(known);
    else findings.set(known.id, finding);
    await turn();
  }
  if (left.length === 0) return findings;
  const search = await searchCode(checking.reader, left);
  for (const known of left) {
    findings.set(known.id, await checkEverywhere(known, search, checking));
    await turn();
  }
  return findings;
}

const unchecked = (reason: UncheckedReason): Finding => ({ kind: 'unchecked', reason });

async function checkLines({ pin }: KnownAnchor, { reader, budget, textOf }: Checking): Promise<Finding> {
  return budget.isExpired() ? unchecked('budget') : checkRange(pin, textOf(pin), reader);
}

/** Null: its own file is there, or gone, and does not hold it. */
async function checkInFile(known: KnownAnchor, { reader, budget, textOf }: Checking): Promise<Finding | null> {
  if (budget.isExpired()) return unchecked('budget');
  const hinted = await reader.hinted(known.pin.file_hint);
  if (hinted.kind === 'absent') return null;
  if (hinted.kind !== 'read') return unchecked(hinted.kind);
  const { file } = hinted;
  const baseline = await baselineOf(known.pin, textOf, { languages: [file.parsed.language], trigrams: false });
  if (baseline === null) return unchecked('unreadable');
  const verdict = inFile({ ...baseline, file: file.path }, file);
  return verdict === null ? null : findingOf(known, verdict);
}

interface Search {
  readonly index: GrowingIndex;
  readonly hinted: ReadonlyMap<string, HintedCode>;
  readonly unseen: UncheckedReason | null;
}

/** Reads everything that may hold what is not in its own file. */
async function searchCode(reader: CodeReader, left: readonly KnownAnchor[]): Promise<Search> {
  const { files, complete, unseen } = await reader.everything();
  const index = createCodeIndex();
  const turn = createTurn();
  for (const file of files) {
    index.add(file);
    await turn();
  }
  const hinted = new Map<string, HintedCode>();
  for (const path of new Set(left.map(({ pin }) => pin.file_hint))) {
    const code = await reader.hinted(path);
    hinted.set(path, code);
    // Its own file may be one that git ignores.
    if (code.kind === 'read') index.add(code.file);
  }
  return { index, hinted, unseen: complete ? null : unseen };
}

async function checkEverywhere(known: KnownAnchor, search: Search, checking: Checking): Promise<Finding> {
  const { reader, budget, textOf } = checking;
  const { pin } = known;
  const language = languageOf(pin.language);
  if (language === null) return unchecked('unreadable');
  if (budget.isExpired()) return unchecked('budget');
  const baseline = await baselineOf(pin, textOf, { languages: languagesLike(language), trigrams: true });
  const hinted = search.hinted.get(pin.file_hint);
  if (baseline === null || hinted === undefined) return unchecked('unreadable');
  const file = hinted.kind === 'read' ? hinted.file.path : pin.file_hint;
  const view: CodeView = { index: search.index, hinted: hinted.kind, unseen: search.unseen };
  const verdict = resolveDeclaration({ ...baseline, file }, view);
  return findingOf(known, await provenNew(known, verdict, reader));
}

/** Where not all was seen when the baseline was made, a target elsewhere must be proven new by git; else it is only a candidate. */
async function provenNew({ pin }: KnownAnchor, verdict: Verdict, reader: CodeReader): Promise<Verdict> {
  if (verdict.state !== 'moved-renamed' || pin.twins.complete || verdict.target.file === pin.file_hint) return verdict;
  const stood = pin.commit === null ? null : await stoodAt(reader.source, pin.commit, verdict.target);
  return stood === false ? verdict : { state: 'lost', reason: 'ambiguous', candidates: [candidateOf(verdict.target)] };
}
