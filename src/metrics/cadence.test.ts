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

test('kinds that come less often than their source is read, told apart by id, entity and calendar', () => {
  const days = (id: string, more: Partial<Parameters<typeof cadenceDays>[0]> = {}) =>
    cadenceDays({ id, cadence: 'day', calendar: 'every day', entityKind: 'token', ...more })
  const recorded = { cadence: 'recorded' } as const
  assert.deepEqual(
    (['block', 'day', 'week', 'epoch', 'recorded'] as const).map(cadence => days('x.y', { cadence })),
    [1, 1, 7, 14, 92],
  )
  assert.deepEqual(
    ['etf.flow', 'mnav.basic', 'days_to_cover.x', 'value.usd', 'pnl.total'].map(id => days(id)),
    [3, 3, 3, 3, 3],
  )
  assert.deepEqual([days('my.etf.'), days('not.value.usd'), days('valued.x')], [1, 1, 1])
  assert.deepEqual([days('pox.yield', { calendar: 'reported' }), days('pox.cycle')], [14, 1])
  assert.deepEqual([days('cdp.vaults', recorded), days('stable.supply', recorded)], [14, 14])
  assert.deepEqual([days('cdp.vaults'), days('stable.supply')], [1, 1])
  assert.deepEqual([days('dev.retained'), days('blocks.stale'), days('dev.monthly')], [31, 31, 1])
  assert.deepEqual([days('sip031.paid', recorded), days('sip031.paid')], [31, 1])
  assert.deepEqual(
    (['treasury', 'chain', 'pool'] as const).map(entityKind => days('x.y', { ...recorded, entityKind })),
    [31, 31, 92],
  )
  assert.equal(days('x.y', { entityKind: 'treasury' }), 1)
  assert.equal(days('other.reported', { calendar: 'reported' }), 1)
})
