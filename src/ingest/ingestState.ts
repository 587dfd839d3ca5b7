import type { Warehouse } from '#warehouse/index.ts'
import { type BtcIngestState, btcIngestStates } from '#warehouse/tables/bitcoin.ts'

export type IngestState = Omit<BtcIngestState, 'seq' | 'changedAt'> & { readonly changedAtMs: number }

type Change = Pick<BtcIngestState, 'state' | 'sentence' | 'sourceTip' | 'heldTip'>

/** Keeps what ingest does in the warehouse, one row a change, where other processes read it. */
export function createStateKeeper(warehouse: Warehouse, now: () => number) {
  let last: Change | undefined
  return {
    /** Writes a change of state or sentence; heights alone are no change. */
    async set(change: Change): Promise<void> {
      if (last?.state === change.state && last.sentence === change.sentence) return
      await warehouse.insertRows(btcIngestStates, [
        // Microseconds keep the order of changes within one second, across restarts.
        { ...change, seq: BigInt(Math.round(now() * 1000)), changedAt: Math.floor(now() / 1000) },
      ])
      last = change
    },
  }
}

export type StateKeeper = ReturnType<typeof createStateKeeper>

/** The newest state on record; undefined before the first. */
export async function readIngestState(warehouse: Warehouse): Promise<IngestState | undefined> {
  const answer = await warehouse.reader.query({
    query: `
SELECT state, sentence, source_tip AS sourceTip, held_tip AS heldTip, toUnixTimestamp(changed_at) * 1000 AS changedAtMs
FROM base.btc_ingest_states
ORDER BY seq DESC
LIMIT 1`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const [row] = await answer.json<IngestState>()
  return row
}
