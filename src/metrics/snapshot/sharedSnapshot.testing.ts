import assert from 'node:assert/strict'
import { after } from 'node:test'
import { ask } from '../ask.ts'
import { openSnapshotMetrics } from '../testing.ts'

export const steps = new Set<string>()
export const site = await openSnapshotMetrics(({ step }) => steps.add(step))

export const read = <Row>(sql: string, parameters?: Record<string, string>) =>
  ask<Row>(site.warehouse.reader, sql, parameters)

export const series = (
  id: string,
  more: {
    entity?: string
    from?: string
    to?: string
    grain?: string
    unit?: 'btc' | 'usd'
    breakdown?: string[]
  } = {},
) => site.metrics.series({ id, entity: 'bitcoin', ...more })

export async function at(id: string, day: string, more: { entity?: string; key?: string } = {}) {
  const { points } = await series(id, {
    from: day,
    to: day,
    ...(more.entity === undefined ? {} : { entity: more.entity }),
  })
  return points.find(point => point.key === (more.key ?? ''))
}

export const near = (value: unknown, expected: number, relative = 1e-12) =>
  assert.ok(Math.abs(Number(value) / expected - 1) <= relative, `${value} is not ${expected}`)

/** Days that blocks, a node's statistics and a publisher all tell of. */
export const EARLY_DAYS = { from: '2009-01-20', to: '2009-02-10' }

after(() => site[Symbol.asyncDispose]())
