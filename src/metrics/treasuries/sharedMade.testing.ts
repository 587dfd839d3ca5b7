import assert from 'node:assert/strict'
import { after, beforeEach } from 'node:test'
import type { CatalogTreasury } from '#catalog/index.ts'
import { testCatalog } from '#catalog/testing.ts'
import type { RowOf } from '#kernel/table.ts'
import { schemaOf } from '#warehouse/index.ts'
import type { treasuryEventsTable } from '#warehouse/tables/treasuries.ts'
import { truncateTables } from '#warehouse/testing.ts'
import { ask } from '../ask.ts'
import { COIN } from '../madeChain.testing.ts'
import { loadTreasuries } from '../snapshot/loadTreasuries.ts'
import { openEmptyMetrics } from '../testing.ts'
import { treasuryMetrics } from './index.ts'
import { insertBitcoinCloses, insertShareCloses, insertStatements, secondOf } from './made.testing.ts'

export const site = await openEmptyMetrics()
export const TABLES = schemaOf({ evm: [], stacksApps: [] }).tables.map(({ name }) => name)
export const catalog = await testCatalog()
export const read = <Row>(sql: string) => ask<Row>(site.warehouse.reader, sql)
export const load = (treasury: CatalogTreasury) => loadTreasuries(site.warehouse, { treasuries: [treasury] })
export const state = (...rows: Parameters<typeof insertStatements>[1]) =>
  insertStatements(site.warehouse, rows)
export type Event = RowOf<typeof treasuryEventsTable>

export const buys = (more: Partial<Event>): Event => ({
  entity: 'made',
  day: '2026-01-05',
  kind: 'purchase',
  deltaSat: COIN,
  costUsd: null,
  priceUsd: null,
  afterSat: null,
  grade: 'B',
  ref: 'test',
  list: '',
  position: 0,
  source: 'made.events',
  recordedAt: secondOf('2026-02-01'),
  ...more,
})

export const setCloses = (closes: Record<string, number>, feed?: { quote: string; source: string }) =>
  insertBitcoinCloses(site.warehouse, closes, feed)

export const trade = (closes: Record<string, number>, currency?: string) =>
  insertShareCloses(site.warehouse, closes, currency === undefined ? {} : { currency })

export async function seriesOf(treasury: CatalogTreasury, id: string, entity = 'made') {
  const metric = treasuryMetrics({ ...catalog, treasuries: [treasury] }).find(
    each => each.id === id && each.entities.includes(entity),
  )
  assert.ok(metric, `no metric ${id} of ${entity}`)
  const rows = await ask<{ day: string; key: string; value: number | string }>(
    site.warehouse.reader,
    metric.sql,
    { from: '2009-01-03', to: '2026-12-31', entity },
  )
  return rows.map(({ day, key, value }) => [day, key, Number(value)] as const)
}

after(() => site[Symbol.asyncDispose]())

beforeEach(() => truncateTables(site.warehouse, TABLES))
