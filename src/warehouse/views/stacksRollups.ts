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

export const stxWholeDays: View = view('stx_whole_days', {
  doc: 'One row per UTC day, by block time, of which all Stacks blocks are held.',
  columns: { day: 'UTC day' },
  types: { day: 'Date' },
  sql: `SELECT day
FROM ${BASE_DATABASE}.stx_covered_days FINAL
WHERE is_held`,
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
