/** Yields would be credited to the wrong pool. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { defillamaYields } from './live/defillamaYields.ts'
import { followedOf } from './yieldPools.ts'

const catalog = await testCatalog()
const pool = (id: string, symbol: string, tvlUsd: number, chain = 'Rootstock', project = 'sovryn-lend') => ({
  pool: id,
  project,
  chain,
  symbol,
  tvlUsd,
})

test('a way without an id in the list is the largest pool of its names, and only where all of them fit', () => {
  const followed = followedOf(catalog, [
    pool('small', 'RBTC', 10),
    pool('large', 'rbtc', 4_000_000),
    pool('elsewhere', 'RBTC', 9_000_000, 'Ethereum'),
    pool('other coin', 'DOC', 9_000_000),
    pool('other project', 'RBTC', 9_000_000, 'Rootstock', 'sovryn-dex'),
  ])
  assert.equal(followed.get('large'), 'sovryn-rootstock-rbtc')
  for (const id of ['small', 'elsewhere', 'other coin', 'other project'])
    assert.equal(followed.get(id), undefined, id)
})

test('a pool that the catalogue has by its id is never another way by its names', () => {
  const named = catalog.opportunities.find(({ listed }) => listed !== undefined)
  const byId = catalog.opportunities.find(({ pool: id }) => id !== undefined)
  assert.ok(named?.listed && byId?.pool)
  const { projects, chain, symbol } = named.listed
  const followed = followedOf(catalog, [pool(byId.pool, symbol, 5, chain, projects[0])])
  assert.equal(followed.get(byId.pool), byId.id)
})

test('an answer of the list lights a way on another layer, and its figures go to that way alone', () => {
  const seenAt = Date.parse('2026-10-06T10:00:00Z') / 1000
  const row = (id: string, tvlUsd: number) => ({
    ...pool(id, 'RBTC', tvlUsd),
    apyBase: 0.42,
    apyReward: null,
  })
  const { observations, poolListings } = defillamaYields.read(
    { about: 'pools', url: '' },
    { data: [row('a', 10), row('b', 20)] },
    { catalog, seenAt },
  ) as ReturnType<typeof defillamaYields.read> & { poolListings: unknown[] }
  assert.equal(poolListings.length, 2)
  assert.deepEqual(
    observations.map(({ metric, entity, value }) => [metric, entity, value]),
    [
      ['yield.tvl', 'sovryn-rootstock-rbtc', 20],
      ['yield.apy_base', 'sovryn-rootstock-rbtc', 0.0042],
    ],
  )
})

test('every layer has ways to earn of its own', () => {
  const layers = new Set(catalog.opportunities.map(({ layer }) => layer))
  for (const layer of ['stacks', 'rootstock', 'bob', 'merlin', 'bitlayer', 'b2-network', 'core'])
    assert.ok(layers.has(layer), layer)
})
