import { type Network, SCRIPT_TYPES, type ScriptType } from '#kernel/bitcoin.ts'
import type { DecodedTransactions } from '../block.ts'
import type { Hasher } from '../hash/hasher.ts'
import { createBase58Writer } from './base58Writer.ts'
import { ADDRESS_FORMS } from './networks.ts'
import { witnessProgramOf } from './scripts.ts'
import { createSegwitWriter } from './segwitWriter.ts'

/** The address texts of all outputs, in their order; what `addressOf` gives one by one. */
export type AddressTexts = (transactions: DecodedTransactions) => (string | null)[]

const HASH160_BYTES = 20
const PAYLOAD_BYTES = 1 + HASH160_BYTES
const CHECKED_BYTES = PAYLOAD_BYTES + 4
/** `bcrt1`, a version, 40 bytes in fives, a checksum. */
const LONGEST_TEXT = 76

/** Builds the bulk form: all checksums are hashed at once, all texts are written into one string and cut from it. */
export function createAddressTexts(hasher: Hasher, network: Network): AddressTexts {
  const forms = ADDRESS_FORMS[network]
  const writeBase58 = createBase58Writer()
  const writeSegwit = createSegwitWriter(forms.hrp)
  const code = (type: ScriptType): number => SCRIPT_TYPES.indexOf(type)
  const [P2PKH, P2SH, UNKNOWN] = [code('p2pkh'), code('p2sh'), code('unknown')]
  const witnessVersions = new Int8Array(SCRIPT_TYPES.length).fill(-1)
  for (const type of ['v0_p2wpkh', 'v0_p2wsh'] as const) witnessVersions[code(type)] = 0
  for (const type of ['v1_p2tr', 'anchor'] as const) witnessVersions[code(type)] = 1
  let text = Buffer.alloc(0)

  return ({ bytes, outputs }) => {
    const { count, scriptType, scriptOffset, scriptLength } = outputs
    if (text.length < count * LONGEST_TEXT) text = Buffer.alloc(count * LONGEST_TEXT)
    const checked = base58Payloads()
    const ends = new Uint32Array(count)
    let end = 0
    let next = 0
    for (let o = 0; o < count; o++) {
      const type = scriptType[o]!
      const at = scriptOffset[o]!
      const version = witnessVersions[type]!
      if (version >= 0) {
        end = writeSegwit(version, bytes, at + 2, scriptLength[o]! - 2, text, end)
      } else if (type === P2PKH || type === P2SH) {
        end = writeBase58(checked, next, text, end)
        next += CHECKED_BYTES
      } else if (type === UNKNOWN) {
        const witness = witnessProgramOf(bytes.subarray(at, at + scriptLength[o]!))
        if (witness !== undefined && witness.version > 0) {
          end = writeSegwit(witness.version, witness.program, 0, witness.program.length, text, end)
        }
      }
      ends[o] = end
    }
    const whole = text.toString('latin1', 0, end)
    let start = 0
    return Array.from(ends, textEnd => {
      const cut = textEnd === start ? null : whole.slice(start, textEnd)
      start = textEnd
      return cut
    })

    function base58Payloads(): Uint8Array {
      let total = 0
      for (let o = 0; o < count; o++) if (scriptType[o] === P2PKH || scriptType[o] === P2SH) total++
      const payloads = new Uint8Array(total * PAYLOAD_BYTES)
      let to = 0
      for (let o = 0; o < count; o++) {
        const type = scriptType[o]
        if (type !== P2PKH && type !== P2SH) continue
        const from = scriptOffset[o]! + (type === P2PKH ? 3 : 2)
        payloads[to++] = type === P2PKH ? forms.p2pkhVersion : forms.p2shVersion
        for (let i = 0; i < HASH160_BYTES; i++) payloads[to++] = bytes[from + i]!
      }
      const hashes = hasher.hash256Many(payloads, PAYLOAD_BYTES)
      const whole = new Uint8Array(total * CHECKED_BYTES)
      for (let n = 0; n < total; n++) {
        const place = n * CHECKED_BYTES
        for (let i = 0; i < PAYLOAD_BYTES; i++) whole[place + i] = payloads[n * PAYLOAD_BYTES + i]!
        // In display order the first four bytes of the hash are its last ones.
        for (let i = 0; i < 4; i++) whole[place + PAYLOAD_BYTES + i] = hashes[n * 32 + 31 - i]!
      }
      return whole
    }
  }
}
