import { type Columns, growInputs, growOutputs, growTxs, type InputColumns } from './columns.ts'
import { DecodeError } from './errors.ts'
import { type Reader, readCount, readVarint, take } from './reader.ts'
import { scriptTypeCode } from './scriptType.ts'

/** Fewest bytes of a transaction, an input, an output, a witness item: what bounds a count before it is believed. */
export const LEAST_TX_BYTES = 10
const LEAST_INPUT_BYTES = 41
const LEAST_OUTPUT_BYTES = 9
const RBF_BELOW = 0xfffffffe

/**
 * Reads one transaction and appends it to the columns: legacy form, or BIP-144 with marker and flag. As in Bitcoin Core,
 * an empty input list followed by a non-zero byte is marker and flag; only flag 1 is known; a witness form without any
 * witness item is refused as superfluous.
 */
export function readTransaction(r: Reader, columns: Columns): void {
  const { txs, inputs, outputs } = columns
  const { bytes, view } = r
  if (txs.count === txs.capacity) growTxs(txs)
  const tx = txs.count
  const start = r.pos
  const firstInput = inputs.count
  txs.offset[tx] = start
  txs.firstInput[tx] = firstInput
  txs.firstOutput[tx] = outputs.count
  txs.version[tx] = view.getUint32(take(r, 4, 'transaction version'), true)

  let isWitnessForm = false
  let inputCount = readCount(r, LEAST_INPUT_BYTES, 'input count')
  if (inputCount === 0 && r.pos < bytes.length && bytes[r.pos] !== 0) {
    if (bytes[r.pos] !== 1) throw unknownFlag(bytes[r.pos]!, r.pos)
    r.pos += 1
    isWitnessForm = true
    inputCount = readCount(r, LEAST_INPUT_BYTES, 'input count')
  }
  let signalsRbf = 0
  for (let i = 0; i < inputCount; i++) {
    if (inputs.count === inputs.capacity) growInputs(inputs)
    if (readInput(r, inputs) < RBF_BELOW) signalsRbf = 1
  }
  const outputCount = readCount(r, LEAST_OUTPUT_BYTES, 'output count')
  for (let o = 0; o < outputCount; o++) {
    if (outputs.count === outputs.capacity) growOutputs(outputs)
    const at = take(r, 9, 'output value')
    const length = lengthAt(r, at + 8, 'output script length')
    const script = take(r, length, 'output script')
    const index = outputs.count++
    outputs.valueHalves[2 * index] = view.getUint32(at, true)
    outputs.valueHalves[2 * index + 1] = view.getUint32(at + 4, true)
    outputs.scriptOffset[index] = script
    outputs.scriptLength[index] = length
    outputs.scriptType[index] = scriptTypeCode(bytes, script, length)
  }
  const witnessBytes = isWitnessForm ? readWitnesses(r, inputs, firstInput) : 0
  txs.lockTime[tx] = view.getUint32(take(r, 4, 'lock time'), true)

  const sizeBytes = r.pos - start
  txs.sizeBytes[tx] = sizeBytes
  txs.strippedBytes[tx] = isWitnessForm ? sizeBytes - witnessBytes - 2 : sizeBytes
  txs.hasWitness[tx] = isWitnessForm ? 1 : 0
  txs.signalsRbf[tx] = signalsRbf
  txs.count = tx + 1
}

/** Appends one input without its witness; returns its sequence. */
function readInput(r: Reader, inputs: InputColumns): number {
  const { view } = r
  const at = take(r, 37, 'outpoint')
  const length = lengthAt(r, at + 36, 'input script length')
  const script = take(r, length + 4, 'input script and sequence')
  const sequence = view.getUint32(script + length, true)
  const index = inputs.count++
  inputs.offset[index] = at
  inputs.prevVout[index] = view.getUint32(at + 32, true)
  inputs.scriptOffset[index] = script
  inputs.scriptLength[index] = length
  inputs.sequence[index] = sequence
  inputs.witnessOffset[index] = 0
  inputs.witnessLength[index] = 0
  return sequence
}

/** A length whose first byte, the last one read, stands at `at`. Nearly all lengths are that byte. */
function lengthAt(r: Reader, at: number, what: string): number {
  const first = r.bytes[at]!
  if (first < 0xfd) return first
  r.pos = at
  return readVarint(r, what)
}

/** Reads one witness per input from `firstInput` on; returns their bytes. */
function readWitnesses(r: Reader, inputs: InputColumns, firstInput: number): number {
  const start = r.pos
  let itemTotal = 0
  for (let i = firstInput; i < inputs.count; i++) {
    const at = r.pos
    const itemCount = readCount(r, 1, 'witness item count')
    for (let item = 0; item < itemCount; item++) {
      take(r, readVarint(r, 'witness item length'), 'witness item')
    }
    inputs.witnessOffset[i] = at
    inputs.witnessLength[i] = r.pos - at
    itemTotal += itemCount
  }
  if (itemTotal === 0) {
    throw new DecodeError(
      'superfluous_witness',
      'The transaction is in witness form but no input has a witness',
      {
        what: 'witness',
        offset: start,
        got: 0,
        expected: 'at least one witness item',
      },
    )
  }
  return r.pos - start
}

function unknownFlag(got: number, offset: number): DecodeError {
  return new DecodeError('witness_flag', `Transaction flag ${got} is unknown`, {
    what: 'transaction flag',
    offset,
    got,
    expected: 1,
  })
}
