import { join } from 'node:path';
import { type AddRequest, addAnchor, type RebindRequest, rebindAnchor } from '#core/anchors/add';
import { type ConfirmRequest, confirmAnchor } from '#core/anchors/confirm';
import { declarationsReport } from '#core/anchors/declarations';
import { headingLine } from '#core/anchors/heading-line';
import { type KnownAnchor, knownAnchors } from '#core/anchors/ledger';
import { codeFiles, codeOfFile, lookAt } from '#core/anchors/look';
import { checkReport, fallbackShare, listReport, type PathOf, retiredOf, rowOf } from '#core/anchors/report';
import { type RepositoryDesk, repositoryDesk } from '#core/anchors/repository-desk';
import { surveyAnchors, writeDown } from '#core/anchors/survey';
import { createTokenShelf } from '#core/anchors/token-shelf';
import { type AnchorParts, type AnchorWork, type Asker, createAnchorWork, refuseOff } from '#core/anchors/work';
import { trackedDocument } from '#core/workspace/history';
import type { NewEntry } from '#core/workspace/recorder';
import type { Workspace } from '#core/workspace/workspace';
import { parseUuid } from '#kernel/uuid';
import { Fault, type Outputs } from '#protocol';
import type { AnchorLook, AnchorRow, CodeOfFile, RetiredAnchor } from '#protocol/anchor-calls';

/** An anchor as it is now: checked, or given up; and how many anchors are ranges of lines. */
export type AnchorNow = { readonly fallback: Outputs['anchors-check']['fallback_share'] } & (
  | { readonly row: AnchorRow; readonly retired: null }
  | { readonly row: null; readonly retired: RetiredAnchor }
);

/** What can be asked about code anchors. Documents and files are named as in the other calls. */
export interface AnchorDesk {
  /** The declarations that an anchor could name; `repository` null: a file of the workspace. */
  declarations(file: string, repository: string | null): Promise<Outputs['declarations']>;
  add(request: AddRequest): Promise<Outputs['anchors-add']>;
  /** `document` null: all. `observe` writes down states that are others than before, where there is a ledger. */
  check(request: { readonly document: string | null; readonly observe: boolean }): Promise<Outputs['anchors-check']>;
  list(document: string | null): Promise<Outputs['anchors-list']>;
  confirm(request: ConfirmRequest): Promise<Outputs['anchors-confirm']>;
  rebind(request: RebindRequest): Promise<Outputs['anchors-confirm']>;
  remove(id: string, by: Asker): Promise<Outputs['anchors-remove']>;
  /** A person says that the text describes code that is gone; `reason` null: that it does not, after all. */
  retire(id: string, reason: string | null): Promise<void>;
  /** The code then and now, with the hash that a confirmation names, and the text that describes it. */
  look(id: string): Promise<AnchorLook>;
  /** One anchor as it is now, for a list that has it as it was; nothing is written down. */
  now(id: string): Promise<AnchorNow>;
  /** The files of a repository that could be anchored to. */
  files(repository: string | null): Promise<{ readonly files: readonly string[]; readonly more: boolean }>;
  /** What a file declares, with its text. */
  code(file: string, repository: string | null): Promise<CodeOfFile>;
  /** The absolute path of a tracked document by its object; `not-tracked` where there is none. */
  documentOf(object: string): Promise<string>;
  /** The line of a section's heading in a document, from 1; 1 where no single heading is meant. */
  headingLine(path: string, section: readonly string[]): number;
  /** The repositories of code that the workspace links. */
  readonly repositories: RepositoryDesk;
  /** All anchors against the code, for answers of which they are a part. */
  survey(request: { readonly pathOf: PathOf; readonly observe: boolean }): Promise<Outputs['anchors-check']>;
  close(): void;
}

/** The desk for code anchors of a workspace. */
export function anchorDesk(workspace: Workspace, parts: AnchorParts): AnchorDesk {
  const work = createAnchorWork(workspace, parts);
  const all = async () => {
    refuseOff(workspace);
    await parts.refresh();
    return knownAnchors(workspace.replica.reading.facts);
  };
  const pathOf: PathOf = (object) => workspace.replica.reading.facts.pathOf(object);
  const ofDocument = (anchors: readonly KnownAnchor[], named: string | null) => {
    if (named === null) return anchors;
    const { object } = trackedDocument(workspace, work.document(named));
    return anchors.filter(({ anchor }) => anchor.document === object);
  };
  return {
    declarations: async (file, repository) => declarationsReport(await work.startReader(repository), work.place(repository, file)),
    add: (request) => addAnchor(work, request),
    rebind: (request) => rebindAnchor(work, request),
    confirm: (request) => confirmAnchor(work, request),
    async check({ document, observe }) {
      const anchors = await all();
      const asked = ofDocument(anchors, document);
      const survey = await surveyAnchors(work, asked);
      if (observe) await writeDown(work, survey);
      return { ...checkReport(survey.answered, anchors, survey.budget, pathOf), retired: retiredOf(asked, pathOf) };
    },
    async list(document) {
      const anchors = await all();
      return listReport(ofDocument(anchors, document), anchors, pathOf);
    },
    async remove(id, by) {
      const actor = await work.actor(by);
      const known = await decide(work, id, ({ id: anchor }) => ({ kind: 'code-anchor-removal', body: { anchor, actor }, subjects: [] }));
      return { id: known.id, removed: true };
    },
    async retire(id, reason) {
      const actor = await work.actor({ type: 'human' });
      const said = reason === null ? { state: 'live' as const, reason: '' } : { state: 'retired' as const, reason: reason.trim() };
      await decide(work, id, ({ id: anchor }) => ({ kind: 'code-anchor-retirement', body: { anchor, ...said, actor }, subjects: [] }));
    },
    async look(id) {
      await all();
      const known = work.known(id);
      return lookAt(work, known, pathOf(known.anchor.document));
    },
    async now(id) {
      const anchors = await all();
      const known = work.known(id);
      const fallback = fallbackShare(anchors);
      if (known.retired !== null) return { row: null, retired: retiredOf([known], pathOf)[0]!, fallback };
      const { answered } = await surveyAnchors(work, [known]);
      return { row: rowOf(answered[0]!, pathOf), retired: null, fallback };
    },
    async files(repository) {
      const budget = work.newBudget();
      return codeFiles(await work.startReader(repository, budget), budget.isExpired);
    },
    code: async (file, repository) => codeOfFile(await work.startReader(repository), work.place(repository, file)),
    async documentOf(object) {
      await all();
      const uuid = parseUuid(object);
      const path = uuid === null ? null : pathOf(uuid);
      if (path === null) throw new Fault('not-tracked', { path: object });
      return join(workspace.root, path);
    },
    headingLine: (path, section) => headingLine(workspace, path, section),
    repositories: repositoryDesk(workspace, { ...parts, tokens: createTokenShelf(parts.secrets ?? null, parts.env) }),
    async survey({ pathOf: whereIs, observe }) {
      const anchors = knownAnchors(workspace.replica.reading.facts);
      const survey = await surveyAnchors(work, anchors);
      if (observe) await writeDown(work, survey);
      return checkReport(survey.answered, anchors, survey.budget, whereIs);
    },
    close: () => work.close(),
  };
}

/** Appends one entry about an anchor that is there. */
async function decide(work: AnchorWork, id: string, entry: (known: KnownAnchor) => NewEntry): Promise<KnownAnchor> {
  refuseOff(work.workspace);
  return work.change(async () => {
    await work.workspace.replica.refresh();
    const known = work.known(id);
    await work.append([{ ...entry(known), subjects: [known.anchor.document, known.id] }]);
    return known;
  });
}
