export {
  type DetailOf,
  Fault,
  type FaultCode,
  type FaultDetail,
  faultDetails,
  faultFrom,
  faultFromSystem,
  isFaultCode,
  problemOf,
} from '#protocol/fault';
export type { Outputs } from '#protocol/outputs';
export { failedReply, failureOf, fromReply, type Reply, toReply } from '#protocol/reply';
export {
  type CheckState,
  checkStates,
  codeStates,
  type DropReason,
  dropReasons,
  failOnByDefault,
  type IncompleteReason,
  incompleteReasons,
  type RowState,
  rowStates,
  type Silence,
  silences,
} from '#protocol/state';
export { type Locale, localeFrom, type Words, wordsFor } from '#protocol/words';
