/** Changes over time would compare different sets of companies, pools or repositories. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { ask } from './ask.ts'
import { createMetrics } from './createMetrics.ts'
import { openSnapshotMetrics, type TestMetrics } from './testing.ts'

describe('changes over the bundled data', () => {
  let site: TestMetrics
  before(async () => {
    site = await openSnapshotMetrics()
  })
  after(() => site?.[Symbol.asyncDispose]())

  const figure = (id: string, entity: string) => site.metrics.figure({ id, entity, changeRange: '1y' })
  const rows = <Row>(sql: string, parameters: Record<string, string>) =>
    ask<Row>(site.warehouse.reader, sql, parameters)

  test('bitcoin in treasuries grows by holders that were known a year before', async () => {
    const { point, change, changeOver, spark } = await figure('btc.held', 'bitcoin')
    const [sums] = await rows<{ now: string; then: string; both: string; all: string }>(
      `SELECT sum(now) AS now, sum(then) AS then, count() AS both, any(all) AS all
FROM (
  SELECT
    h.entity AS entity, argMaxIf(h.held_sat, h.day, h.day <= {day:Date}) AS now,
    argMaxIf(h.held_sat, h.day, h.day <= {day:Date} - 365) AS then,
    countIf(h.day <= {day:Date} - 365) AS is_known, count() OVER () AS all
  FROM treasury_held AS h
  INNER JOIN treasury_holders AS t ON t.entity = h.entity
  WHERE t.kind IN ('company', 'miner', 'government') AND h.day <= {day:Date}
  GROUP BY h.entity
)
WHERE is_known > 0`,
      { day: point?.day ?? '' },
    )
    assert.ok(sums)
    assert.equal(change?.toFixed(9), (Number(sums.now) / Number(sums.then) - 1).toFixed(9))
    assert.deepEqual(changeOver, { name: 'holders', count: Number(sums.both), of: Number(sums.all) })
    // Governments that were added since are most of the growth of the sum.
    assert.ok((change ?? 9) < 1, `${change}`)
    // Its course is over the same holders: from end to end it rises by the change, and no step is a holder that was added.
    const course = spark.filter(value => value !== null)
    assert.equal((course.at(-1)! / course[0]! - 1).toFixed(9), change?.toFixed(9))
    assert.ok(Math.max(...course.slice(1).map((value, at) => value / course[at]!)) < 1.1, `${course}`)
  })

  test('the change of value in pools compares the pools reported on both days', async () => {
    const all = await site.metrics.figure({ id: 'yield.tvl', entity: 'bitcoin', changeRange: 'max' })
    const [sums] = await rows<{ now: number; then: number; both: string }>(
      `SELECT sum(n.tvl_usd) AS now, sum(o.tvl_usd) AS then, count() AS both
FROM yield_days AS n
INNER JOIN yield_days AS o ON o.entity = n.entity
WHERE n.day = {day:Date} AND o.day = (SELECT min(day) FROM yield_days WHERE tvl_usd IS NOT NULL) AND n.tvl_usd IS NOT NULL AND o.tvl_usd IS NOT NULL`,
      { day: all.point?.day ?? '' },
    )
    assert.ok(sums)
    assert.equal(all.change?.toFixed(6), (sums.now / sums.then - 1).toFixed(6))
    assert.equal(all.changeOver?.count, Number(sums.both))
    const median = await site.metrics.figure({
      id: 'yield.median_90d',
      entity: 'bitcoin',
      changeRange: 'max',
    })
    assert.equal(median.change, null)
  })

  test('developers change over the repositories that are read over the whole year, and the others are named', async () => {
    const early = { citrea: ['chainwayxyz/citrea'], stacks: ['alexgo-io/alex-v1', 'hirosystems/clarinet'] }
    for (const [ecosystem, missing] of Object.entries({
      ...early,
      ecosystems: [...early.stacks, ...early.citrea],
      rootstock: [],
    })) {
      const { point, change, coverage } = await figure('dev.monthly', ecosystem)
      const [counts] = await rows<{ now: number; then: number; listed: string }>(
        `SELECT
  maxIf(monthly, day = {day:Date}) AS now, maxIf(monthly, day = {day:Date} - 365) AS then,
  (SELECT uniqExact(repository) FROM dev_repositories WHERE {ecosystem:String} IN (ecosystem, 'ecosystems')) AS listed
FROM dev_days
WHERE ecosystem = {ecosystem:String} AND NOT is_raw`,
        { ecosystem, day: point?.day ?? '' },
      )
      assert.ok(counts)
      assert.equal(change?.toFixed(9), (counts.now / counts.then - 1).toFixed(9), ecosystem)
      assert.deepEqual(coverage?.missing, missing.toSorted(), ecosystem)
      assert.deepEqual(
        [coverage?.of, coverage?.count],
        [Number(counts.listed), Number(counts.listed) - missing.length],
      )
    }
  })

  test('companies below their bitcoin are counted on a day that lacks none of them', async () => {
    const { point } = await site.metrics.figure({
      id: 'mnav.companies',
      entity: 'bitcoin',
      changeRange: '30d',
    })
    // As the table of holders counts: each by its newest mNAV.
    const [table] = await rows<{ below: string; first: string }>(
      `SELECT countIf(mnav < 1) AS below, min(day) AS first
FROM (
  SELECT argMax(m.close_usd * m.shares / (m.held_sat / 1e8 * m.btc_usd), m.day) AS mnav, max(m.day) AS day
  FROM treasury_market_days AS m
  INNER JOIN treasury_holders AS t ON t.entity = m.entity
  WHERE t.kind = 'company' AND t.main_business = '' AND m.held_sat > 0 AND m.shares > 0 AND m.close_usd > 0
  GROUP BY m.entity
)`,
      {},
    )
    assert.deepEqual([point?.day, Number(point?.value)], [table?.first, Number(table?.below)])
  })

  test('what a change compares is read once while the data stays as it is', async () => {
    const asked: string[] = []
    const { reader } = site.warehouse
    const metrics = createMetrics({
      warehouse: {
        ...site.warehouse,
        reader: Object.assign(Object.create(reader), {
          query: (question: Parameters<typeof reader.query>[0]) => {
            asked.push(question.query)
            return reader.query(question)
          },
        }),
      },
      catalog: await testCatalog(),
      log: silentLog,
    })
    const standing = await metrics.standing()
    const read = () =>
      metrics.figure({ id: 'btc.held', entity: 'bitcoin', changeRange: '1y' }, undefined, standing)
    const first = await read()
    assert.ok(first.changeOver)
    asked.length = 0
    assert.deepEqual(await read(), first)
    assert.deepEqual(asked, [])
  })
})
