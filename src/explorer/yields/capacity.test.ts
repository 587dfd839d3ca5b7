/** An opportunity would show room for deposits that the market does not have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCatalog } from '#catalog/index.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { loadYields } from '#metrics/snapshot/loadYields.ts'
import { openEmptyMetrics } from '#metrics/testing.ts'
import { opportunitiesTable } from './opportunities.ts'

const SOURCE = 'stacks.reads'
const figure = (metric: string, key: string, day: string, said: { value: number } | { amount: bigint }) => ({
  metric,
  key,
  day,
  ...said,
  entity: 'zest',
  source: SOURCE,
})

test('capacity of a lending market follows from what lies in it and the part of its cap, both of one day', async () => {
  await using site = await openEmptyMetrics()
  await loadYields(site.warehouse, await readCatalog('catalog'))
  await writeMadeFigures(
    site.warehouse,
    [
      // An older cap, 25 BTC; then 20 BTC are two fifths of it: 50 BTC, of which 30 are left.
      figure('lend.supplied', 'v2 sBTC', '2025-01-01', { amount: 1_000_000_000n }),
      figure('lend.caps', 'v2 sBTC supply', '2025-01-01', { value: 0.4 }),
      figure('lend.supplied', 'v2 sBTC', '2025-02-01', { amount: 2_000_000_000n }),
      figure('lend.caps', 'v2 sBTC supply', '2025-02-01', { value: 0.4 }),
      // Caps of borrowing say nothing of room to lend, and a day with half of the answer is no answer.
      figure('lend.caps', 'v2 sBTC borrow', '2025-02-02', { value: 0.9 }),
      figure('lend.supplied', 'v2 sBTC', '2025-02-03', { amount: 9_000_000_000n }),
      // A market whose contract tells no cap.
      figure('lend.supplied', 'v1 sBTC', '2025-02-01', { amount: 700_000_000n }),
    ],
    [],
  )
  const answer = await site.warehouse.reader.query({ query: opportunitiesTable.sql(), format: 'JSONEachRow' })
  const rows = await answer.json<{ entity: string; capacity: string }>()
  const capacityOf = (entity: string) => rows.find(row => row.entity === entity)?.capacity
  assert.equal(capacityOf('zest-v2-sbtc'), '50 BTC, 30 left on 2025-02-01')
  assert.equal(capacityOf('zest-v1-sbtc'), 'no limit stated')
})
