/** STX emission and mints of SIP-031 would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SIP031_CONTRACT } from '#kernel/sip031.ts'
import { DAY_S } from '../madeChain.testing.ts'
import { hashOfName, type MadeStacksBlock, moved, writeMadeStacks } from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'

const START = Date.UTC(2025, 6, 29) / 1000
const ENDOWMENT = 'SM1Z6BP8PDKYKXTZXXSKXFEY6NQ7RAM7DAEAYR045'
const STX = 1_000_000n
const minted = (stx: bigint) => moved({ to: SIP031_CONTRACT, amount: stx * STX })
const day = (n: number): string => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)

/** Genesis on the day before the activation; two tenures on its day; a claim; then the second step of the schedule. */
const MADE: MadeStacksBlock[] = [
  {
    height: 0,
    timeS: START,
    burnHeight: 907_739,
    txs: [{ name: 'genesis', events: [moved({ to: ENDOWMENT, amount: 1_000_000_000n * STX })] }],
  },
  {
    height: 1,
    timeS: START + DAY_S,
    burnHeight: 907_740,
    isTenure: true,
    txs: [{ name: 'activation', events: [minted(200_000_000n), minted(475n)] }],
  },
  { height: 2, timeS: START + DAY_S + 60, burnHeight: 907_740 },
  {
    height: 3,
    timeS: START + DAY_S + 3600,
    burnHeight: 907_741,
    isTenure: true,
    txs: [{ name: 'tenure 3', events: [minted(475n)] }],
  },
  {
    height: 4,
    timeS: START + 2 * DAY_S,
    burnHeight: 960_299,
    isTenure: true,
    txs: [{ name: 'tenure 4', events: [minted(475n)] }],
  },
  {
    height: 5,
    timeS: START + 2 * DAY_S + 60,
    burnHeight: 960_300,
    isTenure: true,
    txs: [
      {
        name: 'tenure 5',
        events: [minted(1_140n), moved({ from: SIP031_CONTRACT, to: ENDOWMENT, amount: 100_000_000n * STX })],
      },
    ],
  },
  { height: 6, timeS: START + 3 * DAY_S, burnHeight: 960_301, isTenure: true },
  { height: 7, timeS: START + 3 * DAY_S + 10, burnHeight: 960_302, isTenure: true },
  { height: 8, timeS: START + 4 * DAY_S, burnHeight: 960_303, isTenure: true },
]

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  await writeMadeStacks(site.warehouse, MADE)
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

const valuesOf = async (id: string, key = '') =>
  new Map(
    (await site.metrics.series({ id, entity: 'stacks' })).points
      .filter(point => point.key === key && point.value !== null)
      .map(point => [point.day, Number(point.value)]),
  )

test('the schedule gives each tenure the rate of its Bitcoin height, and a day without a tenure nothing', async () => {
  const planned = await valuesOf('sip031.planned')
  assert.equal(planned.get(day(0)), 0)
  assert.equal(planned.get(day(1)), 950e6)
  assert.equal(planned.get(day(2)), (475 + 1_140) * 1e6)
})

test('what was minted equals the schedule but for a tenure whose mint is missing; the activation stands apart', async () => {
  const [minted, planned, activation] = [
    await valuesOf('sip031.emitted', 'tenures'),
    await valuesOf('sip031.planned'),
    await valuesOf('sip031.emitted', 'activation'),
  ]
  assert.equal(activation.get(day(1)), 200_000_000e6)
  assert.equal(minted.get(day(1)), planned.get(day(1)))
  assert.equal(minted.get(day(2)), planned.get(day(2)))
  assert.equal(planned.get(day(3))! - minted.get(day(3))!, 2 * 1_140e6, 'two tenures told no mint')
})

test('the contract holds what was minted less what was claimed', async () => {
  const vault = await valuesOf('sip031.vault')
  assert.equal(vault.get(day(1)), 200_000_950e6)
  assert.equal(vault.get(day(2)), 100_000_950e6 + 1_615e6)
})

test('without SIP-031 the supply lacks its mints and nothing else', async () => {
  const [liquid, without] = [await valuesOf('supply.liquid'), await valuesOf('supply.counterfactual')]
  assert.equal(without.get(day(0)), liquid.get(day(0)))
  assert.equal(liquid.get(day(2))! - without.get(day(2))!, 200_000_000e6 + 950e6 + 1_615e6)
})

test('a tenure is empty when no block of it holds a user’s transaction; the newest is not told yet', async () => {
  const tx = (height: number, kind: string) =>
    `(1, ${height}, ${MADE.find(block => block.height === height)!.timeS}, 0, unhex('${hashOfName(`${kind} ${height}`).slice(2)}'), '${kind}')`
  await site.warehouse.writer.command({
    query: `INSERT INTO base.stx_txs (batch, height, block_time, tx_index, txid, kind)
VALUES ${[tx(2, 'token_transfer'), tx(3, 'tenure_change'), tx(5, 'contract_call')].join(', ')}`,
  })
  const empty = await valuesOf('tenures.empty')
  assert.equal(
    empty.get(day(1)),
    1,
    'the second block serves the first tenure; the tenure of block 3 serves nobody',
  )
  assert.equal(empty.get(day(2)), 1)
  assert.equal(empty.get(day(3)), 2)
  assert.equal(empty.get(day(4)), 0)
})
