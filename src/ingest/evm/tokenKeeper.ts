import type { Hex } from '#chains/evm/index.ts'
import { type EvmSource, readTokens } from '#chains/evm/node/index.ts'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import { EVM_TOKEN_STANDARDS, type EvmLayer, type EvmTokenStandard } from '#kernel/evm.ts'
import type { Log } from '#kernel/log.ts'
import type { ColumnsOf } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { evmTokens, type evmTransfers } from '#warehouse/tables/evm.ts'

/** Asks each token that moved, once, what it says of itself, and keeps the answer with the block that it was given at. */
export type TokenKeeper = {
  /** Remembers the tokens of transfers that were committed. */
  note(transfers: ColumnsOf<typeof evmTransfers>): void
  /** Answers of these heights are asked for again: their block was taken back. */
  forget(fromHeight: number, toHeight: number): void
  /** Asks for what is new, as of a held block. Troubles are told and tried again the next time: no block waits for a name. */
  askNew(block: { readonly height: number; readonly hash: string }, signal?: AbortSignal): Promise<void>
}

export type TokenKeeperDeps = {
  readonly warehouse: Warehouse
  readonly layer: EvmLayer
  readonly source: EvmSource
  readonly log: Log
  readonly now: () => number
}

/** Asked for at once; what is beyond waits for the next block. */
const MOST_AT_ONCE = 500

/** Finds out first which tokens moved in what is held and were never asked. */
export async function openTokenKeeper({
  warehouse,
  layer,
  source,
  log,
  now,
}: TokenKeeperDeps): Promise<TokenKeeper> {
  const rows = async <Row>(query: string): Promise<Row[]> => {
    const answer = await warehouse.writer.query({ query, query_params: { layer }, format: 'JSONEachRow' })
    return answer.json<Row>()
  }
  const asked = new Map<string, number>()
  for (const { token, height } of await rows<{ token: string; height: number }>(
    `SELECT lower(hex(token)) AS token, max(height) AS height FROM base.evm_tokens
WHERE chain = {layer:String} GROUP BY token`,
  ))
    asked.set(token, height)
  const waiting = new Map<string, EvmTokenStandard>()
  for (const { token, standard } of await rows<{ token: string; standard: EvmTokenStandard }>(
    `SELECT lower(hex(token)) AS token, toString(any(standard)) AS standard FROM evm_transfers
WHERE chain = {layer:String} AND token NOT IN (SELECT token FROM base.evm_tokens WHERE chain = {layer:String})
GROUP BY token`,
  ))
    waiting.set(token, standard)

  return {
    note({ rowCount, token, standard }) {
      const tokens = Buffer.from(token.buffer, token.byteOffset, token.byteLength)
      for (let row = 0; row < rowCount; row++) {
        const name = tokens.toString('hex', row * 20, (row + 1) * 20)
        if (!asked.has(name)) waiting.set(name, EVM_TOKEN_STANDARDS[standard[row]!]!)
      }
    },
    forget(fromHeight, toHeight) {
      for (const [token, height] of asked) if (height >= fromHeight && height <= toHeight) asked.delete(token)
    },
    async askNew({ height, hash }, signal) {
      const some = [...waiting].slice(0, MOST_AT_ONCE)
      if (some.length === 0) return
      try {
        const found = await readTokens(
          source.client,
          some.map(([token]): Hex => `0x${token}`),
          height,
          signal,
        )
        await warehouse.insertRows(
          evmTokens,
          found.map(({ token, name, symbol, decimals }, i) => ({
            chain: layer,
            token: Buffer.from(token.slice(2), 'hex'),
            standard: some[i]![1],
            name,
            symbol,
            decimals,
            height,
            blockHash: Buffer.from(hash, 'hex'),
            askedAt: Math.floor(now() / 1000),
          })),
        )
        for (const [token] of some) {
          waiting.delete(token)
          asked.set(token, height)
        }
      } catch (thrown) {
        signal?.throwIfAborted()
        if (!(thrown instanceof AssayError)) throw thrown
        log.warn(`Couldn’t request token names: ${sentenceOf(thrown)}`, {
          chain: layer,
          code: thrown.code,
        })
      }
    },
  }
}
