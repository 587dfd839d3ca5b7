import type { Epoch2Block, Microblock } from '#chains/stacks/block/epoch2Block.ts'
import type { NakamotoBlock } from '#chains/stacks/block/nakamotoBlock.ts'
import {
  type DecodedTransaction,
  decodeAddress,
  encodePrincipal,
  encodeValue,
  type MicroblockHeader,
  type Payload,
  type PostCondition,
  type SpendingCondition,
} from '#chains/stacks/index.ts'
import {
  ANCHOR_MODES,
  AUTH_TYPES,
  CHAIN_IDS,
  FUNGIBLE_CODES,
  HASH_MODES,
  NON_FUNGIBLE_CODES,
  PAYLOAD_KINDS,
  POST_CONDITION_ASSETS,
  POST_CONDITION_MODES,
  POX_CODES,
  TENURE_CHANGE_CAUSES,
} from '#kernel/stacks.ts'

/** Wire bytes of a decoded transaction, made from its fields alone: what a decode lost would be missing here. */
export function encodeTransaction(tx: Omit<DecodedTransaction, 'txid' | 'sizeBytes'>): Buffer<ArrayBuffer> {
  return Buffer.concat([
    Buffer.of(tx.version),
    u32(tx.chainId),
    Buffer.of(codeOf(AUTH_TYPES, tx.auth.type)),
    condition(tx.auth.origin),
    ...(tx.auth.sponsor === null ? [] : [condition(tx.auth.sponsor)]),
    Buffer.of(codeOf(ANCHOR_MODES, tx.anchorMode), codeOf(POST_CONDITION_MODES, tx.postConditionMode)),
    encodePostConditions(tx.postConditions),
    payload(tx.payload),
  ])
}

export const encodePostConditions = (conditions: readonly PostCondition[]): Buffer<ArrayBuffer> =>
  Buffer.concat([u32(conditions.length), ...conditions.map(postCondition)])

export function encodeNakamotoBlock({ header, transactions }: NakamotoBlock): Buffer<ArrayBuffer> {
  const { poxTreatment: bits, problematicTransactions: markers } = header
  return Buffer.concat([
    Buffer.of(header.version | (header.isShadow ? 0x80 : 0)),
    u64(header.chainLength),
    u64(header.burnSpent),
    hex(header.consensusHash),
    hex(header.parentBlockId),
    hex(header.txMerkleRoot),
    hex(header.stateIndexRoot),
    u64(header.timeS),
    header.minerSignature,
    u32(header.signerSignatures.length),
    ...header.signerSignatures,
    u16(bits.length),
    u32(bits.bytes.length),
    bits.bytes,
    ...(header.version === 0 ? [] : [u32(markers.length)]),
    ...markers.flatMap(({ txIndex, category }) => [u32(txIndex), Buffer.of(category)]),
    encodeTransactions(transactions),
  ])
}

export function encodeEpoch2Block({ header, transactions }: Epoch2Block): Buffer<ArrayBuffer> {
  return Buffer.concat([
    Buffer.of(header.version),
    u64(header.burn),
    u64(header.work),
    header.vrfProof,
    hex(header.parentBlock),
    hex(header.parentMicroblock),
    u16(header.parentMicroblockSequence),
    hex(header.txMerkleRoot),
    hex(header.stateIndexRoot),
    hex(header.microblockPublicKeyHash),
    encodeTransactions(transactions),
  ])
}

export const encodeMicroblock = ({ header, transactions }: Microblock): Buffer<ArrayBuffer> =>
  Buffer.concat([microblockHeader(header), encodeTransactions(transactions)])

/** A transfer from the main network, to make others of by spreading over it. */
export const TRANSFER: Omit<DecodedTransaction, 'txid' | 'sizeBytes'> = {
  version: 0,
  chainId: CHAIN_IDS.mainnet,
  auth: {
    type: 'Standard',
    origin: {
      isMultisig: false,
      hashMode: 'P2PKH',
      address: 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B',
      nonce: 7n,
      feeUstx: 180n,
      isKeyCompressed: true,
      signature: new Uint8Array(65).fill(1),
    },
    sponsor: null,
  },
  anchorMode: 'any',
  postConditionMode: 'Deny',
  postConditions: [],
  payload: {
    kind: 'token_transfer',
    recipient: 'SP000000000000000000002Q6VF78',
    amountUstx: 1_000_000n,
    memo: new Uint8Array(34),
  },
}

const encodeTransactions = (transactions: readonly DecodedTransaction[]): Buffer<ArrayBuffer> =>
  Buffer.concat([u32(transactions.length), ...transactions.map(encodeTransaction)])

function condition(given: SpendingCondition): Buffer<ArrayBuffer> {
  const start = [
    Buffer.of(codeOf(HASH_MODES, given.hashMode)),
    decodeAddress(given.address).hash160,
    u64(given.nonce),
    u64(given.feeUstx),
  ]
  if (!given.isMultisig) {
    return Buffer.concat([...start, Buffer.of(given.isKeyCompressed ? 0 : 1), given.signature])
  }
  const fields = given.fields.flatMap(({ kind, isKeyCompressed, bytes }) => [
    Buffer.of((kind === 'signature' ? 2 : 0) + (isKeyCompressed ? 0 : 1)),
    bytes,
  ])
  return Buffer.concat([...start, u32(given.fields.length), ...fields, u16(given.signaturesRequired)])
}

function postCondition(given: PostCondition): Buffer<ArrayBuffer> {
  const start = [
    Buffer.of(codeOf(POST_CONDITION_ASSETS, given.assetType)),
    postConditionPrincipal(given.principal),
  ]
  switch (given.assetType) {
    case 'STX':
    case 'Staking':
      return Buffer.concat([...start, Buffer.of(codeOf(FUNGIBLE_CODES, given.code)), u64(given.amountUstx)])
    case 'Fungible': {
      const code = Buffer.of(codeOf(FUNGIBLE_CODES, given.code))
      return Buffer.concat([...start, asset(given.asset), code, u64(given.amount)])
    }
    case 'NonFungible': {
      const code = Buffer.of(codeOf(NON_FUNGIBLE_CODES, given.code))
      return Buffer.concat([...start, asset(given.asset), encodeValue(given.value), code])
    }
    case 'PoX':
      return Buffer.concat([...start, Buffer.of(codeOf(POX_CODES, given.code))])
  }
}

function postConditionPrincipal(principal: string): Buffer<ArrayBuffer> {
  if (principal === 'origin') return Buffer.of(1)
  return Buffer.concat([Buffer.of(principal.includes('.') ? 3 : 2), encodePrincipal(principal).subarray(1)])
}

function asset(text: string): Buffer<ArrayBuffer> {
  const [contract = '', name = ''] = text.split('::')
  return Buffer.concat([encodePrincipal(contract).subarray(1), sized(name)])
}

function payload(given: Payload): Buffer<ArrayBuffer> {
  const kind = Buffer.of(PAYLOAD_KINDS.indexOf(given.kind))
  switch (given.kind) {
    case 'token_transfer':
      return Buffer.concat([kind, encodePrincipal(given.recipient), u64(given.amountUstx), given.memo])
    case 'smart_contract':
      return Buffer.concat([kind, sized(given.contractName), source(given.source)])
    case 'versioned_smart_contract':
      return Buffer.concat([
        kind,
        Buffer.of(given.clarityVersion),
        sized(given.contractName),
        source(given.source),
      ])
    case 'contract_call':
      return Buffer.concat([
        kind,
        encodePrincipal(given.contract).subarray(1),
        sized(given.functionName),
        u32(given.args.length),
        ...given.args.map(encodeValue),
      ])
    case 'poison_microblock':
      return Buffer.concat([kind, ...given.headers.map(microblockHeader)])
    case 'coinbase':
      return Buffer.concat([kind, given.data])
    case 'coinbase_to_alt_recipient':
      return Buffer.concat([kind, given.data, encodePrincipal(given.recipient)])
    case 'nakamoto_coinbase': {
      const recipient =
        given.recipient === null ? [Buffer.of(9)] : [Buffer.of(10), encodePrincipal(given.recipient)]
      return Buffer.concat([kind, given.data, ...recipient, given.vrfProof])
    }
    case 'tenure_change':
      return Buffer.concat([
        kind,
        hex(given.tenureConsensusHash),
        hex(given.previousTenureConsensusHash),
        hex(given.burnViewConsensusHash),
        hex(given.previousTenureEnd),
        u32(given.previousTenureBlocks),
        Buffer.of(TENURE_CHANGE_CAUSES.indexOf(given.cause)),
        hex(given.publicKeyHash),
      ])
  }
}

const microblockHeader = (header: MicroblockHeader): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.of(header.version),
    u16(header.sequence),
    hex(header.previousBlock),
    hex(header.txMerkleRoot),
    header.signature,
  ])

function codeOf(names: Readonly<Record<number, string>>, name: string): number {
  const found = Object.entries(names).find(([, known]) => known === name)
  if (found === undefined) throw new RangeError(`${name} has no code`)
  return Number(found[0])
}

const sized = (text: string): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')])
const source = (text: string): Buffer<ArrayBuffer> =>
  Buffer.concat([u32(text.length), Buffer.from(text, 'latin1')])
const hex = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'hex')

function u16(value: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u64(value: bigint): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
