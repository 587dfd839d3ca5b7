import { type Reader, readRows } from './readRows.ts'

export type LayerOpRow = {
  txid: string
  vout: number
  op: string
  valueSat: string
  details: Record<string, string | number | boolean | null>
  rule: string
}

/** Operations of layers in a block, or in one of its transactions. */
export async function readLayerOps(reader: Reader, height: number, txIndex?: number): Promise<LayerOpRow[]> {
  const rows = await readRows<Omit<LayerOpRow, 'details'> & { detailsJson: string }>(
    reader,
    `SELECT lower(hex(txid)) AS txid, vout, toString(op) AS op, toString(value_sat) AS valueSat,
  details_json AS detailsJson, rule
FROM btc_layer_ops
WHERE height = {height:UInt32} ${txIndex === undefined ? '' : 'AND tx_index = {txIndex:UInt32}'}
ORDER BY tx_index, vout`,
    { height, ...(txIndex !== undefined && { txIndex }) },
  )
  return rows.map(({ detailsJson, ...row }) => ({
    ...row,
    // The codec wrote this object: flat, its values as the type says.
    details: JSON.parse(detailsJson || '{}') as LayerOpRow['details'],
  }))
}
