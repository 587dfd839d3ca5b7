/** CTE `blocks`: the held blocks of the days asked for. Base tables are ordered by height, so statements keep to `RANGE`. */
export const BLOCKS = `blocks AS (
    SELECT height, toDate(block_time) AS bucket, block_time, burn_height
    FROM stx_blocks
    WHERE toDate(block_time) IN {buckets:Array(Date)}
  )`
export const RANGE = 'height BETWEEN (SELECT min(height) FROM blocks) AND (SELECT max(height) FROM blocks)'
export const IN_DAYS = `toDate(block_time) IN {buckets:Array(Date)} AND ${RANGE}`

export const daily = { grains: ['day'], scope: 'stacks' } as const
