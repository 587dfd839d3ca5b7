import { createAddressTexts } from './address/addressTexts.ts'
import { type Epoch2Block, type Microblock, readEpoch2Block, readMicroblock } from './block/epoch2Block.ts'
import { type NakamotoBlock, readNakamotoBlock } from './block/nakamotoBlock.ts'
import { readPrincipal } from './clarity/principal.ts'
import { readValue } from './clarity/readValue.ts'
import { type ClarityValue, MOST_TYPE_DEPTH, MOST_VALUE_BYTES } from './clarity/value.ts'
import { MOST_BLOCK_BYTES, MOST_TRANSACTION_BYTES } from './constants.ts'
import { demandEnd, openReader, type Reader, refusal } from './reader.ts'
import { readValues } from './transaction/payload.ts'
import { type PostCondition, readPostConditions } from './transaction/postConditions.ts'
import { type DecodedTransaction, readTransaction } from './transaction/transaction.ts'

/** Decodes serialized bytes; each result refers to the bytes given: they must not change. Errors: `DecodeError` with the place. */
export type StacksCodec = {
  decodeTransaction(bytes: Uint8Array): DecodedTransaction
  /** One value, as results, events and `/v2` answers carry it: up to the depth that a contract can hold. */
  decodeValue(bytes: Uint8Array): ClarityValue
  /** A 32-bit count and that many values, as a call carries its arguments. */
  decodeValues(bytes: Uint8Array): ClarityValue[]
  /** A principal with its type byte, as text. */
  decodePrincipal(bytes: Uint8Array): string
  /** A 32-bit count and that many post-conditions. */
  decodePostConditions(bytes: Uint8Array): PostCondition[]
  decodeNakamotoBlock(bytes: Uint8Array): NakamotoBlock
  /** Nakamoto blocks one behind the other, as a node answers for a tenure: newest first. */
  decodeTenure(bytes: Uint8Array): NakamotoBlock[]
  decodeEpoch2Block(bytes: Uint8Array): Epoch2Block
  decodeMicroblock(bytes: Uint8Array): Microblock
}

/** Serialized values may be longer than what they hold. Source: stacks-core `BOUND_VALUE_SERIALIZATION_BYTES`. */
const MOST_SERIALIZED_VALUE_BYTES = 2 * MOST_VALUE_BYTES

/** Opens a codec. It holds memory only (texts of addresses); nothing needs closing. */
export function openStacksCodec(): StacksCodec {
  const addressText = createAddressTexts()

  function decoder<T>(what: string, mostBytes: number, read: (r: Reader) => T): (bytes: Uint8Array) => T {
    return bytes => {
      if (bytes.length > mostBytes) {
        throw refusal('too_large', `${bytes.length} bytes are too many for a ${what}`, what, 0, {
          got: bytes.length,
          expected: `at most ${mostBytes}`,
        })
      }
      const r = openReader(bytes, addressText)
      const result = read(r)
      demandEnd(r, what)
      return result
    }
  }

  return {
    decodeTransaction: decoder('transaction', MOST_TRANSACTION_BYTES, readTransaction),
    decodeValue: decoder('Clarity value', MOST_SERIALIZED_VALUE_BYTES, r => readValue(r, MOST_TYPE_DEPTH)),
    decodeValues: decoder('list of values', MOST_TRANSACTION_BYTES, readValues),
    decodePrincipal: decoder('principal', MOST_VALUE_BYTES, r => readPrincipal(r, 'principal')),
    decodePostConditions: decoder('list of post-conditions', MOST_TRANSACTION_BYTES, readPostConditions),
    decodeNakamotoBlock: decoder('block', MOST_BLOCK_BYTES, readNakamotoBlock),
    decodeTenure: decoder('tenure', Number.MAX_SAFE_INTEGER, readTenure),
    decodeEpoch2Block: decoder('block', MOST_BLOCK_BYTES, readEpoch2Block),
    decodeMicroblock: decoder('microblock', MOST_BLOCK_BYTES, readMicroblock),
  }
}

function readTenure(r: Reader): NakamotoBlock[] {
  const blocks: NakamotoBlock[] = []
  while (r.pos < r.bytes.length) blocks.push(readNakamotoBlock(r))
  return blocks
}
