import {
  CLARITY_VERSIONS,
  PAYLOAD_KINDS,
  TENURE_CHANGE_CAUSES,
  type TenureChangeCause,
} from '#kernel/stacks.ts'
import { type MicroblockHeader, readMicroblockHeader } from '../block/microblockHeader.ts'
import { readAscii, SOURCE_SPACES } from '../clarity/ascii.ts'
import { readClarityName, readContractName } from '../clarity/names.ts'
import { readAddress, readPrincipal } from '../clarity/principal.ts'
import { readValue } from '../clarity/readValue.ts'
import { type ClarityValue, MOST_WIRE_DEPTH, TYPE_PREFIX } from '../clarity/value.ts'
import {
  COINBASE_BYTES,
  CONSENSUS_HASH_BYTES,
  HASH_BYTES,
  HASH160_BYTES,
  MEMO_BYTES,
  VRF_PROOF_BYTES,
} from '../constants.ts'
import {
  type Reader,
  readBytes,
  readCount,
  readHex,
  readU8,
  readU32,
  readU64,
  refusal,
  unknownKind,
} from '../reader.ts'

export type Payload =
  | TokenTransfer
  | SmartContract
  | VersionedSmartContract
  | ContractCall
  | PoisonMicroblock
  | Coinbase
  | CoinbaseToAltRecipient
  | TenureChange
  | NakamotoCoinbase

export type TokenTransfer = {
  readonly kind: 'token_transfer'
  readonly recipient: string
  readonly amountUstx: bigint
  /** 34 bytes. */
  readonly memo: Uint8Array
}
export type SmartContract = {
  readonly kind: 'smart_contract'
  readonly contractName: string
  readonly source: string
}
export type VersionedSmartContract = {
  readonly kind: 'versioned_smart_contract'
  /** 1 to 6. */
  readonly clarityVersion: number
  readonly contractName: string
  readonly source: string
}
export type ContractCall = {
  readonly kind: 'contract_call'
  /** `address.name`. */
  readonly contract: string
  readonly functionName: string
  readonly args: readonly ClarityValue[]
}
/** Two headers by which a miner forked his own microblocks. */
export type PoisonMicroblock = {
  readonly kind: 'poison_microblock'
  readonly headers: readonly [MicroblockHeader, MicroblockHeader]
}
export type Coinbase = {
  readonly kind: 'coinbase'
  /** 32 bytes. */
  readonly data: Uint8Array
}
export type CoinbaseToAltRecipient = {
  readonly kind: 'coinbase_to_alt_recipient'
  readonly data: Uint8Array
  readonly recipient: string
}
export type NakamotoCoinbase = {
  readonly kind: 'nakamoto_coinbase'
  readonly data: Uint8Array
  readonly recipient: string | null
  /** 80 bytes: gamma 32, c 16, s 32. Not verified here. */
  readonly vrfProof: Uint8Array
}
/** Hashes are lower-case hex. */
export type TenureChange = {
  readonly kind: 'tenure_change'
  readonly tenureConsensusHash: string
  readonly previousTenureConsensusHash: string
  readonly burnViewConsensusHash: string
  /** Id of the last block of the tenure before. */
  readonly previousTenureEnd: string
  readonly previousTenureBlocks: number
  readonly cause: TenureChangeCause
  /** Hash of the public key that signs the blocks of the tenure. */
  readonly publicKeyHash: string
}

/** Source: SIP-005, SIP-015, SIP-021, SIP-034, stacks-core `stacks-codec/src/transaction.rs`, `TransactionPayload`. */
export function readPayload(r: Reader): Payload {
  const at = r.pos
  const byte = readU8(r, 'payload kind')
  const kind = PAYLOAD_KINDS[byte]
  switch (kind) {
    case 'token_transfer':
      return {
        kind,
        recipient: readPrincipal(r, 'recipient'),
        amountUstx: readU64(r, 'amount'),
        memo: readBytes(r, MEMO_BYTES, 'memo'),
      }
    case 'smart_contract':
      return { kind, contractName: readContractName(r, 'contract name'), source: readSource(r) }
    case 'versioned_smart_contract':
      return {
        kind,
        clarityVersion: readClarityVersion(r),
        contractName: readContractName(r, 'contract name'),
        source: readSource(r),
      }
    case 'contract_call': {
      const address = readAddress(r, 'contract address')
      return {
        kind,
        contract: `${address}.${readContractName(r, 'contract name')}`,
        functionName: readClarityName(r, 'function name'),
        args: readValues(r),
      }
    }
    case 'poison_microblock':
      return { kind, headers: readPoison(r, at) }
    case 'coinbase':
      return { kind, data: readBytes(r, COINBASE_BYTES, 'coinbase') }
    case 'coinbase_to_alt_recipient':
      return {
        kind,
        data: readBytes(r, COINBASE_BYTES, 'coinbase'),
        recipient: readPrincipal(r, 'recipient'),
      }
    case 'nakamoto_coinbase':
      return {
        kind,
        data: readBytes(r, COINBASE_BYTES, 'coinbase'),
        recipient: readOptionalRecipient(r),
        vrfProof: readBytes(r, VRF_PROOF_BYTES, 'VRF proof'),
      }
    case 'tenure_change':
      return readTenureChange(r)
    default:
      throw unknownKind('payload kind', byte, at, '0 to 8')
  }
}

/** A 32-bit count and that many values: the arguments of a call. */
export function readValues(r: Reader): ClarityValue[] {
  const count = readCount(r, 1, 'number of arguments')
  const values: ClarityValue[] = []
  for (let i = 0; i < count; i++) values.push(readValue(r, MOST_WIRE_DEPTH))
  return values
}

const readSource = (r: Reader): string =>
  readAscii(r, readCount(r, 1, 'length of the source'), SOURCE_SPACES, 'source')

function readClarityVersion(r: Reader): number {
  const at = r.pos
  const version = readU8(r, 'Clarity version')
  if (!(CLARITY_VERSIONS as readonly number[]).includes(version)) {
    throw unknownKind('Clarity version', version, at, '1 to 6')
  }
  return version
}

function readPoison(r: Reader, at: number): [MicroblockHeader, MicroblockHeader] {
  const first = readMicroblockHeader(r)
  const middle = r.pos
  const second = readMicroblockHeader(r)
  const length = r.pos - middle
  if (r.bytes.compare(r.bytes, middle, r.pos, middle - length, middle) === 0) {
    throw refusal('conflict', 'The two microblock headers are the same', 'poison microblock', at)
  }
  if (first.sequence !== second.sequence && first.previousBlock !== second.previousBlock) {
    throw refusal('conflict', 'The two microblock headers make no fork', 'poison microblock', at)
  }
  return [first, second]
}

/** An optional principal; the node takes any other value in the option for none, and writes it so. */
function readOptionalRecipient(r: Reader): string | null {
  const at = r.pos
  const value = readValue(r, MOST_WIRE_DEPTH)
  if (value.type !== 'optional') {
    throw refusal('conflict', 'The recipient of the coinbase is no optional principal', 'recipient', at)
  }
  if (value.value === null) return null
  if (value.value.type === 'principal') return value.value.value
  while (r.rewrites.length > 0 && r.rewrites.at(-1)!.at >= at) r.rewrites.pop()
  r.rewrites.push({ at, end: r.pos, bytes: Uint8Array.of(TYPE_PREFIX.none) })
  return null
}

function readTenureChange(r: Reader): TenureChange {
  const tenureConsensusHash = readHex(r, CONSENSUS_HASH_BYTES, 'tenure consensus hash')
  const previousTenureConsensusHash = readHex(r, CONSENSUS_HASH_BYTES, 'previous consensus hash')
  const burnViewConsensusHash = readHex(r, CONSENSUS_HASH_BYTES, 'burn view consensus hash')
  const previousTenureEnd = readHex(r, HASH_BYTES, 'last block of the previous tenure')
  const previousTenureBlocks = readU32(r, 'blocks of the previous tenure')
  const at = r.pos
  const byte = readU8(r, 'cause of the tenure change')
  const cause = TENURE_CHANGE_CAUSES[byte]
  if (cause === undefined) throw unknownKind('cause of the tenure change', byte, at, '0 to 6')
  return {
    kind: 'tenure_change',
    tenureConsensusHash,
    previousTenureConsensusHash,
    burnViewConsensusHash,
    previousTenureEnd,
    previousTenureBlocks,
    cause,
    publicKeyHash: readHex(r, HASH160_BYTES, 'public key hash'),
  }
}
