import type { StacksTokenStandard } from '#kernel/stacks.ts'
import type { ClarityValue } from '../clarity/value.ts'
import type { ReadOnlyCalls } from './readOnly.ts'

/** What a token’s contract says of itself. It says what it likes: none of it can be proved. */
export type StacksTokenFacts = {
  readonly contract: string
  /** By what it answers; `none` where it answers like no standard. */
  readonly standard: StacksTokenStandard
  /** Null: it has none, or says it in a way that nobody can read. So are all below. */
  readonly name: string | null
  readonly symbol: string | null
  /** Digits behind the point. SIP-013 has them by token: those of token 1. */
  readonly decimals: number | null
  /** Where its description lies; of NFTs that of token 1, of SIP-013 likewise. */
  readonly tokenUri: string | null
  /** Base units; of SIP-013 over all tokens. */
  readonly totalSupply: bigint | null
  /** SIP-009: the highest id. */
  readonly lastTokenId: bigint | null
}

/** Names are for people. What is longer is none. */
const LONGEST = 1_000
const TOKEN_1: readonly ClarityValue[] = [{ type: 'uint', value: 1n }]

/**
 * Asks a contract what it says of itself, as of one block: SIP-010 (fungible), SIP-009 (NFT), SIP-013 (semi-fungible), told
 * apart by the functions that answer. Errors as of `ReadOnlyCalls`.
 */
export async function readStacksToken(
  calls: ReadOnlyCalls,
  contract: string,
  blockId: string,
  signal?: AbortSignal,
): Promise<StacksTokenFacts> {
  const ask = (name: string, args: readonly ClarityValue[] = []) =>
    calls.call(contract, name, args, blockId, signal).then(opened)
  const uri = async (args?: readonly ClarityValue[]) => textOf(await ask('get-token-uri', args))
  const facts = {
    contract,
    name: textOf(await ask('get-name')),
    symbol: textOf(await ask('get-symbol')),
    decimals: null,
    tokenUri: null,
    totalSupply: null,
    lastTokenId: null,
  }
  const decimals = uintOf(await ask('get-decimals'))
  if (decimals !== null)
    return {
      ...facts,
      standard: 'sip-010',
      decimals: smallOf(decimals),
      tokenUri: await uri(),
      totalSupply: uintOf(await ask('get-total-supply')),
    }
  const overall = uintOf(await ask('get-overall-supply'))
  if (overall !== null)
    return {
      ...facts,
      standard: 'sip-013',
      decimals: smallOf(uintOf(await ask('get-decimals', TOKEN_1))),
      tokenUri: await uri(TOKEN_1),
      totalSupply: overall,
    }
  const lastTokenId = uintOf(await ask('get-last-token-id'))
  if (lastTokenId !== null)
    return { ...facts, standard: 'sip-009', tokenUri: await uri(TOKEN_1), lastTokenId }
  return { ...facts, standard: 'none' }
}

/** `(ok …)` and `(some …)` opened; a refusal, `err` or `none` is null. */
function opened(value: ClarityValue | null): ClarityValue | null {
  if (value?.type === 'response') return value.isOk ? opened(value.value) : null
  if (value?.type === 'optional') return opened(value.value)
  return value
}

function textOf(value: ClarityValue | null): string | null {
  if (value?.type !== 'string-ascii' && value?.type !== 'string-utf8') return null
  return value.value !== '' && value.value.length <= LONGEST ? value.value : null
}

const uintOf = (value: ClarityValue | null): bigint | null => (value?.type === 'uint' ? value.value : null)
const smallOf = (value: bigint | null): number | null =>
  value !== null && value <= 255n ? Number(value) : null
