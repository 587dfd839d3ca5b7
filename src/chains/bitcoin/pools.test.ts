/** Blocks would be credited to the wrong mining pool. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { recordedBlocks } from '#tests/recordedBlocks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { openBitcoinCodec, poolOf, scriptOf } from './index.ts'
import type { MiningPool } from './pools.ts'
import { outputScriptOf } from './txsOf.ts'

const catalogue: { pools: MiningPool[]; licence: string } = JSON.parse(
  readFileSync(new URL('../../../catalog/bitcoin/mining-pools.json', import.meta.url), 'utf8'),
)
const pool = (name: string, tags: string[], addresses: string[] = []): MiningPool => ({
  name,
  tags,
  addresses,
  link: '',
})
const ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
const payouts = [scriptOf(ADDRESS, 'mainnet')]
const script = Buffer.from('\x03abc/Small/ via /Small Pool/')

test('a tag comes before an address', () => {
  const pools = [pool('Paid', [], [ADDRESS]), pool('Tagged', ['/Small/'])]
  assert.deepEqual(poolOf(pools, script, payouts, 'mainnet'), { pool: 'Tagged', rule: 'tag:/Small/' })
  assert.deepEqual(poolOf(pools, Buffer.from('none'), payouts, 'mainnet'), {
    pool: 'Paid',
    rule: `address:${ADDRESS}`,
  })
})

test('the longest tag that occurs wins, whatever the order of the list', () => {
  const pools = [
    pool('Short', ['Small']),
    pool('Long', ['/Small Pool/']),
    pool('Absent', ['/Small Pool, Inc/']),
  ]
  assert.equal(poolOf(pools, script, [], 'mainnet')?.pool, 'Long')
  assert.equal(poolOf(pools.toReversed(), script, [], 'mainnet')?.pool, 'Long')
})

test('tags keep their case, and nothing matched is null', () => {
  assert.equal(poolOf([pool('Other', ['/small/'])], script, payouts, 'mainnet'), null)
})

test('the catalogue names its licence, and every address in it is one', () => {
  assert.equal(catalogue.licence, 'MIT')
  for (const { addresses, tags } of catalogue.pools) {
    assert.ok(tags.every(tag => tag.length > 0))
    for (const address of addresses) {
      const network = /^(tb1|[mn2])/.test(address) ? 'testnet4' : 'mainnet'
      assert.ok(scriptOf(address, network).length > 0)
    }
  }
})

test('recorded blocks name their pools', skipWithoutShared, () => {
  const codec = openBitcoinCodec({ network: 'mainnet' })
  const pools = new Map<number | null, string | undefined>()
  for (const list of ['blocks.json', 'reorg/stale-blocks.json'] as const) {
    for (const { bytes, height } of recordedBlocks(list)) {
      const block = codec.decodeBlock(bytes)
      const { inputs, txs } = block
      const coinbase = block.bytes.subarray(
        inputs.scriptOffset[0]!,
        inputs.scriptOffset[0]! + inputs.scriptLength[0]!,
      )
      const paid = Array.from({ length: txs.firstOutput[1]! }, (_, o) => outputScriptOf(block, o))
      pools.set(height, poolOf(catalogue.pools, coinbase, paid, 'mainnet')?.rule)
    }
  }
  const expected = [
    [0, undefined],
    [210000, 'tag:/slush/'],
    [514485, 'tag:/slush/'],
    [739990, 'tag:binance'],
    [847849, 'tag:Foundry USA Pool'],
    [951658, 'tag:/SBICrypto.com Pool/'],
    [341174, 'address:1CjPR7Z5ZSyWk6WtXvSFgkptmpoi4UM9BC'],
  ] as const
  for (const [height, rule] of expected) assert.equal(pools.get(height), rule, String(height))
})

test('pools are those that a public explorer names', skipWithoutShared, () => {
  type Block = { extras: { coinbaseRaw: string; coinbaseAddresses: string[]; pool: { name: string } } }
  const recorded: { blocks: Block[] } = JSON.parse(
    readFileSync(shared('data/bitcoin/vectors/mempoolapi-blocks-ws.json'), 'utf8'),
  )
  assert.ok(recorded.blocks.length >= 5)
  for (const { extras } of recorded.blocks) {
    const coinbase = Buffer.from(extras.coinbaseRaw, 'hex')
    const paid = extras.coinbaseAddresses.map(address => scriptOf(address, 'mainnet'))
    assert.equal(poolOf(catalogue.pools, coinbase, paid, 'mainnet')?.pool, extras.pool.name)
  }
})
