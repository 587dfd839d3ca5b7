/** Mining pool shares and luck would be wrong. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { COIN, DAY_S, type MadeBlock, writeMadeChain } from './madeChain.testing.ts'
import { openEmptyMetrics } from './testing.ts'

/** Forty days of twelve blocks, from 2022-06-10 to 2022-07-19: the proxies of the catalogue count from July on. */
const START = Date.UTC(2022, 5, 10) / 1000
const BLOCKS_A_DAY = 12
const dayOf = (n: number) => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)

/** AntPool finds a third, Poolin a sixth, nobody known another sixth, F2Pool the rest; in the last week F2Pool finds all. */
function poolOf(height: number): string {
  if (height >= 33 * BLOCKS_A_DAY) return 'F2Pool'
  return ['AntPool', 'F2Pool', 'Poolin', 'AntPool', 'F2Pool', ''][height % 6]!
}

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
  const blocks = Array.from(
    { length: 40 * BLOCKS_A_DAY + 12 },
    (_, height): MadeBlock => ({
      timeS: START + (height * DAY_S) / BLOCKS_A_DAY,
      txs: [{ name: `coinbase ${height}`, outputs: [{ to: `miner ${height}`, sat: 50n * COIN }] }],
      pool: poolOf(height),
    }),
  )
  await writeMadeChain(site.warehouse, blocks)
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

async function onDay(
  id: string,
  day: string,
  more: { switches?: string[]; grain?: string } = {},
): Promise<Record<string, unknown>> {
  const { points } = await site.metrics.series({ id, entity: 'bitcoin', from: day, to: day, ...more })
  return Object.fromEntries(points.map(({ key, value }) => [key, Math.round(Number(value) * 1e9) / 1e9]))
}

const third = Math.round(1e9 / 3) / 1e9
const sixth = Math.round(1e9 / 6) / 1e9

test('shares of pools add up to one, the unknown stay visible', async () => {
  assert.deepEqual(await onDay('miners.pool_share', dayOf(25)), {
    AntPool: third,
    F2Pool: third,
    Poolin: sixth,
    unknown: sixth,
  })
})

test('proxies are merged when asked for, and only since they are known to be proxies', async () => {
  const on = { switches: ['merged_proxies'] }
  assert.deepEqual(await onDay('miners.pool_share', dayOf(25), on), {
    'AntPool and proxies': 0.5,
    F2Pool: third,
    unknown: sixth,
  })
  assert.deepEqual(
    await onDay('miners.pool_share', dayOf(15), on),
    await onDay('miners.pool_share', dayOf(15)),
  )
  const [apart, merged] = [
    await onDay('miners.pool_concentration', dayOf(25)),
    await onDay('miners.pool_concentration', dayOf(25), on),
  ]
  assert.deepEqual([apart[''], merged['']], [0.277777778, 0.388888889])
  assert.deepEqual(await onDay('miners.pool_majority', dayOf(25), on), { '': 2 })
})

test('the statement of a switched answer runs as it stands', async () => {
  const { sql, parameters } = await site.metrics.series({
    id: 'miners.pool_share',
    entity: 'bitcoin',
    switches: ['merged_proxies'],
  })
  assert.equal(parameters.merged_proxies, '1')
  const result = await site.warehouse.guest.query({
    query: sql,
    query_params: parameters,
    format: 'JSONEachRow',
  })
  const keys = new Set((await result.json<{ key: string }>()).map(({ key }) => key))
  assert.ok(keys.has('AntPool and proxies'))
})

test('luck of all pools is a week’s blocks by those that the difficulty aims at', async () => {
  assert.equal((await onDay('miners.pool_luck', dayOf(6)))['all pools'], Math.round(84e9 / 1008) / 1e9)
  assert.deepEqual(await onDay('miners.pool_luck', dayOf(5)), {})
})

test('luck of a pool is its week by its share of the four weeks before', async () => {
  assert.deepEqual(Object.keys(await onDay('miners.pool_luck', dayOf(33))), ['all pools'])
  const expected = 1008 / 3
  const pace = 84 / 1008
  // All of the week is F2Pool's, which had a third of the 28 days before it.
  assert.deepEqual(await onDay('miners.pool_luck', dayOf(39)), {
    AntPool: 0,
    F2Pool: Math.round(84e9 / expected) / 1e9,
    Poolin: 0,
    'all pools': Math.round(pace * 1e9) / 1e9,
    unknown: 0,
  })
})

test('a switch that a metric does not have is named', async () => {
  await assert.rejects(
    site.metrics.series({ id: 'fees.total', entity: 'bitcoin', switches: ['merged_proxies'] }),
    { code: 'metrics.switches', facts: { parameter: 'switches', value: 'merged_proxies' } },
  )
})

test('every proxy is a pool of the catalogue', () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../catalog/bitcoin/${name}`, import.meta.url), 'utf8'))
  const pools = new Set(read('mining-pools.json').pools.map(({ name }: { name: string }) => name))
  const members: string[] = read('pool-proxies.json').groups.flatMap(
    ({ members }: { members: string[] }) => members,
  )
  assert.deepEqual(
    members.filter(name => !pools.has(name)),
    [],
  )
})
