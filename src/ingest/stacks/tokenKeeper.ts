import { setTimeout as delay } from 'node:timers/promises'
import { type ReadOnlyCalls, readStacksToken } from '#chains/stacks/node/index.ts'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { stxTokens } from '#warehouse/tables/stacksTokens.ts'

export type StacksTokenKeeperDeps = {
  readonly warehouse: Warehouse
  readonly calls: ReadOnlyCalls
  readonly log: Log
  readonly now?: () => number
}

/** Asked for in one round; what is beyond waits for the next. */
const MOST_A_ROUND = 200
/** An answer as of a block this near to the tip is asked for again where a reorg took the block back. */
const OPEN_HEIGHTS = 1_000
const ROUND_MS = 30_000

export type StacksTokenKeeper = {
  /**
   * Asks for what is new, as of the newest block held. Returns how many answered. What fails is told and asked again the next
   * time: no block waits for a name.
   */
  askNew(signal?: AbortSignal): Promise<number>
}

/** Asks each contract whose tokens moved, once, what it says of itself, and keeps the answer with its block. */
export function createStacksTokenKeeper({
  warehouse,
  calls,
  log,
  now = Date.now,
}: StacksTokenKeeperDeps): StacksTokenKeeper {
  const rows = async <Row>(query: string): Promise<Row[]> => {
    const answer = await warehouse.writer.query({ query, format: 'JSONEachRow' })
    return answer.json<Row>()
  }
  /** Transfers below were looked through. Blocks that come in far below the tip later are found after a restart. */
  let lookedTo = 0
  let isAway = false
  let waiting: string[] = []

  async function findNew(tip: number): Promise<void> {
    const found = await rows<{ contract: string }>(`SELECT DISTINCT splitByString('::', asset)[1] AS contract
FROM stx_transfers
WHERE asset != '' AND height + ${OPEN_HEIGHTS} >= ${lookedTo} AND contract NOT IN (
  SELECT contract FROM base.stx_tokens
  WHERE height + ${OPEN_HEIGHTS} < ${tip} OR (height, block_hash) IN (
    SELECT height, hash FROM stx_blocks WHERE height + ${OPEN_HEIGHTS} >= ${tip}
  )
)
ORDER BY contract`)
    waiting = [...new Set([...waiting, ...found.map(({ contract }) => contract)])]
    lookedTo = tip
  }

  return {
    async askNew(signal) {
      const [tip] = await rows<{ height: number; hash: string }>(
        'SELECT height, lower(hex(hash)) AS hash FROM stx_blocks ORDER BY height DESC LIMIT 1',
      )
      if (tip === undefined) return 0
      await findNew(tip.height)
      let answered = 0
      for (const contract of waiting.slice(0, MOST_A_ROUND)) {
        try {
          const facts = await readStacksToken(calls, contract, tip.hash, signal)
          const blockHash = Buffer.from(tip.hash, 'hex')
          const askedAt = Math.floor(now() / 1000)
          await warehouse.insertRows(stxTokens, [{ ...facts, height: tip.height, blockHash, askedAt }])
          answered += 1
          isAway = false
        } catch (thrown) {
          signal?.throwIfAborted()
          if (!(thrown instanceof AssayError)) throw thrown
          // Said once: it is asked again every half minute, and a network that is away stays away for long.
          if (!isAway)
            log.warn(`Couldn’t request names of Stacks tokens: ${sentenceOf(thrown)}`, {
              code: thrown.code,
            })
          isAway = true
          break
        }
      }
      waiting = waiting.slice(answered)
      return answered
    },
  }
}

/** Asks for what is new every half minute until the signal is aborted. Nothing that fails ends it. */
export async function keepStacksTokens(deps: StacksTokenKeeperDeps, signal: AbortSignal): Promise<void> {
  const keeper = createStacksTokenKeeper(deps)
  while (!signal.aborted) {
    try {
      await keeper.askNew(signal)
    } catch (thrown) {
      if (signal.aborted) return
      deps.log.warn(`Couldn’t request names of Stacks tokens: ${sentenceOf(thrown)}`)
    }
    await delay(ROUND_MS, undefined, { signal }).catch(() => {})
  }
}
