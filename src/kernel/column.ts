type Numbers = Uint8Array | Uint32Array | Float64Array;
type NumbersConstructor<A extends Numbers> = new (length: number) => A;

/**
 * A growing list of numbers in one typed array: an index costs its bytes and no object. Each kind has its own `push`, `at` and
 * `set`, which look alike: the compiler makes one quick form of each where it has seen one kind of array.
 */
export abstract class Column<A extends Numbers = Numbers> {
  data: A;
  length = 0;

  constructor(data: A) {
    this.data = data;
  }

  /** Appends a value and answers its index. */
  abstract push(value: number): number;
  /** The value at `index`, which must be below `length`. */
  abstract at(index: number): number;
  /** Replaces the value at `index`. */
  abstract set(index: number, value: number): void;

  /** The values as they stand, without spare capacity; a view, not a copy. */
  view(): A {
    return this.data.subarray(0, this.length) as A;
  }

  /** The values as an index stores them: with some spare capacity, so that the next ones do not move all of them. */
  stored(): A {
    return this.data.subarray(0, this.length + (this.length >> 5)) as A;
  }

  /** Takes over what `stored` gave earlier; the array is the column's from now on. */
  fill(stored: A, length: number): void {
    this.data = stored;
    this.length = length;
  }

  /** Makes room for at least one more. */
  grow(): void {
    const wider = new (this.data.constructor as NumbersConstructor<A>)(Math.max(1024, this.data.length * 2));
    (wider as Uint8Array).set(this.data as Uint8Array);
    this.data = wider;
  }
}

class Bytes extends Column<Uint8Array> {
  push(value: number): number {
    if (this.length === this.data.length) this.grow();
    this.data[this.length] = value;
    return this.length++;
  }
  at(index: number): number {
    return this.data[index]!;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
}

class Ints extends Column<Uint32Array> {
  push(value: number): number {
    if (this.length === this.data.length) this.grow();
    this.data[this.length] = value;
    return this.length++;
  }
  at(index: number): number {
    return this.data[index]!;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
}

class Floats extends Column<Float64Array> {
  push(value: number): number {
    if (this.length === this.data.length) this.grow();
    this.data[this.length] = value;
    return this.length++;
  }
  at(index: number): number {
    return this.data[index]!;
  }
  set(index: number, value: number): void {
    this.data[index] = value;
  }
}

/** A column of bytes: flags and small enumerations. */
export const bytes = () => new Bytes(new Uint8Array(1024));
/** A column of whole numbers below 2^32: indexes and counts. */
export const ints = () => new Ints(new Uint32Array(1024));
/** A column of instants in ms, or offsets beyond 2^32. */
export const floats = () => new Floats(new Float64Array(1024));
