import { SIP033_HEIGHT } from '#kernel/clarityWords.ts'
import type { StacksTable } from './table.ts'

/** The first block under SIP-033, and how much of the time since is held: one row. */
export const activationTable: StacksTable = {
  title: 'Activation and indexed blocks since',
  sub: `Blocks whose Bitcoin block is ${SIP033_HEIGHT} or later`,
  empty: 'No data yet.',
  columns: [
    { key: 'first_height', label: 'First block', form: 'count' },
    { key: 'first_time', label: 'Its time', form: 'time' },
    { key: 'burn_time', label: 'Time of the Bitcoin block', form: 'time' },
    { key: 'blocks', label: 'Indexed blocks since', form: 'count' },
    { key: 'from_day', label: 'From', form: 'day' },
    { key: 'to_day', label: 'To', form: 'day' },
    { key: 'whole_days', label: 'Whole days since', form: 'count' },
    { key: 'days', label: 'Days since', form: 'count' },
  ],
  sql: `WITH
  since AS (
    SELECT
      count() AS blocks, min(height) AS lowest, argMin(block_time, height) AS first_time,
      argMin(burn_time, height) AS first_burn_time, argMin(burn_height, height) AS first_burn_height,
      min(toDate(block_time)) AS from_day, max(toDate(block_time)) AS to_day
    FROM stx_blocks
    WHERE burn_height >= ${SIP033_HEIGHT}
  ),
  before AS (
    SELECT max(height) AS highest
    FROM stx_blocks
    WHERE burn_height BETWEEN ${SIP033_HEIGHT - 144} AND ${SIP033_HEIGHT - 1}
  )
SELECT
  if(b.highest + 1 = s.lowest AND b.highest > 0, s.lowest, NULL) AS first_height,
  if(isNull(first_height), NULL, formatDateTime(s.first_time, '%Y-%m-%dT%H:%i:%SZ')) AS first_time,
  if(isNull(first_height) OR s.first_burn_height != ${SIP033_HEIGHT}, NULL, formatDateTime(s.first_burn_time, '%Y-%m-%dT%H:%i:%SZ')) AS burn_time,
  s.blocks AS blocks, if(s.blocks = 0, NULL, s.from_day) AS from_day, if(s.blocks = 0, NULL, s.to_day) AS to_day,
  (SELECT count() FROM stx_whole_days WHERE day > '2025-11-11') AS whole_days,
  greatest(dateDiff('day', toDate('2025-11-11'), if(s.blocks = 0, toDate('2025-11-11'), s.to_day)), 0) AS days
FROM since AS s
CROSS JOIN before AS b`,
}
