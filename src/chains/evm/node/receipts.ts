import { NodeError } from '../../node/errors.ts'
import { asFields, asList, hash, need } from '../fields.ts'
import type { EvmClient } from './client.ts'
import type { RpcCall } from './endpoint.ts'
import { gap, reorged } from './faults.ts'
import { hexNumber } from './logRanges.ts'

export type BlockAnswer = { readonly block: unknown; readonly receipts: unknown }

/** Asks for blocks with their receipts, by the way that the endpoints offer. */
export type ReceiptsReader = {
  /** Blocks of these heights and their receipts, of one endpoint; `read` checks them. */
  withReceipts<T>(
    numbers: readonly number[],
    signal: AbortSignal | undefined,
    read: (answers: readonly BlockAnswer[], endpoint: string) => T,
  ): Promise<T>
}

/**
 * `eth_getBlockReceipts` where any endpoint has it; else one `eth_getTransactionReceipt` a transaction, as older rskj and
 * some rollups need. Which one it is is found out once.
 */
export function createReceiptsReader(client: EvmClient): ReceiptsReader {
  let hasBlockReceipts = true

  const blockCalls = (numbers: readonly number[]): RpcCall[] =>
    numbers.map(number => ['eth_getBlockByNumber', hexNumber(number), true])

  const byBlock = <T>(
    numbers: readonly number[],
    signal: AbortSignal | undefined,
    read: (answers: readonly BlockAnswer[], endpoint: string) => T,
  ): Promise<T> =>
    client.batch(
      (results, name) =>
        read(
          numbers.map((_, i) => ({ block: results[i], receipts: results[numbers.length + i] })),
          name,
        ),
      [
        ...blockCalls(numbers),
        ...numbers.map((number): RpcCall => ['eth_getBlockReceipts', hexNumber(number)]),
      ],
      signal,
    )

  async function byTransaction<T>(
    numbers: readonly number[],
    signal: AbortSignal | undefined,
    read: (answers: readonly BlockAnswer[], endpoint: string) => T,
  ): Promise<T> {
    const { blocks, hashes } = await client.batch(
      (results, name) => {
        const missing = results.indexOf(null)
        if (missing >= 0) throw gap(name, numbers[missing]!)
        return { blocks: results, hashes: results.map(hashesOf) }
      },
      blockCalls(numbers),
      signal,
    )
    const calls = hashes.flat().map((id): RpcCall => ['eth_getTransactionReceipt', id])
    const answer = (results: readonly unknown[], name: string): T => {
      let at = 0
      return read(
        blocks.map((block, i) => {
          const receipts = results.slice(at, at + hashes[i]!.length)
          at += hashes[i]!.length
          const missing = receipts.indexOf(null)
          if (missing >= 0)
            throw reorged(name, numbers[i]!, `there is no receipt of ${hashes[i]![missing]} any more`)
          return { block, receipts }
        }),
        name,
      )
    }
    return calls.length === 0 ? answer([], client.name) : client.batch(answer, calls, signal)
  }

  return {
    async withReceipts(numbers, signal, read) {
      if (!hasBlockReceipts) return byTransaction(numbers, signal, read)
      try {
        return await byBlock(numbers, signal, read)
      } catch (thrown) {
        if (!(thrown instanceof NodeError) || thrown.code !== 'node.method') throw thrown
        hasBlockReceipts = false
        return byTransaction(numbers, signal, read)
      }
    },
  }
}

const hashesOf = (block: unknown): string[] =>
  need(asFields(block), 'transactions', asList).map(tx => need(asFields(tx), 'hash', hash))
