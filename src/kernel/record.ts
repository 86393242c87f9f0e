import { confidences, edgeKinds, type Transformation } from '#kernel/body-transformation';
import { wordsFromHex } from '#kernel/key-table';

/**
 * One transformation as numbers. It is a scratch pad: whoever reads a ledger fills the same record again for
 * every line, and the graph copies what it keeps.
 */
export class TransformationRecord {
  readonly id = new Uint32Array(4);
  readonly idem = new Uint32Array(4);
  time = 0;
  confidence = 0;
  inputs = 0;
  inputObject = new Uint32Array(4 * 16);
  inputRevision = new Uint32Array(8 * 16);
  inputDirect = new Uint8Array(16);
  inputKind = new Uint8Array(16);
  outputs = 0;
  outputObject = new Uint32Array(4 * 4);
  outputRevision = new Uint32Array(8 * 4);
  outputContent = new Uint32Array(8 * 4);
  /** Where an output's parents end in `parent`; they begin where those of the output before end. */
  parentEnd = new Uint32Array(4);
  parents = 0;
  parent = new Uint32Array(8 * 8);

  /** Empties the lists; the heads of the record are overwritten by whoever fills it. */
  clear(): void {
    this.inputs = 0;
    this.outputs = 0;
    this.parents = 0;
  }

  /** Makes room for one more input and answers its index. */
  nextInput(): number {
    if (this.inputs === this.inputDirect.length) {
      this.inputObject = widened(this.inputObject);
      this.inputRevision = widened(this.inputRevision);
      this.inputDirect = widened(this.inputDirect);
      this.inputKind = widened(this.inputKind);
    }
    return this.inputs++;
  }

  /** Makes room for one more output and answers its index. */
  nextOutput(): number {
    if (this.outputs === this.parentEnd.length) {
      this.outputObject = widened(this.outputObject);
      this.outputRevision = widened(this.outputRevision);
      this.outputContent = widened(this.outputContent);
      this.parentEnd = widened(this.parentEnd);
    }
    return this.outputs++;
  }

  /** Makes room for one more parent and answers its index. */
  nextParent(): number {
    if (this.parents * 8 === this.parent.length) this.parent = widened(this.parent);
    return this.parents++;
  }

  /** Fills the lists from an entry that was parsed the slow way. */
  takeBody(body: Transformation): void {
    this.clear();
    this.confidence = confidences.indexOf(body.confidence);
    for (const input of body.inputs) {
      const i = this.nextInput();
      wordsFromHex(input.object, 0, 4, this.inputObject, i * 4);
      wordsFromHex(input.revision, 5, 8, this.inputRevision, i * 8);
      this.inputDirect[i] = input.role === 'direct' ? 1 : 0;
      this.inputKind[i] = edgeKinds.indexOf(input.kind);
    }
    for (const output of body.outputs) {
      const o = this.nextOutput();
      wordsFromHex(output.object, 0, 4, this.outputObject, o * 4);
      wordsFromHex(output.revision, 5, 8, this.outputRevision, o * 8);
      wordsFromHex(output.content_hash, 7, 8, this.outputContent, o * 8);
      for (const parent of output.parents) wordsFromHex(parent, 5, 8, this.parent, this.nextParent() * 8);
      this.parentEnd[o] = this.parents;
    }
  }
}

function widened<A extends Uint8Array | Uint32Array>(values: A): A {
  const wider = new (values.constructor as new (length: number) => A)(values.length * 2);
  wider.set(values);
  return wider;
}
