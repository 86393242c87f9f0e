import { hash } from 'node:crypto';
import { digest } from '#core/digest';
import { packerModule } from '#core/storage/line-packer-module';
import type { LineBatch } from '#kernel/line-batch';
import { linePacker, type PackLines } from '#kernel/line-packer';
import { revisionCheck } from '#kernel/revision-check';

/** The most bytes that the module packs at once; what is larger the kernel's packer packs. */
const sourceRoom = 256 * 1024;
/** How many words they may take at once. */
const wordsRoom = 96 * 1024;
/** Behind the bytes: the module looks there at times, whatever stands there. */
const margin = 64;
/** From so many bytes on it is worth to make the module. */
const worthMaking = 64 * 1024;

/** Of WebAssembly what is used here; Node's types have it not. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What `packer/line-packer.ts` gives out. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void };
  readonly room: { readonly value: number };
  readonly wordsEnd: { readonly value: number };
  readonly form: { readonly value: number };
  readonly shortForm: { readonly value: number };
  readonly longForm: { readonly value: number };
  pack(from: number, to: number, base: number, words: number, limit: number): number;
}

/** Packs into a batch as far as its room goes, or the module's; how many bytes that took. */
type PackSome = (source: Uint8Array, base: number, batch: LineBatch, limit: number) => number;

/** The module of this thread: not made yet, or null where it cannot be. */
let module: PackSome | null | undefined;

/**
 * The kernel's `linePacker` for large ledgers: the same words come from a module in WebAssembly, which is quick from its first line
 * on, as JavaScript in a new thread is not.
 */
export function quickPacker(isBounded = false): PackLines {
  const plain = linePacker(digest, isBounded);
  return (source, base, batch) => {
    if (module === undefined && source.length >= worthMaking) module = makeModule();
    if (!module || source.length > sourceRoom) return plain(source, base, batch);
    if (isBounded) return module(source, base, batch, batch.words.length - batch.end);
    let taken = 0;
    for (let some = -1; some !== 0; taken += some) some = module(source.subarray(taken), base + taken, batch, wordsRoom);
    return taken;
  };
}

/** Whether this thread has the module. */
export const isQuick = () => !!module;

function makeModule(): PackSome | null {
  try {
    return instantiate();
  } catch {
    // Without WebAssembly, or without its vectors: the kernel's packer does the same.
    return null;
  }
}

function instantiate(): PackSome {
  const compiled = new WebAssembly.Module(Buffer.from(packerModule, 'base64'));
  const host = { isNamed: () => 0, checkLine: () => {} } as {
    isNamed(parents: number, name: number): number;
    checkLine(line: number): void;
  };
  const imports = {
    'revision-check': {
      isNamed: (parents: number, name: number) => host.isNamed(parents, name),
      checkLine: (line: number) => host.checkLine(line),
    },
  };
  const { memory, room, wordsEnd, form, shortForm, longForm, pack } = new WebAssembly.Instance(compiled, imports)
    .exports as unknown as Exports;
  const from = room.value;
  const wordsFrom = from + sourceRoom + margin;
  memory.grow(Math.ceil((wordsFrom + wordsRoom * 4 - memory.buffer.byteLength) / 65536));
  const bytes = Buffer.from(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const check = revisionCheck(digest);
  const forms = [shortForm, longForm].map(({ value }) => bytes.subarray(form.value, form.value + value));
  host.isNamed = (parents, name) => (hash('sha256', forms[parents]!, 'hex') === bytes.toString('latin1', name, name + 64) ? 1 : 0);
  host.checkLine = (line) => check(words, line >> 2);

  return (source, base, batch, limit) => {
    bytes.set(source, from);
    const most = Math.min(limit, wordsRoom) * 4;
    const taken = pack(from, from + source.length, base, wordsFrom, wordsFrom + most);
    const packed = words.subarray(wordsFrom >> 2, wordsEnd.value >> 2);
    batch.reserve(packed.length * 4);
    batch.words.set(packed, batch.end);
    batch.end += packed.length;
    return taken;
  };
}
