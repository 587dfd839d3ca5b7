/**
 * Growing columns that one codec reuses for every block, so that a decode allocates only its result. They grow with what
 * was read, never with what a count claims.
 */
export type InputColumns = {
  count: number
  capacity: number
  offset: Uint32Array<ArrayBuffer>
  prevVout: Uint32Array<ArrayBuffer>
  sequence: Uint32Array<ArrayBuffer>
  scriptOffset: Uint32Array<ArrayBuffer>
  scriptLength: Uint32Array<ArrayBuffer>
  witnessOffset: Uint32Array<ArrayBuffer>
  witnessLength: Uint32Array<ArrayBuffer>
}

export type OutputColumns = {
  count: number
  capacity: number
  /** Pairs of the lower and the upper half of a value. */
  valueHalves: Uint32Array<ArrayBuffer>
  scriptOffset: Uint32Array<ArrayBuffer>
  scriptLength: Uint32Array<ArrayBuffer>
  scriptType: Uint8Array<ArrayBuffer>
}

export type TxColumns = {
  count: number
  capacity: number
  version: Uint32Array<ArrayBuffer>
  lockTime: Uint32Array<ArrayBuffer>
  offset: Uint32Array<ArrayBuffer>
  sizeBytes: Uint32Array<ArrayBuffer>
  strippedBytes: Uint32Array<ArrayBuffer>
  hasWitness: Uint8Array<ArrayBuffer>
  signalsRbf: Uint8Array<ArrayBuffer>
  firstInput: Uint32Array<ArrayBuffer>
  firstOutput: Uint32Array<ArrayBuffer>
}

export type Columns = {
  readonly txs: TxColumns
  readonly inputs: InputColumns
  readonly outputs: OutputColumns
}

export function createColumns(): Columns {
  return {
    txs: {
      count: 0,
      capacity: 0,
      version: new Uint32Array(),
      lockTime: new Uint32Array(),
      offset: new Uint32Array(),
      sizeBytes: new Uint32Array(),
      strippedBytes: new Uint32Array(),
      hasWitness: new Uint8Array(),
      signalsRbf: new Uint8Array(),
      firstInput: new Uint32Array(),
      firstOutput: new Uint32Array(),
    },
    inputs: {
      count: 0,
      capacity: 0,
      offset: new Uint32Array(),
      prevVout: new Uint32Array(),
      sequence: new Uint32Array(),
      scriptOffset: new Uint32Array(),
      scriptLength: new Uint32Array(),
      witnessOffset: new Uint32Array(),
      witnessLength: new Uint32Array(),
    },
    outputs: {
      count: 0,
      capacity: 0,
      valueHalves: new Uint32Array(),
      scriptOffset: new Uint32Array(),
      scriptLength: new Uint32Array(),
      scriptType: new Uint8Array(),
    },
  }
}

export function clearColumns({ txs, inputs, outputs }: Columns): void {
  txs.count = 0
  inputs.count = 0
  outputs.count = 0
}

export function growTxs(txs: TxColumns): void {
  const capacity = Math.max(4096, txs.capacity * 2)
  txs.version = longer(txs.version, new Uint32Array(capacity))
  txs.lockTime = longer(txs.lockTime, new Uint32Array(capacity))
  txs.offset = longer(txs.offset, new Uint32Array(capacity))
  txs.sizeBytes = longer(txs.sizeBytes, new Uint32Array(capacity))
  txs.strippedBytes = longer(txs.strippedBytes, new Uint32Array(capacity))
  txs.hasWitness = longer(txs.hasWitness, new Uint8Array(capacity))
  txs.signalsRbf = longer(txs.signalsRbf, new Uint8Array(capacity))
  txs.firstInput = longer(txs.firstInput, new Uint32Array(capacity))
  txs.firstOutput = longer(txs.firstOutput, new Uint32Array(capacity))
  txs.capacity = capacity
}

export function growInputs(inputs: InputColumns): void {
  const capacity = Math.max(8192, inputs.capacity * 2)
  inputs.offset = longer(inputs.offset, new Uint32Array(capacity))
  inputs.prevVout = longer(inputs.prevVout, new Uint32Array(capacity))
  inputs.sequence = longer(inputs.sequence, new Uint32Array(capacity))
  inputs.scriptOffset = longer(inputs.scriptOffset, new Uint32Array(capacity))
  inputs.scriptLength = longer(inputs.scriptLength, new Uint32Array(capacity))
  inputs.witnessOffset = longer(inputs.witnessOffset, new Uint32Array(capacity))
  inputs.witnessLength = longer(inputs.witnessLength, new Uint32Array(capacity))
  inputs.capacity = capacity
}

export function growOutputs(outputs: OutputColumns): void {
  const capacity = Math.max(8192, outputs.capacity * 2)
  outputs.valueHalves = longer(outputs.valueHalves, new Uint32Array(capacity * 2))
  outputs.scriptOffset = longer(outputs.scriptOffset, new Uint32Array(capacity))
  outputs.scriptLength = longer(outputs.scriptLength, new Uint32Array(capacity))
  outputs.scriptType = longer(outputs.scriptType, new Uint8Array(capacity))
  outputs.capacity = capacity
}

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

function longer<A extends Numbers>(old: A, fresh: A): A {
  fresh.set(old)
  return fresh
}
