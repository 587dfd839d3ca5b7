import { BASE_DATABASE } from '../ddl.ts'
import { type View, view } from '../view.ts'

/** What the base rows of a day are now, in the form of `btc_bucket_signatures`. */
export const stxBucketSignatures: View = view('stx_bucket_signatures', {
  doc: 'One row per UTC day that holds a Stacks block: a fingerprint of the base rows behind it.',
  columns: {
    scope: '`stacks`',
    grain: '`day`',
    bucket: 'UTC day',
    signature: 'fingerprint',
    blocks: 'blocks in the bucket',
  },
  sql: `SELECT
  'stacks' AS scope, 'day' AS grain, toDate(block_time) AS bucket,
  groupBitXor(cityHash64(height, batch)) AS signature, count() AS blocks
FROM ${BASE_DATABASE}.stx_blocks
WHERE batch IN (SELECT batch FROM ${BASE_DATABASE}.stx_live_batches)
GROUP BY bucket`,
})

/** Header times may run ahead of the clock by so much (Bitcoin Core `MAX_FUTURE_BLOCK_TIME`). */
const AHEAD_S = 7200

/**
 * Block times before Nakamoto are header times of Bitcoin, which may step back: a day counts once the run of blocks
 * reaches two hours beyond both of its ends.
 */
export const stxWholeDays: View = view('stx_whole_days', {
  doc: 'One row per UTC day, by block time, of which all Stacks blocks are held.',
  columns: { day: 'UTC day' },
  types: { day: 'Date' },
  sql: `WITH
  ends AS (
    SELECT height, block_time
    FROM stx_blocks
    WHERE height IN (SELECT from_height FROM stx_coverage UNION DISTINCT SELECT to_height FROM stx_coverage)
  ),
  runs AS (
    SELECT
      if(c.from_height <= 1, toDate(f.block_time), toDate(f.block_time + ${AHEAD_S}) + 1) AS first_day,
      toDate(l.block_time - ${AHEAD_S}) - 1 AS last_day
    FROM stx_coverage AS c
    INNER JOIN ends AS f ON f.height = c.from_height
    INNER JOIN ends AS l ON l.height = c.to_height
  )
SELECT arrayJoin(arrayMap(n -> first_day + n, range(toUInt32(last_day - first_day + 1)))) AS day
FROM runs
WHERE last_day >= first_day`,
})

/** Sources differ in what they tell of a block: figures of what was not told are not known, though the block is held. */
export const stxUntoldDays: View = view('stx_untold_days', {
  doc: 'One row per UTC day and part of a Stacks block that the source of a block of that day does not tell.',
  columns: {
    day: 'UTC day',
    part: 'what is not told, as in `lacks` of `stx_blocks`',
    blocks: 'blocks of the day without it',
  },
  sql: `SELECT toDate(block_time) AS day, arrayJoin(splitByChar(',', lacks)) AS part, count() AS blocks
FROM stx_blocks
WHERE lacks != ''
GROUP BY day, part`,
})
