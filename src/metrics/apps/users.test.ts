/** User retention of applications would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { decideStacks, hashOfName, writeMadeStacks } from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'

const START = Date.UTC(2026, 0, 1) / 1000
const DAY_S = 86_400
/** Days from the first one on which a block stands; it ends with the third month. */
const DAYS = Array.from({ length: 91 }, (_, day) => day)
const ORPHANS = [40, 41]

/** Who calls on which day: some once, some each month, some with a month between. */
const CALLS = DAYS.flatMap(day =>
  ['ada', 'bea', 'cyn', 'dot', 'eva', 'fay']
    .filter((_, who) => (day * 7 + who * 13) % (29 + who * 9) === 0)
    .map(sender => ({ day, sender })),
)
const monthOf = (day: number): string => new Date((START + day * DAY_S) * 1000).toISOString().slice(0, 7)

let site: TestMetrics
let contract = ''
before(async () => {
  site = await openEmptyMetrics()
  const { protocols } = await testCatalog()
  contract = protocols.find(({ slug }) => slug === 'alex')?.contracts?.[0]?.address ?? ''
  const block = (day: number) => ({
    height: day + 1,
    timeS: START + day * DAY_S + 60,
    burnHeight: 930_000 + day,
  })
  await writeMadeStacks(site.warehouse, DAYS.map(block), 1)
  await writeMadeStacks(site.warehouse, ORPHANS.map(block), 2)
  const row = (batch: number, day: number, sender: string) =>
    `(${batch}, ${day + 1}, ${START + day * DAY_S + 60}, 0, unhex('${hashOfName(`${day} ${sender}`).slice(2)}'), '${sender}', '${contract}', 'swap', true)`
  await site.warehouse.writer.command({
    query: `INSERT INTO base.stx_calls (batch, height, block_time, tx_index, txid, sender, contract, function_name, is_success) VALUES ${[
      ...CALLS.map(({ day, sender }) => row(1, day, sender)),
      // Of blocks that lost: who is only here never came.
      ...ORPHANS.map(day => row(2, day, 'gil')),
    ].join(', ')}`,
  })
  await decideStacks(site.warehouse, 2, false, ORPHANS.map(block))
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

test('users of a month by the month they came are those counted by hand, none that a reorg took back', async () => {
  assert.notEqual(contract, '')
  const { points } = await site.metrics.series({
    id: 'users.by_cohort',
    entity: 'alex',
    from: '2026-01-01',
    to: '2026-03-31',
    grain: 'month',
  })
  const cameIn = (sender: string) =>
    monthOf(Math.min(...CALLS.filter(call => call.sender === sender).map(({ day }) => day)))
  const months = ['2026-01', '2026-02', '2026-03']
  const cohorts = [...new Set(CALLS.map(({ sender }) => cameIn(sender)))].sort()
  assert.ok(cohorts.length > 1)
  const expected = months.flatMap(month =>
    cohorts
      .filter(cohort => cohort <= month)
      .map(cohort => {
        const users = CALLS.filter(({ day, sender }) => monthOf(day) === month && cameIn(sender) === cohort)
        return [`${month}-01`, cohort, new Set(users.map(({ sender }) => sender)).size]
      }),
  )
  assert.deepEqual(
    points.map(({ day, key, value }) => [day, key, Number(value)]),
    expected,
  )
})
