/** A result would state the height of a chain that it does not rest on, or leave out one that it does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { schemaOf } from '#warehouse/index.ts'
import { createChainsRead } from './chainsRead.ts'

const catalog = await testCatalog()
const chainsRead = createChainsRead(schemaOf(catalog))
const layers = catalog.evm.map(({ id }) => id)

const CASES: readonly (readonly [sql: string, chains: readonly string[]])[] = [
  ['SELECT count() FROM btc_blocks', ['bitcoin']],
  ['select count() from `btc_blocks` final', ['bitcoin']],
  ['SELECT count() FROM default.btc_blocks', ['bitcoin']],
  ['SELECT count() FROM "default"."btc_blocks"', ['bitcoin']],
  ['SELECT max(height) FROM stx_blocks', ['stacks']],
  ['SELECT max(height) FROM evm_blocks', layers],
  [
    'SELECT (SELECT max(height) FROM btc_blocks), (SELECT max(height) FROM stx_blocks)',
    ['bitcoin', 'stacks'],
  ],
  ['SELECT 1', []],
  ['SELECT count() FROM numbers(9)', []],
  ['SELECT * FROM prices LIMIT 1', []],
  ["SELECT 'btc_blocks' AS text -- FROM btc_blocks", []],
  ['SELECT 1 AS btc_blocks', []],
  ['SELECT count() FROM stx_blocks AS btc_blocks', ['stacks']],
  ['WITH btc_blocks AS (SELECT 1 AS x) SELECT x FROM btc_blocks', []],
  ['WITH btc_blocks AS (SELECT * FROM btc_blocks LIMIT 1) SELECT * FROM btc_blocks', ['bitcoin']],
  ['WITH b AS (SELECT height FROM btc_blocks) SELECT * FROM b', ['bitcoin']],
  ['SELECT 1 WHERE 1 IN btc_blocks', ['bitcoin']],
  ['SELECT b.height FROM stx_blocks AS b, btc_blocks', ['bitcoin', 'stacks']],
  ['EXPLAIN SELECT * FROM btc_blocks', []],
  ['DESCRIBE btc_blocks', []],
  ['SHOW TABLES', []],
  ['DROP TABLE btc_blocks', []],
  ['', []],
]

test('a query states the chains whose tables it reads', () => {
  assert.deepEqual(
    CASES.map(([sql]) => [sql, chainsRead(sql)]),
    CASES.map(([sql, chains]) => [sql, [...chains]]),
  )
})

test('views resolve to the tables beneath them, and those of one layer to that layer', () => {
  const { views } = schemaOf(catalog)
  const chainsOf = new Map(views.map(({ name }) => [name, chainsRead(`SELECT * FROM ${name}`)]))
  const withoutBlocks: string[] = []
  for (const [name, chains] of chainsOf) {
    if (chains.length === 0) withoutBlocks.push(name)
    else if (name.startsWith('btc_')) assert.deepEqual(chains, ['bitcoin'], name)
    else if (name.startsWith('evm_'))
      assert.ok(
        layers.every(layer => chains.includes(layer)),
        name,
      )
    const own = layers.find(layer => name.startsWith(`${layer}_`))
    if (own !== undefined)
      assert.deepEqual(
        chains.filter(chain => layers.includes(chain)),
        [own],
        name,
      )
  }
  // Recorded facts, and what nodes answer beside blocks.
  assert.deepEqual(withoutBlocks.filter(name => /^(?:btc|stx|evm)_/.test(name)).sort(), [
    'btc_difficulty_epochs',
    'btc_usd_daily',
    'evm_functions',
    'evm_tokens',
    'stx_dex_tokens',
    'stx_mempool_drops',
    'stx_mempool_txs',
    'stx_microblock_txs',
    'stx_reads',
    'stx_token_metadata',
    'stx_tokens',
  ])
  assert.deepEqual(chainsOf.get('stx_sbtc_deposits'), ['bitcoin', 'stacks'])
  assert.deepEqual(chainsOf.get('chain_blocks'), ['bitcoin', 'stacks', ...layers])
  assert.deepEqual(chainsOf.get('rootstock_merge_mining'), ['bitcoin', 'rootstock'])
})
