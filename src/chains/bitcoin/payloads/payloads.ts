import type { BlockPayloads, DecodedBlock, Envelope, LayerOperation } from '../block.ts'
import { envelopesOf } from './envelopes.ts'

const OP_RETURN = 0x6a
const OP_13 = 0x5d

/** What the scripts and witnesses of a block carry beyond payments. */
export function payloadsOf(block: DecodedBlock): BlockPayloads {
  const { bytes, txs, outputs } = block
  const envelopes: Envelope[] = []
  const operations: LayerOperation[] = []
  const protocolMask = new Uint16Array(txs.count)
  const opReturnBytes = new Uint32Array(txs.count)
  let opReturnCount = 0
  let runestoneCount = 0
  for (let tx = 0; tx < txs.count; tx++) {
    let isRunestone = false
    for (let o = txs.firstOutput[tx]!; o < txs.firstOutput[tx + 1]!; o++) {
      const at = outputs.scriptOffset[o]!
      const length = outputs.scriptLength[o]!
      if (length === 0 || bytes[at] !== OP_RETURN) continue
      opReturnCount += 1
      opReturnBytes[tx]! += length - 1
      isRunestone ||= length >= 2 && bytes[at + 1] === OP_13
    }
    if (isRunestone) runestoneCount += 1
    if (txs.hasWitness[tx] === 1) envelopes.push(...envelopesOf(block, tx))
  }
  return {
    envelopes,
    operations,
    protocolMask,
    opReturnBytes,
    opReturnCount,
    runestoneCount,
    inscriptionBytes: envelopes.reduce((sum, envelope) => sum + envelope.bodyBytes, 0),
  }
}
