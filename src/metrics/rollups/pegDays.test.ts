/** Daily sBTC deposits and withdrawals would be wrong. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { btcLayerOps } from '#warehouse/tables/bitcoin.ts'
import { COIN, DAY_S, type MadeTx, writeMadeChain } from '../madeChain.testing.ts'
import { openEmptyMetrics } from '../testing.ts'

const FROM_HEIGHT = 962_200
const START = Date.UTC(2026, 7, 12) / 1000

const coinbase = (height: number): MadeTx => ({
  name: `coinbase ${height}`,
  outputs: [{ to: `miner ${height}`, sat: 50n * COIN }],
})
const pay = (name: string, from: string, to: string, sat: bigint): MadeTx => ({
  name,
  spends: [[from, 0]],
  outputs: [{ to, sat }],
})

test('a sweep takes in deposits of users and of miners and pays withdrawals; the signers’ own coins are neither', async () => {
  await using site = await openEmptyMetrics()
  const { warehouse, metrics } = site
  const blocks = [
    [coinbase(0)],
    [coinbase(1)],
    [coinbase(2)],
    [
      coinbase(3),
      pay('signers', 'coinbase 0', 'signers', 50n * COIN),
      pay('user', 'coinbase 1', 'signers', 7n * COIN),
      pay('commit', 'coinbase 2', 'signers', 2n * COIN),
    ],
    [
      coinbase(4),
      {
        name: 'sweep',
        spends: [
          ['signers', 0],
          ['user', 0],
          ['commit', 0],
        ],
        outputs: [
          { to: 'signers', sat: 56n * COIN },
          { to: '', sat: 0n, isOpReturn: true },
          { to: 'leaver', sat: 3n * COIN },
        ],
      } satisfies MadeTx,
    ],
  ].map((txs, n) => ({ timeS: START + (n * DAY_S) / 4, txs }))
  await writeMadeChain(warehouse, blocks, 1, FROM_HEIGHT)
  const op = (name: string, block: number, txIndex: number) => ({
    batch: 1,
    height: FROM_HEIGHT + block,
    blockTime: blocks[block]!.timeS,
    txIndex,
    txid: createHash('sha256').update(name).digest(),
    rule: 'made',
  })
  await warehouse.insertRows(btcLayerOps, [
    { ...op('commit', 3, 3), vout: 1, op: 'stacks.block_commit', valueSat: 2n * COIN, detailsJson: '{}' },
    {
      ...op('sweep', 4, 1),
      vout: 1,
      op: 'stacks.peg',
      valueSat: 3n * COIN,
      detailsJson: '{"withdrawalCount":1}',
    },
  ])
  await metrics.refreshRollups()
  const of = async (id: string) => {
    const { points } = await metrics.series({ id, entity: 'stacks' })
    return points.map(({ day, key, value }) => [day, key, value])
  }
  assert.deepEqual(await of('l1.deposits'), [
    ['2026-08-12', 'miner', 0],
    ['2026-08-12', 'user', 0],
    ['2026-08-13', 'miner', 2e8],
    ['2026-08-13', 'user', 7e8],
  ])
  assert.deepEqual(await of('l1.withdrawals'), [
    ['2026-08-12', '', 0],
    ['2026-08-13', '', 3e8],
  ])
})
