/** The largest document that crosses to an agent or back, in bytes of UTF-8 (`spec/interfaces.md` §3). */
export const agentDocumentLimit = 5 * 1024 * 1024;
/** The most inputs that one write of an agent may have; the newest are kept. */
export const agentInputsLimit = 512;
/** The most edits in one write. */
export const agentEditsLimit = 200;
