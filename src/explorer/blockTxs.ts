import { ExplorerError } from './errors.ts'
import { findBlock } from './findBlock.ts'
import { protocolsOf } from './protocols.ts'
import { type Reader, readRows } from './readRows.ts'

export type TxItem = {
  txid: string
  txIndex: number
  isCoinbase: boolean
  inputCount: number
  outputCount: number
  outputSat: string
  feeSat: string | null
  vsizeVb: number
  feerateSatPerVb: number | null
  protocols: string[]
}
export type TxRow = Omit<TxItem, 'protocols' | 'feerateSatPerVb'> & { protocolMask: number }

export const TX_SUMMARY_SQL = `lower(hex(txid)) AS txid, tx_index AS txIndex, is_coinbase AS isCoinbase, input_count AS inputCount,
  output_count AS outputCount, toString(output_sat) AS outputSat, toString(fee_sat) AS feeSat, vsize_vb AS vsizeVb,
  protocol_mask AS protocolMask`

/** Transactions of a block in their order, those after position `after`. Throws ExplorerError where they are not held. */
export async function readBlockTxs(
  reader: Reader,
  heightOrHash: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: TxItem[]; next: string | null }> {
  const { height, origin } = await findBlock(reader, heightOrHash)
  if (origin === 'statistics') {
    throw new ExplorerError(
      'explorer.txs_not_held',
      `Only node statistics are available for block ${height}.`,
      {
        hint: 'Its transactions come with the block itself: see `assay backfill`.',
        facts: { height },
      },
    )
  }
  const rows = await readRows<TxRow>(
    reader,
    `SELECT ${TX_SUMMARY_SQL}
FROM btc_txs
WHERE height = {height:UInt32} AND tx_index > {after:Int64}
ORDER BY tx_index
LIMIT {limit:UInt32}`,
    { height, after, limit: limit + 1 },
  )
  const items = rows.slice(0, limit).map(txItemOf)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last ? String(last.txIndex) : null }
}

export function txItemOf({ protocolMask, ...row }: TxRow): TxItem {
  const feerate = row.feeSat === null ? null : Number(row.feeSat) / row.vsizeVb
  return { ...row, feerateSatPerVb: feerate, protocols: protocolsOf(protocolMask) }
}
