/** Bitcoin supply, rewards and prices would be wrong in rare cases of the chain. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE_DATABASE, schemaOf } from '#warehouse/index.ts'
import { observations, sources } from '#warehouse/tables/observations.ts'
import { COIN, DAY_S, decide, writeMadeChain } from './madeChain.testing.ts'
import { chain, coinbase, dayOf, START, series, site, source, values } from './sharedMadeChain.testing.ts'

test('a figure over a week names the sources of all its days', async () => {
  await writeMadeChain(site.warehouse, chain(5))
  // From the sixth day on only a node's statistics tell of the blocks; of the ninth both do.
  await site.warehouse.writer.command({
    query: `INSERT INTO base.btc_block_stats (height, hash, block_time, median_time, tx_count, subsidy_sat)
SELECT number + 60, unhex(leftPad(hex(number + 60), 64, 'a')), ${START} + (number + 60) * 7200, ${START} + (number + 55) * 7200, 1, 5000000000
FROM numbers(84)`,
  })
  await site.warehouse.writer.command({
    query: `INSERT INTO base.btc_difficulty_epochs (epoch, bits, source) VALUES (0, ${0x1d00ffff}, 'electrum.checkpoints')`,
  })
  await writeMadeChain(site.warehouse, chain(9).slice(100), 2, 100)
  await site.metrics.refreshRollups()
  const { points } = await series('miners.hashrate')
  const sourceOf = (n: number, window: string) =>
    points.find(({ day, key }) => day === dayOf(n) && key === window)?.source
  const both = 'bitcoin.chain, bitcoin.getblockstats'
  assert.deepEqual(
    [4, 5, 8].map(n => sourceOf(n, '1d')),
    ['bitcoin.chain', 'bitcoin.getblockstats', both],
  )
  assert.deepEqual(
    [6, 7].map(n => sourceOf(n, '7d')),
    [both, both],
  )
})

test('a reward that a miner leaves unclaimed is scheduled, and neither issued nor spendable', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(2, height => (height === 5 ? [coinbase(5, 20n * COIN)] : undefined)),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await values('supply.unclaimed'),
    [30, 30].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.scheduled'),
    [600, 1200].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.issued'),
    [570, 1170].map(btc => btc * 1e8),
  )
  // Genesis is issued and can never be spent.
  assert.deepEqual(
    await values('supply.unspendable'),
    [50, 50].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.spendable'),
    [520, 1120].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('miners.subsidy_claimed'),
    [570, 600].map(btc => btc * 1e8),
  )
})

test('a coinbase that repeats an unspent one destroys it', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(2, height => (height === 15 ? [coinbase(15, 50n * COIN, 'coinbase 3')] : undefined)),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await values('supply.unspendable'),
    [50, 100].map(btc => btc * 1e8),
  )
  assert.deepEqual(
    await values('supply.spendable'),
    [550, 1100].map(btc => btc * 1e8),
  )
  assert.deepEqual(await values('utxo.count'), [11, 22])
  const issued = await values('supply.issued')
  const unspendable = await values('supply.unspendable')
  assert.deepEqual(
    await values('supply.spendable'),
    issued.map((value, i) => Number(value) - Number(unspendable[i])),
  )
  const funded = (await series('addresses.funded')).points.filter(({ key }) => key === '>0')
  assert.deepEqual(
    funded.map(({ value }) => value),
    [11, 22],
  )
})

test('a coinbase that repeats a spent one destroys nothing', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(2, height => {
      if (height === 6) {
        return [
          coinbase(6),
          { name: 'payment', spends: [['coinbase 3', 0]], outputs: [{ to: 'ann', sat: 50n * COIN }] },
        ]
      }
      return height === 15 ? [coinbase(15, 50n * COIN, 'coinbase 3')] : undefined
    }),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await values('supply.unspendable'),
    [50, 50].map(btc => btc * 1e8),
  )
  assert.deepEqual(await values('utxo.count'), [11, 23])
})

test('values of OP_RETURN outputs are issued and not spendable', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(1, height =>
      height === 4
        ? [
            coinbase(4),
            {
              name: 'burn',
              spends: [['coinbase 2', 0]],
              outputs: [{ to: '', sat: 50n * COIN, isOpReturn: true }],
            },
          ]
        : undefined,
    ),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(await values('supply.unspendable'), [100e8])
  assert.deepEqual(await values('utxo.count'), [10])
})

test('change to a script among the inputs is no adjusted transfer; change to a fresh one is', async () => {
  await writeMadeChain(
    site.warehouse,
    chain(1, height =>
      height === 4
        ? [
            coinbase(4, 51n * COIN),
            {
              name: 'payment',
              spends: [['coinbase 2', 0]],
              outputs: [
                { to: 'ann', sat: 10n * COIN },
                { to: 'miner 2', sat: 39n * COIN },
              ],
            },
          ]
        : undefined,
    ),
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(await values('value.transferred'), [49e8])
  assert.deepEqual(await values('value.transferred_adjusted'), [10e8])
  assert.deepEqual(await values('fees.total'), [1e8])
  assert.deepEqual(await values('tx.batching'), [2])
})

test('a reorg leaves nothing of the orphaned branch in any rollup', async () => {
  const spent = (height: number) =>
    height === 30
      ? [
          coinbase(30),
          { name: 'lost', spends: [['coinbase 20', 0]] as const, outputs: [{ to: 'ann', sat: 50n * COIN }] },
        ]
      : undefined
  const blocks = chain(4, spent)
  const kept = chain(4)
  await writeMadeChain(site.warehouse, blocks.slice(0, 24), 1, 0)
  await writeMadeChain(
    site.warehouse,
    chain(4)
      .slice(24)
      .map((block, i) => ({ ...block, timeS: block.timeS + i })),
    2,
    24,
  )
  await site.metrics.refreshRollups()
  await decide(site.warehouse, 2, false, 24, 47)
  await site.metrics.refreshRollups()
  assert.deepEqual(await values('blocks.count'), [12, 12])
  await writeMadeChain(site.warehouse, kept.slice(24), 3, 24)
  await site.metrics.refreshRollups()
  const after = await Promise.all(
    ['blocks.count', 'utxo.count', 'supply.spendable', 'addresses.new', 'coin.days_destroyed'].map(values),
  )
  for (const { name } of schemaOf({ evm: [], stacksApps: [] }).tables) {
    await site.warehouse.writer.command({ query: `TRUNCATE TABLE ${BASE_DATABASE}.${name}` })
  }
  await writeMadeChain(site.warehouse, kept)
  await site.metrics.refreshRollups()
  assert.deepEqual(
    await Promise.all(
      ['blocks.count', 'utxo.count', 'supply.spendable', 'addresses.new', 'coin.days_destroyed'].map(values),
    ),
    after,
  )
})

test('a missing block makes its days incomplete, and running sums end before it', async () => {
  const blocks = chain(5)
  await writeMadeChain(site.warehouse, blocks.slice(0, 30), 1, 0)
  await writeMadeChain(site.warehouse, blocks.slice(31), 2, 31)
  await site.metrics.refreshRollups()
  const { points, heights } = await series('blocks.count')
  assert.deepEqual(
    points.map(({ value, state }) => [value, state]),
    [
      [12, 'whole'],
      [12, 'whole'],
      [11, 'incomplete'],
      [12, 'incomplete'],
      [12, 'incomplete'],
    ],
  )
  assert.deepEqual(heights, [
    { from: 0, to: 29 },
    { from: 31, to: 59 },
  ])
  assert.equal((await series('utxo.count')).points.length, 3)
})

test('a week is whole only when its seven days are', async () => {
  await writeMadeChain(site.warehouse, chain(14))
  await site.metrics.refreshRollups()
  const { points } = await series('blocks.count', { grain: 'week' })
  // 2020-01-01 is a Wednesday.
  assert.deepEqual(
    points.map(({ day, value, state }) => [day, value, state]),
    [
      ['2019-12-30', 60, 'incomplete'],
      ['2020-01-06', 84, 'whole'],
      ['2020-01-13', 24, 'incomplete'],
    ],
  )
})

test('a figure that its source restates stays beside the new one', async () => {
  const observed = (amount: bigint, observedAt: number) => ({
    metric: 'fees.total',
    entity: 'bitcoin',
    breakdown: '',
    day: '2020-01-01',
    amount,
    value: null,
    source: 'blockchain.com',
    observedAt,
  })
  await site.warehouse.insertRows(sources, [source('blockchain.com', 30n)])
  await site.warehouse.insertRows(observations, [observed(100n, START)])
  await site.warehouse.insertRows(observations, [
    observed(120n, START + DAY_S),
    observed(120n, START + 2 * DAY_S),
  ])
  const { points, restatements } = await series('fees.total')
  assert.deepEqual(
    points.map(({ value, source: from }) => [value, from]),
    [[120, 'blockchain.com']],
  )
  assert.deepEqual(restatements, [
    {
      day: '2020-01-01',
      key: '',
      oldValue: 100,
      newValue: 120,
      source: 'blockchain.com',
      observedAt: '2020-01-02T00:00:00Z',
    },
  ])
})
