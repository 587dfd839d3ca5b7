import {
  FUNGIBLE_CODES,
  type FungibleCode,
  NON_FUNGIBLE_CODES,
  type NonFungibleCode,
  POST_CONDITION_ASSETS,
  POX_CODES,
  type PoxCode,
} from '#kernel/stacks.ts'
import { readClarityName, readContractName } from '../clarity/names.ts'
import { readAddress } from '../clarity/principal.ts'
import { readValue } from '../clarity/readValue.ts'
import { type ClarityValue, MOST_WIRE_DEPTH } from '../clarity/value.ts'
import { type Reader, readCount, readU8, readU64, unknownKind } from '../reader.ts'

/** What a transaction may do with assets at most; `principal` is `origin`, an address or a contract. */
export type PostCondition =
  | StxPostCondition
  | FungiblePostCondition
  | NonFungiblePostCondition
  | PoxPostCondition

export type StxPostCondition = {
  /** `Staking` bounds what is locked, not what is sent. */
  readonly assetType: 'STX' | 'Staking'
  readonly principal: string
  readonly code: FungibleCode
  readonly amountUstx: bigint
}
export type FungiblePostCondition = {
  readonly assetType: 'Fungible'
  readonly principal: string
  /** `address.contract::asset`. */
  readonly asset: string
  readonly code: FungibleCode
  /** In base units of the token. */
  readonly amount: bigint
}
export type NonFungiblePostCondition = {
  readonly assetType: 'NonFungible'
  readonly principal: string
  readonly asset: string
  readonly value: ClarityValue
  readonly code: NonFungibleCode
}
export type PoxPostCondition = {
  readonly assetType: 'PoX'
  readonly principal: string
  readonly code: PoxCode
}

/** Asset, principal and code. */
const LEAST_BYTES = 3

/** Source: SIP-005, SIP-040, stacks-core `stacks-codec/src/transaction.rs`, `TransactionPostCondition`. */
export function readPostConditions(r: Reader): PostCondition[] {
  const count = readCount(r, LEAST_BYTES, 'number of post-conditions')
  const conditions: PostCondition[] = []
  for (let i = 0; i < count; i++) conditions.push(readPostCondition(r))
  return conditions
}

function readPostCondition(r: Reader): PostCondition {
  const at = r.pos
  const asset = readU8(r, 'post-condition asset')
  const assetType = POST_CONDITION_ASSETS[asset as keyof typeof POST_CONDITION_ASSETS]
  if (assetType === undefined) throw unknownKind('post-condition asset', asset, at, '0 to 4')
  const principal = readPostConditionPrincipal(r)
  switch (assetType) {
    case 'STX':
    case 'Staking':
      return { assetType, principal, code: readFungibleCode(r), amountUstx: readU64(r, 'amount') }
    case 'Fungible': {
      const asset = readAsset(r)
      return { assetType, principal, asset, code: readFungibleCode(r), amount: readU64(r, 'amount') }
    }
    case 'NonFungible': {
      const asset = readAsset(r)
      const value = readValue(r, MOST_WIRE_DEPTH)
      return { assetType, principal, asset, value, code: readCode(r, NON_FUNGIBLE_CODES, '16 to 18') }
    }
    case 'PoX':
      return { assetType, principal, code: readCode(r, POX_CODES, '48 to 50') }
  }
}

function readPostConditionPrincipal(r: Reader): string {
  const at = r.pos
  const type = readU8(r, 'post-condition principal')
  switch (type) {
    case 1:
      return 'origin'
    case 2:
      return readAddress(r, 'post-condition principal')
    case 3:
      return `${readAddress(r, 'post-condition principal')}.${readContractName(r, 'contract name')}`
    default:
      throw unknownKind('post-condition principal', type, at, '1 to 3')
  }
}

function readAsset(r: Reader): string {
  const address = readAddress(r, 'asset')
  const contract = readContractName(r, 'contract name')
  return `${address}.${contract}::${readClarityName(r, 'asset name')}`
}

const readFungibleCode = (r: Reader): FungibleCode => readCode(r, FUNGIBLE_CODES, '1 to 5')

function readCode<T extends string>(r: Reader, codes: Readonly<Record<number, T>>, expected: string): T {
  const at = r.pos
  const byte = readU8(r, 'condition code')
  const code = codes[byte]
  if (code === undefined) throw unknownKind('condition code', byte, at, expected)
  return code
}
