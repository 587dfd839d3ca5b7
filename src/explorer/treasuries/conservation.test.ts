/** A treasury’s purchases would not add up to its balance, and nothing would say so. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { ask } from '#metrics/ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '#metrics/testing.ts'
import { TREASURIES_TABLES } from './index.ts'

let site: TestMetrics
before(async () => {
  site = await openSnapshotMetrics()
})
after(() => site[Symbol.asyncDispose]())

type Said = { entity: string; day: string; source: string; recordedAt: string; position: number; sat: string }
type Listed = {
  name: string
  name_href: string
  day: string
  held: string
  summed: string | null
  apart: string | null
  events: string
}

const read = <Row>(sql: string): Promise<Row[]> => ask<Row>(site.warehouse.reader, sql)

/** Rows as they were recorded, without those of which their source has said otherwise since. */
async function rowsOf(amount: string, tables: readonly string[]): Promise<Said[]> {
  const all = await read<Said>(
    tables
      .map(
        table =>
          `SELECT entity, toString(day) AS day, source, toString(recorded_at) AS recordedAt, position, toString(${amount}) AS sat FROM ${table} WHERE ${amount} IS NOT NULL`,
      )
      .join(' UNION ALL '),
  )
  const ofDay = Map.groupBy(all, ({ entity, day, source }) => `${entity} ${day} ${source}`)
  return [...ofDay.values()].flatMap(rows => {
    const newest = rows
      .map(({ recordedAt }) => recordedAt)
      .sort()
      .at(-1)
    return rows.filter(({ recordedAt }) => recordedAt === newest)
  })
}

test('what each holder states is the sum of its events, or the difference is listed to the satoshi, and no holder is left out', async () => {
  const { treasuries } = await testCatalog()
  const holders = treasuries.filter(({ kind }) => kind !== 'etf')
  const events = Map.groupBy(await rowsOf('delta_sat', ['base.treasury_event_rows']), ({ entity }) => entity)
  const statements = Map.groupBy(
    await rowsOf('held_sat', [
      'base.treasury_statement_rows',
      "(SELECT entity, day, held_sat, 'treasuries.said' AS source, loaded_at AS recorded_at, position FROM base.treasury_said_loads)",
    ]),
    ({ entity }) => entity,
  )
  const table = TREASURIES_TABLES.conservation
  assert.ok(table)
  const rows = await read<Listed>(table.sql(''))
  const listed = new Map(rows.map(row => [row.name_href.split('/').at(-1) ?? '', row]))
  assert.equal(listed.size, rows.length)
  assert.deepEqual([...listed.keys()].sort(), holders.map(({ id }) => id).sort())

  let apart = 0
  for (const { id } of holders) {
    const row = listed.get(id)
    const said = statements.get(id) ?? []
    const day =
      said
        .map(each => each.day)
        .sort()
        .at(-1) ?? ''
    // Several totals of one day: the one recorded last in its list.
    const held = said
      .filter(each => each.day === day)
      .reduce((last, each) => (each.position > last.position ? each : last)).sat
    const before = (events.get(id) ?? []).filter(each => each.day <= day)
    const sum = before.reduce((total, { sat }) => total + BigInt(sat), 0n)
    // Where nothing is recorded there is no sum, and nothing to be apart from.
    const isKnown = before.length > 0
    assert.deepEqual(
      [row?.day, row?.held, row?.summed, row?.apart, Number(row?.events)],
      [day, held, isKnown ? String(sum) : null, isKnown ? String(BigInt(held) - sum) : null, before.length],
      id,
    )
    if (isKnown && BigInt(held) !== sum) apart += 1
  }
  // Both kinds are in the snapshot: those that add up, and those that do not.
  assert.ok(apart > 0 && apart < holders.length, `${apart} of ${holders.length} are apart`)
  // The largest difference comes first among those with events.
  const differences = rows.filter(({ events: n }) => Number(n) > 0).map(row => Math.abs(Number(row.apart)))
  assert.deepEqual(
    differences,
    differences.toSorted((one, other) => other - one),
  )
  assert.equal(
    rows.findIndex(({ events: n }) => Number(n) === 0),
    differences.length,
  )
})
