import { type AddRequest, addAnchor, type RebindRequest, rebindAnchor } from '#core/anchors/add';
import { type ConfirmRequest, confirmAnchor } from '#core/anchors/confirm';
import { declarationsReport } from '#core/anchors/declarations';
import { type KnownAnchor, knownAnchors } from '#core/anchors/ledger';
import { checkReport, listReport, type PathOf, retiredOf } from '#core/anchors/report';
import { confirmFolder, isConfirmed, localFolder, repositoryNamed } from '#core/anchors/repository';
import { surveyAnchors, surveyOne, writeDown } from '#core/anchors/survey';
import { type AnchorParts, type AnchorWork, type Asker, createAnchorWork, refuseOff } from '#core/anchors/work';
import { trackedDocument } from '#core/workspace/history';
import type { NewEntry } from '#core/workspace/recorder';
import type { Workspace } from '#core/workspace/workspace';
import type { Outputs } from '#protocol';

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
  /** The code at the baseline and now, to be looked at side by side; null where no copy is left, or it is gone. */
  texts(id: string): Promise<{ readonly before: string | null; readonly now: string | null }>;
  /** The folder of a linked repository, if no person has yet said that it may be read on this machine; else null. */
  unconfirmedFolder(repository: string): string | null;
  /** A person says that the folder of a linked repository may be read on this machine. */
  confirmRepository(repository: string): void;
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
    async texts(id) {
      await all();
      return textsOf(work, work.known(id));
    },
    unconfirmedFolder(name) {
      const repository = repositoryNamed(workspace, name);
      if (repository.path === null) return null;
      const folder = localFolder(workspace, repository);
      return isConfirmed(workspace, name, folder) ? null : folder;
    },
    confirmRepository: (name) => confirmFolder(workspace, name, localFolder(workspace, repositoryNamed(workspace, name))),
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

async function textsOf(work: AnchorWork, known: KnownAnchor): Promise<{ before: string | null; now: string | null }> {
  const before = work.textOf(known.pin);
  const finding = await surveyOne(work, known);
  if (finding.kind !== 'found') return { before, now: null };
  const reader = await work.startReader(known.anchor.repository);
  const read = await reader.text(finding.file);
  if (read.kind !== 'read') return { before, now: null };
  const lines = read.text.split(/(?<=\r\n|\r(?!\n)|\n)/u).slice(finding.lines.start - 1, finding.lines.end);
  return { before, now: lines.join('') };
}
