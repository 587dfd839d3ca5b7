import assert from 'node:assert/strict'
import { after } from 'node:test'
import { readCatalog } from '#catalog/index.ts'
import { ask } from '../ask.ts'
import { openSnapshotMetrics } from '../testing.ts'
import { treasuryMetrics } from './index.ts'

export const catalog = await readCatalog('catalog')
export const metrics = treasuryMetrics(catalog)
export const site = await openSnapshotMetrics()
export type Row = { day: string; key: string; value: string | number; state: string }
export const read = <R>(sql: string) => ask<R>(site.warehouse.reader, sql)

export async function seriesOf(id: string, entity: string): Promise<Row[]> {
  const metric = metrics.find(each => each.id === id && each.entities.includes(entity))
  assert.ok(metric, `no metric ${id} of ${entity}`)
  return ask<Row>(site.warehouse.reader, metric.sql, { from: '2009-01-03', to: '2026-08-31', entity })
}

export const on = async (id: string, entity: string, day: string, key = '') =>
  (await seriesOf(id, entity)).find(row => row.day === day && row.key === key)?.value

after(() => site[Symbol.asyncDispose]())
