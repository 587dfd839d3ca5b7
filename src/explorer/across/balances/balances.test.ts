/** Bitcoin balances of an address would be wrong, above all after a reorg. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addressOf } from '#chains/bitcoin/index.ts'
import { createRandom } from '#ingest/testing.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { COIN, DAY_S, decide, type MadeBlock, writeMadeChain } from '#metrics/madeChain.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { type AcrossExplorer, createAcrossExplorer } from '../index.ts'

const CATALOG = fileURLToPath(new URL('../../../../catalog', import.meta.url))
const START_S = 1_300_000_000
const OWNERS = Array.from({ length: 12 }, (_, i) => `owner ${i}`)
/** A public key: its bare script (P2PK) and its address have one owner. */
const KEY = `02${'7c'.repeat(32)}`

const digest = (name: string, bytes: Uint8Array): Buffer => createHash(name).update(bytes).digest()
const scriptOfHash = (hash: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from('76a914', 'hex'), hash.subarray(0, 20), Buffer.from('88ac', 'hex')])
const ofOwner = (name: string): string =>
  addressOf(scriptOfHash(digest('sha256', Buffer.from(name))), 'mainnet') ?? ''
const OF_KEY = addressOf(
  scriptOfHash(digest('ripemd160', digest('sha256', Buffer.from(KEY, 'hex')))),
  'mainnet',
)!

/** Each block pays some owners and spends what some of them got before; a few blocks a day. */
function madeBlocks(count: number): MadeBlock[] {
  const random = createRandom(11)
  const owner = () => OWNERS[Math.floor(random() * OWNERS.length)]!
  const unspent: { name: string; vout: number; sat: bigint }[] = []
  return Array.from({ length: count }, (_, height): MadeBlock => {
    const coinbase = { name: `coinbase ${height}`, outputs: [{ to: owner(), sat: 50n * COIN }] }
    const taken = unspent.splice(0, Math.floor(random() * 3))
    const txs = taken.map(({ name, vout, sat }, i) => ({
      name: `tx ${height} ${i}`,
      spends: [[name, vout] as const],
      outputs: [
        { to: owner(), sat: sat / 3n },
        { to: owner(), sat: sat - sat / 3n },
      ],
    }))
    if (height > 0)
      for (const { name, outputs } of [coinbase, ...txs])
        for (const [vout, { sat }] of outputs.entries()) unspent.push({ name, vout, sat })
    return { timeS: START_S + height * (DAY_S / 4), txs: [coinbase, ...txs] }
  })
}

describe('balances of Bitcoin', () => {
  const blocks = madeBlocks(60)
  let made: TestMetrics
  let across: AcrossExplorer
  const lines = [...OWNERS.map(ofOwner), OF_KEY, ofOwner('nobody')]

  before(async () => {
    made = await openEmptyMetrics()
    across = createAcrossExplorer({
      reader: made.warehouse.reader,
      catalog: { evm: [], tokens: [], protocols: [], collections: [] },
      layers: () => readEvmCatalog(CATALOG),
      network: 'mainnet',
    })
    await writeMadeChain(made.warehouse, blocks.slice(0, 50))
    // An output to the bare key, on the day of one that names its address, and on a day of its own.
    await made.warehouse.writer.command({
      query: `INSERT INTO base.btc_outputs (batch, height, block_time, tx_index, txid, vout, value_sat, script_type, script, is_coinbase)
SELECT batch, height, block_time, tx_index, txid, 90 + vout, 7, 'p2pk', unhex('21${KEY}ac'), false FROM base.btc_outputs WHERE height IN (10, 20) AND tx_index = 0
UNION ALL
SELECT batch, height, block_time, tx_index, txid, 95 + vout, 1234, 'p2pkh', ${`concat(unhex('76a914'), RIPEMD160(SHA256(unhex('${KEY}'))), unhex('88ac'))`}, false FROM base.btc_outputs WHERE height = 10 AND tx_index = 0`,
    })
  })
  after(() => made[Symbol.asyncDispose]())

  /** Sums over made blocks, by owner. */
  function sums(of: readonly MadeBlock[]): Map<string, bigint> {
    const outputs = new Map<string, { to: string; sat: bigint }>()
    const held = new Map<string, bigint>()
    const add = (to: string, sat: bigint) => held.set(to, (held.get(to) ?? 0n) + sat)
    for (const [height, { txs }] of of.entries())
      for (const { name, spends = [], outputs: paid } of txs) {
        for (const [tx, vout] of spends) {
          const { to, sat } = outputs.get(`${tx} ${vout}`)!
          add(to, -sat)
        }
        for (const [vout, output] of paid.entries()) {
          outputs.set(`${name} ${vout}`, output)
          // Genesis pays nobody.
          if (height > 0) add(output.to, output.sat)
        }
      }
    return held
  }

  async function check(of: readonly MadeBlock[]): Promise<void> {
    const { balances } = await across.balances(lines)
    const expected = [...sums(of)].map(([owner, sat]): [string, string] => [ofOwner(owner), String(sat)])
    assert.deepEqual(
      new Map(balances.map(({ address, balance }) => [address, balance])),
      // What its bare key got is not of the address.
      new Map([...expected, [OF_KEY, '1234']]),
    )
    const [first] = OWNERS
    const { history } = await across.balances([ofOwner(first!)])
    assert.equal(history[0]?.points.at(-1)?.value, String(sums(of).get(first!)))
    const days = history[0]?.points.map(({ day }) => day) ?? []
    assert.deepEqual(days, [...new Set(days)].sort())
  }

  test('are the same whether days are counted, not counted, or counted of other blocks', async () => {
    await check(blocks.slice(0, 50))
    await made.metrics.refreshRollups()
    await check(blocks.slice(0, 50))
    const { history } = await across.balances([OF_KEY])
    assert.deepEqual(
      history.map(({ points }) => points.length),
      [1],
    )
    // The newest day gets further blocks, and new days come, before they are counted.
    await writeMadeChain(made.warehouse, blocks, 2)
    await made.warehouse.writer.command({
      query: `INSERT INTO base.btc_outputs SELECT * REPLACE (2 AS batch) FROM base.btc_outputs AS o WHERE o.batch = 1 AND vout >= 90`,
    })
    await decide(made.warehouse, 1, false, 0, 49)
    await check(blocks)
    await made.metrics.refreshRollups()
    await check(blocks)
  })

  test('of blocks that were taken back nothing is left, counted or not', async () => {
    await decide(made.warehouse, 2, false, 0, 59)
    const { balances } = await across.balances(lines)
    assert.deepEqual(balances, [])
  })
})
