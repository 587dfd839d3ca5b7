/** Figures would be marked late too early or never. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { cadenceDays } from './cadence.ts'
import { metricsOf } from './registry.ts'

test('a figure is due by its kind: a day, a weekend, a cycle, a month', async () => {
  const metrics = metricsOf(await testCatalog())
  const daysOf = (id: string, entity: string): number | undefined => {
    const found = metrics.find(metric => metric.id === id && metric.entities.includes(entity))
    return found && cadenceDays(found)
  }
  assert.deepEqual(
    [
      ['price.close', 'bitcoin', 1],
      ['fees.total', 'bitcoin', 1],
      ['fees.block_rate', 'bitcoin', 1],
      ['tvl.total', 'stacks', 1],
      ['btc.bridged', 'bob', 1],
      ['etf.flow', 'bitcoin', 3],
      ['pox.yield', 'fast-pool', 14],
      ['pox.cycle', 'stacks', 1],
      ['cdp.vaults', 'arkadiko', 14],
      ['btc.held', 'strategy', 31],
      ['btc.held', 'bitcoin', 31],
      ['mnav.basic', 'strategy', 3],
      ['value.usd', 'strategy', 3],
      ['dev.monthly', 'ecosystems', 1],
      ['dev.retained', 'ecosystems', 31],
    ].filter(([id, entity, days]) => daysOf(String(id), String(entity)) !== days),
    [],
  )
})

test('every metric has a cadence', async () => {
  const missing = metricsOf(await testCatalog()).filter(metric => !(cadenceDays(metric) >= 1))
  assert.deepEqual(missing, [])
})
