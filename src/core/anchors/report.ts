import type { Budget } from '#core/anchors/budget';
import type { AnchorAnswer } from '#core/anchors/finding';
import { type KnownAnchor, lastState } from '#core/anchors/ledger';
import { formatInstant } from '#kernel/instant';
import type { Outputs } from '#protocol';

type Check = Outputs['anchors-check'];
type List = Outputs['anchors-list'];

/** Where a document is, or was last. */
export type PathOf = (object: string) => string | null;

/** An anchor with what a check says of it. */
export interface Answered {
  readonly known: KnownAnchor;
  readonly answer: AnchorAnswer;
}

/** The answer of a check, in an order that depends on the anchors only. */
export function checkReport(answered: readonly Answered[], all: readonly KnownAnchor[], budget: Budget, pathOf: PathOf): Check {
  const sorted = inOrder(answered, ({ known }) => known, pathOf);
  const unchecked = sorted.filter(({ answer }) => answer.isUnchecked).map(({ known }) => known.id);
  const { limit, filesRead, bytesRead } = budget;
  return {
    complete: unchecked.length === 0,
    budget: { files_read: filesRead, bytes_read: bytesRead, elapsed_ms: budget.elapsed(), limit: unchecked.length === 0 ? null : limit },
    anchors: sorted.map((one) => rowOf(one, pathOf).anchor),
    unchecked_anchor_ids: unchecked,
    fallback_share: fallbackShare(all),
    retired: retiredOf(all, pathOf),
  };
}

/** One anchor as a check says it. */
export function rowOf({ known, answer }: Answered, pathOf: PathOf): { anchor: Check['anchors'][number]; isUnchecked: boolean } {
  const anchor = { ...aboutOf(known, pathOf), state: answer.state, detail: answer.detail };
  return { anchor, isUnchecked: answer.isUnchecked };
}

/** The anchors that were said to describe code that is gone, with the reason. */
export function retiredOf(all: readonly KnownAnchor[], pathOf: PathOf): Check['retired'] {
  const retired = inOrder(all, (known) => known, pathOf).filter(({ retired: said }) => said !== null);
  return retired.map((known) => ({ ...aboutOf(known, pathOf), retired: retirementOf(known)! }));
}

/** The anchors as the ledger has them. */
export function listReport(listed: readonly KnownAnchor[], all: readonly KnownAnchor[], pathOf: PathOf): List {
  const anchors = inOrder(listed, (known) => known, pathOf).map((known) => {
    const { lines } = known.pin;
    return {
      ...aboutOf(known, pathOf),
      ...lastState(known),
      line_start: lines.start,
      line_end: lines.end,
      confirmed: formatInstant(known.baselineTime),
      retired: retirementOf(known),
    };
  });
  return { anchors, fallback_share: fallbackShare(all) };
}

/** The anchors as they were last seen, without looking at any code. */
export function lastSeen(all: readonly KnownAnchor[], pathOf: PathOf): Check['anchors'] {
  const live = all.filter(({ retired }) => retired === null);
  return inOrder(live, (known) => known, pathOf).map((known) => {
    const { state, reason } = lastState(known);
    const { pin, last } = known;
    const seen = last === null ? {} : placesOf(last.value);
    return { ...aboutOf(known, pathOf), state, detail: { reason, file: last?.value.file ?? pin.file_hint, ...seen } };
  });
}

function placesOf({ moved_to, renamed_to, actual_hash }: NonNullable<KnownAnchor['last']>['value']) {
  return {
    ...(moved_to === null ? {} : { moved_to }),
    ...(renamed_to === null ? {} : { renamed_to }),
    ...(actual_hash === null ? {} : { actual_hash }),
  };
}

function aboutOf({ id, anchor, pin }: KnownAnchor, pathOf: PathOf) {
  const { document, section, repository } = anchor;
  return {
    id,
    document: { object: document, path: pathOf(document), section: [...section] },
    repository,
    language: pin.language,
    kind: pin.kind,
    qualified_name: pin.qualified_name,
    file_hint: pin.file_hint,
    fallback: pin.fallback,
  };
}

function retirementOf({ retired }: KnownAnchor) {
  return retired === null ? null : { reason: retired.reason, by: retired.by, at: formatInstant(retired.at) };
}

/** How many of the anchors that are not given up are ranges of lines. */
export function fallbackShare(all: readonly KnownAnchor[]): Check['fallback_share'] {
  const live = all.filter(({ retired }) => retired === null);
  const fallback = live.filter(({ pin }) => pin.fallback).length;
  const share = live.length === 0 ? 0 : Math.round((fallback / live.length) * 10_000) / 10_000;
  return { total: live.length, fallback, share };
}

function inOrder<T>(items: readonly T[], knownOf: (item: T) => KnownAnchor, pathOf: PathOf): T[] {
  const keyOf = (item: T) => {
    const { id, anchor, pin } = knownOf(item);
    return [pathOf(anchor.document) ?? '\uffff', anchor.document, pin.file_hint, pin.qualified_name, pin.kind, id];
  };
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ item }) => item);
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
