import { decodeAbi } from '../abi/decode.ts'
import { parseType } from '../abi/types.ts'
import { DecodeError } from '../errors.ts'
import { bytesOf, type Hex } from '../hex.ts'
import type { EvmClient } from './client.ts'
import type { RpcCall } from './endpoint.ts'
import { hexNumber } from './logRanges.ts'

/** What a contract says of itself. It says what it likes: none of it can be proved. */
export type TokenFacts = {
  readonly token: Hex
  /** null: it has none, or says it in a way that nobody can read. */
  readonly name: string | null
  readonly symbol: string | null
  /** ERC-20 alone; null as above. */
  readonly decimals: number | null
}

/** Selectors of name(), symbol() and decimals() (ERC-20, ERC-721 metadata). */
const NAME = '0x06fdde03'
const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
/** Names are for people. What is longer is none. */
const LONGEST = 1_000
const TOKENS_A_REQUEST = 25

/** Asks contracts for what they say of themselves, as of one block (`eth_call`). */
export async function readTokens(
  client: EvmClient,
  tokens: readonly Hex[],
  blockNumber: number,
  signal?: AbortSignal,
): Promise<TokenFacts[]> {
  const found: TokenFacts[] = []
  for (let at = 0; at < tokens.length; at += TOKENS_A_REQUEST) {
    const some = tokens.slice(at, at + TOKENS_A_REQUEST)
    const calls = some.flatMap(to =>
      [NAME, SYMBOL, DECIMALS].map((data): RpcCall => ['eth_call', { to, data }, hexNumber(blockNumber)]),
    )
    found.push(
      ...(await client.tryBatch(
        results =>
          some.map((token, i) => ({
            token,
            name: textOf(results[3 * i]),
            symbol: textOf(results[3 * i + 1]),
            decimals: decimalsOf(results[3 * i + 2]),
          })),
        calls,
        signal,
      )),
    )
  }
  return found
}

const STRING = [parseType('string')]
const UINT8 = [parseType('uint8')]

const isAnswer = (result: unknown): result is Hex =>
  typeof result === 'string' && /^0x(?:[0-9a-fA-F]{2})+$/.test(result)

/** A text as the standard has it, or as tokens before the standard: 32 bytes. Either may be filled up with zeros. */
function textOf(result: unknown): string | null {
  if (!isAnswer(result)) return null
  const bytes = bytesOf(result)
  const given = bytes.length === 32 ? textOfWord(bytes) : decoded(() => decodeAbi(STRING, bytes)[0])
  if (typeof given !== 'string') return null
  const text = given.replace(/\0+$/, '')
  // With a replacement character it was not UTF-8.
  return text !== '' && text.length <= LONGEST && !text.includes('\ufffd') ? text : null
}

function textOfWord(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function decimalsOf(result: unknown): number | null {
  if (!isAnswer(result)) return null
  const value = decoded(() => decodeAbi(UINT8, bytesOf(result))[0])
  return typeof value === 'bigint' ? Number(value) : null
}

/** What does not decode is no answer of the standard. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch (thrown) {
    if (thrown instanceof DecodeError) return null
    throw thrown
  }
}
