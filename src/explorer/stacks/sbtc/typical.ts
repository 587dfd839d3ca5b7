import { type Reader, readRows } from '../../readRows.ts'

/** Delays and costs of the way in and out over thirty days. */
export type SbtcTypical = {
  /** Days up to that of the newest block that is held. */
  days: number
  waits: {
    what:
      | 'deposit_to_sweep_blocks'
      | 'deposit_to_mint_blocks'
      | 'deposit_to_mint_seconds'
      | 'deposit_fee_sat'
      | 'request_to_payment_blocks'
      | 'request_to_payment_seconds'
      | 'withdrawal_fee_sat'
    count: number
    median: number
    p90: number
  }[]
}

const DAYS = 30

/** Median and 90th percentile of each wait, of users’ deposits minted and withdrawals accepted in the days. */
export async function readSbtcTypical(reader: Reader): Promise<SbtcTypical> {
  type Row = { what: SbtcTypical['waits'][number]['what']; count: string; median: string; p90: string }
  const one = (name: string, column: string) => `('${name}', toInt64OrNull(toString(${column})))`
  const since = `(SELECT max(block_time) - INTERVAL ${DAYS} DAY FROM stx_blocks)`
  const rows = await readRows<Row>(
    reader,
    `SELECT pair.1 AS what, count(pair.2) AS count,
  toString(quantileExactLow(0.5)(assumeNotNull(pair.2))) AS median, toString(quantileExact(0.9)(assumeNotNull(pair.2))) AS p90
FROM (
  SELECT arrayJoin([${[
    one('deposit_to_sweep_blocks', 'blocks_to_sweep'),
    one('deposit_to_mint_blocks', 'blocks_to_mint'),
    one('deposit_to_mint_seconds', 'seconds_to_mint'),
    one('deposit_fee_sat', 'fee_sat'),
  ].join(', ')}]) AS pair
  FROM stx_sbtc_deposits
  WHERE origin = 'user' AND block_time > ${since}
  UNION ALL
  SELECT arrayJoin([${[
    one('request_to_payment_blocks', 'blocks_to_payment'),
    one('request_to_payment_seconds', 'seconds_to_payment'),
    one('withdrawal_fee_sat', 'fee_sat'),
  ].join(', ')}]) AS pair
  FROM stx_sbtc_withdrawals
  WHERE status = 'accepted' AND settled_time > ${since}
)
WHERE pair.2 IS NOT NULL
GROUP BY what
ORDER BY what`,
  )
  return {
    days: DAYS,
    waits: rows.map(({ what, count, median, p90 }) => ({
      what,
      count: Number(count),
      median: Number(median),
      p90: Number(p90),
    })),
  }
}
