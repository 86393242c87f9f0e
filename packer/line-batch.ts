// Where the fields of a packed line stand, in bytes: `src/kernel/line-batch.ts` has the same in words and says what they are.

export const lineSize = 0;
export const lineKind = 4;
export const lineOffset = 8;
export const lineLength = 12;
export const lineTime = 16;
export const lineId = 24;
export const lineIdem = 40;

export const bytesHead = 16;

export const writeConfidence = 56;
export const writeInputs = 60;
export const writeOutputs = 64;
export const writeLists = 68;

export const inputObject = 0;
export const inputNode = 16;
export const inputRevision = 20;
export const inputFlags = 52;
export const inputSize = 56;

export const outputObject = 0;
export const outputNode = 16;
export const outputRevision = 20;
export const outputContent = 52;
export const outputIsRight = 84;
export const outputParents = 88;
export const outputList = 92;
export const parentSize = 36;

export const resolutionInput = 56;
export const resolutionFlags = 60;
export const resolutionExpires = 64;
export const resolutionTxf = 72;
export const resolutionSource = 88;
export const resolutionNode = 104;
export const resolutionAgainst = 108;
export const resolutionSize = 140;

export const isDirect = 1;
export const isWaiver = 1;

export const transformation = 0;
export const resolution = 1;
export const other = 2;
