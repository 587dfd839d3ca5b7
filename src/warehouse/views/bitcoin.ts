import type { Fill } from '../ddl.ts'

/** Keeps `btc_outpoints` equal to `btc_outputs`, in another order. The prefix is the txid's first eight bytes, big-endian. */
export const btcOutpointsFill: Fill = {
  name: 'btc_outpoints_fill',
  source: 'btc_outputs',
  target: 'btc_outpoints',
  sql: `SELECT
  batch,
  reinterpretAsUInt64(reverse(substring(txid, 1, 8))) AS txid_prefix,
  txid,
  vout,
  height,
  tx_index,
  block_time,
  value_sat,
  script_type,
  script
FROM base.btc_outputs`,
}
