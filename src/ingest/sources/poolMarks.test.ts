/** An outlier rate of a pool would show as a real yield. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { defillamaYieldCharts, defillamaYields } from '#sources/live/defillamaYields.ts'
import type { LiveSource } from '#sources/live.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { askOnce, keepRows } from './askOnce.ts'
import { openPublisher } from './testing.ts'

const FIRST_DAY = '2026-11-24'
const MARKED_DAY = '2026-11-25'

test('a pool rate that the list flags as an outlier is not taken from the chart either, even after repeated reads', async () => {
  await using warehouse = await openTestWarehouse()
  await using publisher = await openPublisher()
  const catalog = await testCatalog()
  const [request] = defillamaYieldCharts.requests(catalog)
  assert.ok(request)
  const clock = { ms: 0 }
  const rates = { tvlUsd: 1_000_000, apyReward: null }
  const listed = { pool: request.pool, project: 'x', chain: 'Base', symbol: 'CBBTC-LBTC', ...rates }
  publisher.answer = ({ url = '' }, response) => {
    const isMarked = new Date(clock.ms).toISOString().startsWith(MARKED_DAY)
    const apyBase = isMarked ? 1e12 : 2
    const data = url.includes('/chart/')
      ? [
          { timestamp: `${FIRST_DAY}T23:01:00.000Z`, apyBase: 2, ...rates },
          { timestamp: `${MARKED_DAY}T23:01:00.000Z`, apyBase: 1e12, ...rates },
        ]
      : [{ ...listed, apyBase, outlier: isMarked }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  }
  const ask = async (source: LiveSource, about: string, at: string) => {
    clock.ms = Date.parse(at)
    const asked = source.requests(catalog).find(each => each.about === about)
    assert.ok(asked)
    const answer = await askOnce(
      { warehouse, catalog, keys: {}, mirror: publisher.origin, now: () => clock.ms },
      source,
      asked,
      { etag: null, lastModified: null, suspects: null },
    )
    await keepRows(warehouse, answer.rows)
    return answer
  }
  for (const day of [FIRST_DAY, MARKED_DAY]) await ask(defillamaYields, 'pools', `${day}T22:00:00Z`)
  for (const time of ['00:10', '06:10', '12:10']) {
    const { outcome, refused } = await ask(defillamaYieldCharts, request.about, `2026-11-26T${time}:00Z`)
    assert.notEqual(outcome, 'refused')
    assert.deepEqual(
      refused?.map(({ field }) => field),
      ['data.1'],
    )
  }
  const kept = await warehouse.reader.query({
    query: `SELECT metric, toString(day) AS day, value FROM observations
WHERE source = {source:String} ORDER BY metric, day`,
    query_params: { source: defillamaYieldCharts.id },
    format: 'JSONCompactEachRow',
  })
  assert.deepEqual(await kept.json(), [
    ['yield.apy_base', FIRST_DAY, 0.02],
    ['yield.tvl', FIRST_DAY, 1_000_000],
    ['yield.tvl', MARKED_DAY, 1_000_000],
  ])
})
