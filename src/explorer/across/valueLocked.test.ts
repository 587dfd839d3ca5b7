/** TVL lists would include protocols with outdated figures or mix days in a total. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { chainsOf } from './chains.ts'
import { readValueLocked, type ValueLocked } from './valueLocked.ts'

const tvl = { source: 'defillama.tvl.recorded' }
const protocol = { metric: 'tvl.by_protocol', source: 'defillama.protocols.recorded' }
const stables = { source: 'defillama.stables.recorded' }

let site: TestMetrics
let locked: ValueLocked
before(async () => {
  site = await openEmptyMetrics()
  await writeMadeFigures(site.warehouse, [
    // All protocols of Stacks are a year older than its total.
    { ...tvl, metric: 'tvl.total', entity: 'stacks', day: '2026-08-05', value: 75 },
    { ...protocol, entity: 'stacks', key: 'zest', day: '2025-08-14', value: 87 },
    // Of Rootstock one is within two months, one is not; a part of the total is not either.
    { ...tvl, metric: 'tvl.total', entity: 'rootstock', day: '2026-08-05', value: 69 },
    { ...protocol, entity: 'rootstock', key: 'sovryn-dex', day: '2026-06-07', value: 7 },
    { ...protocol, entity: 'rootstock', key: 'tropykus-rsk', day: '2026-06-06', value: 9 },
    { ...tvl, metric: 'tvl.parts', entity: 'rootstock', key: 'borrowed', day: '2025-06-06', value: 5 },
    { ...tvl, metric: 'tvl.parts', entity: 'rootstock', key: 'staking', day: '2026-08-05', value: 3 },
    // A total that is older than its protocols is still the latest one.
    { ...tvl, metric: 'tvl.total', entity: 'core', day: '2025-01-01', value: 4 },
    { ...protocol, entity: 'core', key: 'pell-network', day: '2025-12-27', value: 1 },
    // Stablecoins are measured against the sum of them, which is newer here.
    { ...stables, metric: 'stables.cap', entity: 'bob', day: '2026-08-20', value: 20 },
    { ...stables, metric: 'stables.by_token', entity: 'bob', key: 'USDC', day: '2025-09-07', value: 2 },
    { ...stables, metric: 'stables.cap', entity: 'merlin', day: '2025-09-07', value: 2 },
    { ...stables, metric: 'stables.by_token', entity: 'merlin', key: 'USDC', day: '2025-09-07', value: 2 },
  ])
  const catalog = await testCatalog()
  locked = await readValueLocked(site.warehouse.reader, chainsOf(catalog), catalog)
})
after(() => site[Symbol.asyncDispose]())

test('a protocol or a stablecoin is listed within two months of the latest day of its chain alone', () => {
  assert.deepEqual(
    locked.items.map(({ chain, protocol, day }) => [chain, protocol, day]),
    [
      ['rootstock', 'sovryn-dex', '2026-06-07'],
      ['core', 'pell-network', '2025-12-27'],
    ],
  )
  assert.deepEqual(
    locked.assets.map(({ chain, asset }) => [chain, asset]),
    [['merlin', 'USDC']],
  )
})

test('a total stands with its day however old, and what it leaves out is of the same time', () => {
  const of = (wanted: string) => locked.chains.find(({ chain }) => chain === wanted)
  assert.equal(of('core')?.total?.day, '2025-01-01')
  assert.equal(of('stacks')?.total?.day, '2026-08-05')
  assert.deepEqual(
    of('rootstock')?.parts.map(({ part }) => part),
    ['staking'],
  )
})
