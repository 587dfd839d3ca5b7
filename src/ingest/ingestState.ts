import { type ChainOfFamily, ofChainSql, rowsOfChain, type Warehouse } from '#warehouse/index.ts'
import type { IngestStateRow } from '#warehouse/tables/batches.ts'

export type IngestState = Omit<IngestStateRow, 'seq' | 'changedAt'> & { readonly changedAtMs: number }

type Change = Pick<IngestStateRow, 'state' | 'sentence' | 'sourceTip' | 'heldTip'>

/** Keeps what the ingest of a chain does in the warehouse, one row a change, where other processes read it. */
export function createStateKeeper(warehouse: Warehouse, of: ChainOfFamily, now: () => number) {
  let last: Change | undefined
  return {
    /** Writes a change of state or sentence; heights alone are no change. */
    async set(change: Change): Promise<void> {
      if (last?.state === change.state && last.sentence === change.sentence) return
      // Microseconds keep the order of changes within one second, across restarts.
      const row = { ...change, seq: BigInt(Math.round(now() * 1000)), changedAt: Math.floor(now() / 1000) }
      await warehouse.insertRows(of.family.states, rowsOfChain(of, [row]))
      last = change
    },
  }
}

/** The newest state of a chain on record; undefined before the first. */
export async function readIngestState(
  warehouse: Pick<Warehouse, 'reader'>,
  of: ChainOfFamily,
): Promise<IngestState | undefined> {
  const answer = await warehouse.reader.query({
    query: `
SELECT state, sentence, source_tip AS sourceTip, held_tip AS heldTip, toUnixTimestamp(changed_at) * 1000 AS changedAtMs
FROM base.${of.family.states.name}
WHERE ${ofChainSql(of)}true
ORDER BY seq DESC
LIMIT 1`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const [row] = await answer.json<IngestState>()
  return row
}
