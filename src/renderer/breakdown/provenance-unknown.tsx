import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { EarlierInputs } from '#protocol/breakdown-calls';
import { useBench } from '#renderer/breakdown/bench.ts';
import { faultOf, type NamedDocument, type Said } from '#renderer/breakdown/listing.ts';
import { QuietList, useQuiet } from '#renderer/breakdown/quiet-list.tsx';
import { useBreakdownWords, useSaid } from '#renderer/breakdown/words.ts';

type Role = EarlierInputs['inputs'][number]['role'];

/** What is proposed for one document: its earlier inputs, those that are taken out, and the roles that were changed. */
interface Proposal {
  readonly earlier: EarlierInputs;
  readonly unticked: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, Role>;
}

/** Documents that lost what they rest on: what they rested on is suggested, and confirmed for one or for all that are ticked. */
export function ProvenanceUnknown({ asOf }: { readonly asOf: number }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const quiet = useQuiet('provenance-unknown', asOf);
  const documents = quiet.page?.documents ?? [];
  const waiting = useConfirming();
  const left = documents.filter(({ object }) => !waiting.confirmed.has(object));
  const proposed = left.filter(({ object }) => waiting.proposals.has(object));
  return (
    <>
      <p className="bd-quiet">{words('unknown.explanation')}</p>
      <div className="bd-actions">
        <Button className="bd-button bd-outline" onPress={() => waiting.suggest(left)} isDisabled={left.length === proposed.length}>
          {words('unknown.suggest-all', { count: left.length })}
        </Button>
        {proposed.length > 0 && (
          <Button className="bd-button bd-solid" onPress={() => waiting.confirm(proposed)}>
            {words('unknown.confirm-all', { count: proposed.length })}
          </Button>
        )}
        <span className="bd-quiet" role="status">
          {waiting.said === null ? '' : saidOf(waiting.said)}
        </span>
      </div>
      <QuietList quiet={quiet} count={documents.length}>
        {documents.map((document) => (
          <Unknown key={document.object} document={document} waiting={waiting} />
        ))}
      </QuietList>
    </>
  );
}

function Unknown({ document, waiting }: { readonly document: NamedDocument; readonly waiting: Confirming }) {
  const words = useBreakdownWords();
  const saidOf = useSaid();
  const { object, path } = document;
  const name = path ?? object;
  const proposal = waiting.proposals.get(object);
  const said = waiting.refused.get(object);
  return (
    <li className="bd-unknown" aria-label={name}>
      <div className="bd-silent-head">
        <bdi>{name}</bdi>
        {waiting.confirmed.has(object) ? (
          <span className="bd-faint">{words('unknown.confirmed')}</span>
        ) : proposal === undefined ? (
          <Button
            className="bd-button bd-outline bd-small"
            aria-label={words('unknown.suggest-of', { path: name })}
            isDisabled={path === null}
            onPress={() => waiting.suggest([document])}
          >
            {words('unknown.suggest')}
          </Button>
        ) : (
          <Button
            className="bd-button bd-outline bd-small"
            aria-label={words('unknown.confirm-of', { path: name })}
            onPress={() => waiting.confirm([document])}
          >
            {words('unknown.confirm')}
          </Button>
        )}
      </div>
      {said !== undefined && <p className="bd-note">{saidOf(said)}</p>}
      {proposal !== undefined && !waiting.confirmed.has(object) && (
        <ul className="bd-proposal">
          {proposal.earlier.inputs.map((input) => (
            <li key={input.object}>
              <label className="bd-input">
                <input type="checkbox" checked={!proposal.unticked.has(input.object)} onChange={() => waiting.tick(object, input.object)} />
                <bdi>{input.path ?? words('still.unknown-name')}</bdi>
              </label>
              <select
                className="bd-role"
                aria-label={words('unknown.role', { path: input.path ?? words('still.unknown-name') })}
                value={proposal.roles.get(input.object) ?? input.role}
                onChange={(event) => waiting.setRole(object, input.object, event.target.value as Role)}
              >
                <option value="direct">{words('roles.direct')}</option>
                <option value="contextual">{words('roles.contextual')}</option>
              </select>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

type Confirming = ReturnType<typeof useConfirming>;

/** How many documents are confirmed in one call. */
const atOnce = 200;

function useConfirming() {
  const { world } = useBench();
  const [proposals, setProposals] = useState<ReadonlyMap<string, Proposal>>(new Map());
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<ReadonlyMap<string, Said>>(new Map());
  const [said, setSaid] = useState<Said | null>(null);
  const refuse = (object: string, why: Said) => setRefused((known) => new Map(known).set(object, why));
  const change = (object: string, how: (proposal: Proposal) => Proposal) =>
    setProposals((known) => (known.has(object) ? new Map(known).set(object, how(known.get(object)!)) : known));

  const suggestOne = async ({ object, path }: NamedDocument) => {
    if (path === null || proposals.has(object)) return;
    try {
      const earlier = await world.call('provenance/inputs', { path });
      if (earlier.inputs.length === 0) return refuse(object, { kind: 'words', key: 'unknown.none' });
      setProposals((known) => new Map(known).set(object, { earlier, unticked: new Set(), roles: new Map() }));
    } catch (error) {
      refuse(object, faultOf(error));
    }
  };
  const confirm = async (documents: readonly NamedDocument[]) => {
    const asked = documents.flatMap(({ object }) => {
      const request = requestOf(proposals.get(object));
      if (request === null) refuse(object, { kind: 'words', key: 'still.no-inputs' });
      return request === null ? [] : [request];
    });
    const done = new Set<string>();
    for (let at = 0; at < asked.length; at += atOnce) {
      const answer = await world.call('provenance/confirm-several', { documents: asked.slice(at, at + atOnce) });
      for (const { object, kind } of answer.documents) {
        if (kind === 'confirmed') done.add(object);
        else refuse(object, { kind: 'words', key: `still.${kind}` });
      }
    }
    setConfirmed((known) => new Set([...known, ...done]));
    setRefused((known) => new Map([...known].filter(([object]) => !done.has(object))));
    setSaid({ kind: 'words', key: 'unknown.done', detail: { count: done.size } });
  };
  return {
    proposals,
    confirmed,
    refused,
    said,
    suggest: async (documents: readonly NamedDocument[]) => {
      for (const document of documents) await suggestOne(document);
    },
    confirm: (documents: readonly NamedDocument[]) =>
      void confirm(documents).catch((error) => setSaid({ kind: 'unrecorded', fault: faultOf(error) })),
    tick: (object: string, input: string) =>
      change(object, (proposal) => {
        const unticked = new Set(proposal.unticked);
        if (!unticked.delete(input)) unticked.add(input);
        return { ...proposal, unticked };
      }),
    setRole: (object: string, input: string, role: Role) =>
      change(object, (proposal) => ({ ...proposal, roles: new Map(proposal.roles).set(input, role) })),
  };
}

function requestOf(proposal: Proposal | undefined) {
  if (proposal === undefined || proposal.earlier.head === null) return null;
  const { object, head, inputs } = proposal.earlier;
  const ticked = inputs.filter((input) => !proposal.unticked.has(input.object));
  if (ticked.length === 0) return null;
  return { object, head, inputs: ticked.map((input) => ({ object: input.object, role: proposal.roles.get(input.object) ?? input.role })) };
}
