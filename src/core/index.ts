export { type Core, type CoreOptions, openCore } from '#core/core';
export { hashFile } from '#core/hash-file';
