import type { DecodedBlock } from '#chains/bitcoin/block.ts'
import { openBitcoinCodec, paymentScriptOf } from '#chains/bitcoin/index.ts'
import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import type { Contestant } from './contestant.ts'

const code = (name: (typeof SCRIPT_TYPES)[number]): number => SCRIPT_TYPES.indexOf(name)
const P2PK = code('p2pk')
/** Where the address program lies in a script of each type: start and length, 0 for none. */
const PROGRAM_START = new Uint8Array(SCRIPT_TYPES.length)
const PROGRAM_LENGTH = new Uint8Array(SCRIPT_TYPES.length)
for (const [name, start, length] of [
  ['p2pkh', 3, 20],
  ['p2sh', 2, 20],
  ['v0_p2wpkh', 2, 20],
  ['v0_p2wsh', 2, 32],
  ['v1_p2tr', 2, 32],
  ['anchor', 2, 2],
] as const) {
  PROGRAM_START[code(name)] = start
  PROGRAM_LENGTH[code(name)] = length
}

/** Our codec; address programs in one column, as ingest keeps its bytes. */
export function openOurs(): Contestant {
  const codec = openBitcoinCodec({ network: 'mainnet' })

  return {
    decode(bytes) {
      const block = codec.decodeBlock(bytes)
      return block.txs.txid.length + programsOf(block).bytes.length
    },
    decodeWithAddresses(bytes) {
      const block = codec.decodeBlock(bytes)
      return programsOf(block).bytes.length + codec.addressTexts(block).length
    },
    facts(bytes) {
      const block = codec.decodeBlock(bytes)
      const programs = programsOf(block)
      const hex = Buffer.from(block.txs.txid).toString('hex')
      return {
        txids: Array.from({ length: block.txs.count }, (_, i) => hex.slice(64 * i, 64 * i + 64)),
        outputs: codec.addressTexts(block).map((address, o) => ({
          type: SCRIPT_TYPES[block.outputs.scriptType[o]!]!,
          program: Buffer.from(
            programs.bytes.subarray(programs.offsets[o]!, programs.offsets[o + 1]!),
          ).toString('hex'),
          address: address ?? '',
        })),
      }
    },
  }
}

function programsOf({ bytes, outputs }: DecodedBlock): { bytes: Uint8Array; offsets: Uint32Array } {
  const offsets = new Uint32Array(outputs.count + 1)
  const out = new Uint8Array(32 * outputs.count)
  let to = 0
  for (let o = 0; o < outputs.count; o++) {
    const type = outputs.scriptType[o]!
    const script = outputs.scriptOffset[o]!
    if (type === P2PK) {
      const payment = paymentScriptOf(bytes.subarray(script, script + outputs.scriptLength[o]!))
      out.set(payment.subarray(3, 23), to)
      to += 20
    } else {
      let from = script + PROGRAM_START[type]!
      const end = from + PROGRAM_LENGTH[type]!
      while (from < end) out[to++] = bytes[from++]!
    }
    offsets[o + 1] = to
  }
  return { bytes: out.subarray(0, to), offsets }
}
