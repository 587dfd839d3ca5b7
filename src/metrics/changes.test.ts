/** Changes over time would compare different sets of companies, pools or repositories. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { MIN_SHARE_COVERAGE } from '#kernel/share.ts'
import { ask } from './ask.ts'
import { createMetrics } from './createMetrics.ts'
import { openSnapshotMetrics, type TestMetrics } from './testing.ts'

/** Sums over members of two days: of those that both have, and of all. */
type Sums = { now: number; then: number; allNow: number; allThen: number; both: number; all: number }

describe('changes over the bundled data', () => {
  let site: TestMetrics
  before(async () => {
    site = await openSnapshotMetrics()
  })
  after(() => site?.[Symbol.asyncDispose]())

  const figure = (id: string, entity: string) => site.metrics.figure({ id, entity, changeRange: '1y' })
  const rows = <Row>(sql: string, parameters: Record<string, string>) =>
    ask<Row>(site.warehouse.reader, sql, parameters)

  /** What a change is over members that both days have, null where these are less than 80% of either sum. */
  const expectedOf = ({ now, then, allNow, allThen }: Sums): number | null =>
    Math.min(now / allNow, then / allThen) < MIN_SHARE_COVERAGE ? null : now / then - 1

  test('bitcoin in treasuries changes by holders that were known before, where they are most of it', async () => {
    const seen = { changes: 0, none: 0 }
    for (const [range, days] of [
      ['30d', 30],
      ['90d', 90],
      ['1y', 365],
    ] as const) {
      const held = await site.metrics.figure({ id: 'btc.held', entity: 'bitcoin', changeRange: range })
      const [sums] = await rows<Sums>(
        `SELECT toFloat64(sumIf(held_now, is_known > 0)) AS now, toFloat64(sumIf(held_then, is_known > 0)) AS then,
  toFloat64(sum(held_now)) AS allNow, toFloat64(sumIf(held_then, is_known > 0)) AS allThen,
  toUInt32(countIf(is_known > 0)) AS both, toUInt32(count()) AS all
FROM (
  SELECT
    h.entity AS entity, argMaxIf(h.held_sat, h.day, h.day <= {day:Date}) AS held_now,
    argMaxIf(h.held_sat, h.day, h.day <= {day:Date} - ${days}) AS held_then,
    countIf(h.day <= {day:Date} - ${days}) AS is_known
  FROM treasury_held AS h
  INNER JOIN treasury_holders AS t ON t.entity = h.entity
  WHERE t.kind IN ('company', 'miner', 'government') AND h.day <= {day:Date}
  GROUP BY h.entity
)`,
        { day: held.point?.day ?? '' },
      )
      assert.ok(sums)
      const expected = expectedOf(sums)
      assert.equal(held.change?.toFixed(9), expected?.toFixed(9), range)
      const course = held.spark.filter(value => value !== null)
      if (expected === null) {
        seen.none += 1
        assert.deepEqual([held.changeOver, course], [null, []], range)
        continue
      }
      seen.changes += 1
      const over = { name: 'holders', count: sums.both, of: sums.all }
      assert.deepEqual(held.changeOver, sums.both === sums.all ? null : over, range)
      // From end to end its course rises by the change, and no step is a holder that was added.
      assert.equal((course.at(-1)! / course[0]! - 1).toFixed(9), held.change?.toFixed(9))
      assert.ok(Math.max(...course.slice(1).map((value, at) => value / course[at]!)) < 1.1, `${course}`)
    }
    // Governments that were added within the year are most of the growth of the sum.
    assert.ok(seen.changes > 0 && seen.none > 0, JSON.stringify(seen))
  })

  test('value in pools has no change where most of it is in pools that were not reported before', async () => {
    const all = await site.metrics.figure({ id: 'yield.tvl', entity: 'bitcoin', changeRange: 'max' })
    const [sums] = await rows<Sums>(
      `SELECT
  sum(tvl_now) AS allNow, sum(tvl_then) AS allThen, sumIf(tvl_now, has_both) AS now, sumIf(tvl_then, has_both) AS then,
  toUInt32(countIf(has_both)) AS both, toUInt32(countIf(has_now)) AS all
FROM (
  SELECT
    entity, sumIf(tvl_usd, day = {day:Date}) AS tvl_now,
    sumIf(tvl_usd, day = (SELECT min(day) FROM yield_days WHERE tvl_usd IS NOT NULL)) AS tvl_then,
    tvl_now > 0 AS has_now, tvl_now > 0 AND tvl_then > 0 AS has_both
  FROM yield_days
  GROUP BY entity
)`,
      { day: all.point?.day ?? '' },
    )
    assert.ok(sums)
    assert.ok(
      sums.both > 0 && sums.both < sums.all && sums.now < MIN_SHARE_COVERAGE * sums.allNow,
      JSON.stringify(sums),
    )
    assert.deepEqual([all.change, all.changeOver], [null, null])
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
    assert.ok(first.point)
    asked.length = 0
    assert.deepEqual(await read(), first)
    assert.deepEqual(asked, [])
  })
})
