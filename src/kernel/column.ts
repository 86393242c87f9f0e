type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type NumbersConstructor<A extends Numbers> = new (length: number) => A;

/** A growing list of numbers in one typed array: an index costs its bytes and no object. */
export class Column<A extends Numbers = Numbers> {
  data: A;
  length = 0;
  readonly #make: NumbersConstructor<A>;

  constructor(make: NumbersConstructor<A>, capacity = 1024) {
    this.#make = make;
    this.data = new make(capacity);
  }

  /** Appends a value and answers its index. */
  push(value: number): number {
    if (this.length === this.data.length) this.#grow();
    this.data[this.length] = value;
    return this.length++;
  }

  /** The value at `index`, which must be below `length`. */
  at(index: number): number {
    return this.data[index] as number;
  }

  /** Replaces the value at `index`. */
  set(index: number, value: number): void {
    this.data[index] = value;
  }

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

  #grow(): void {
    const wider = new this.#make(Math.max(1024, this.data.length * 2));
    (wider as Uint8Array).set(this.data as Uint8Array);
    this.data = wider;
  }
}

/** A column of bytes: flags and small enumerations. */
export const bytes = () => new Column(Uint8Array);
/** A column of whole numbers below 2^32: indexes and counts. */
export const ints = () => new Column(Uint32Array);
/** A column of instants in ms, or offsets beyond 2^32. */
export const floats = () => new Column(Float64Array);
