/** Cached figures would not update when their data changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { basisOf, type Marks } from './marks.ts'
import { metricsOf } from './registry.ts'

const METRICS = metricsOf(await testCatalog())

const NOW: Marks = {
  bitcoin: 'b1',
  stacks: 's1',
  layers: 'l1',
  prices: 'p1',
  treasuries: '1',
  indices: 'i1',
  yields: 'y1',
  developers: 'd1',
  outside: 'o1',
  of: new Map([
    ['tvl.total', 't1'],
    ['btc.bridged', 'g1'],
  ]),
}
const CHANGES: Readonly<Record<string, Marks>> = {
  ...Object.fromEntries(
    (
      [
        'bitcoin',
        'stacks',
        'layers',
        'prices',
        'outside',
        'treasuries',
        'indices',
        'yields',
        'developers',
      ] as const
    ).map(family => [family, { ...NOW, [family]: 'changed' }]),
  ),
  'of.tvl.total': { ...NOW, of: new Map([...NOW.of, ['tvl.total', 'changed']]) },
  'of.btc.bridged': { ...NOW, of: new Map([...NOW.of, ['btc.bridged', 'changed']]) },
}
const changesWith = (sql: string): string[] =>
  Object.keys(CHANGES).filter(family => basisOf(sql, NOW) !== basisOf(sql, CHANGES[family]!))

test('a statement rests on the chains whose relations it names, and on what stands beneath them', () => {
  assert.deepEqual(changesWith('SELECT 1 FROM btc_blocks'), ['bitcoin', 'prices'])
  assert.deepEqual(changesWith('SELECT 1 FROM stx_sbtc_deposits AS d'), ['bitcoin', 'stacks', 'prices'])
  assert.deepEqual(changesWith('SELECT 1 FROM evm_block_days'), ['bitcoin', 'layers', 'prices'])
  for (const relation of ['chain_blocks', 'rootstock_merge_mining'])
    assert.deepEqual(changesWith(`SELECT 1 FROM ${relation}`), ['bitcoin', 'stacks', 'layers', 'prices'])
})

test('what publishers say changes the statements that name its metric, and those that name none', () => {
  const named = (where: string) => `SELECT 1 FROM observations AS o WHERE ${where}`
  assert.deepEqual(changesWith(named("o.metric = 'tvl.total'")), ['of.tvl.total'])
  assert.deepEqual(changesWith(named("o.metric IN ('tvl.total', 'btc.bridged')")), [
    'of.tvl.total',
    'of.btc.bridged',
  ])
  assert.deepEqual(changesWith(named('1')), ['outside'])
  assert.deepEqual(changesWith('SELECT 1 FROM prices'), ['prices'])
  assert.deepEqual(changesWith('SELECT 1 FROM index_levels'), ['prices', 'indices'])
})

test('a metric that has a chain as its source rests on that chain, one that publishers give on its own figures', () => {
  for (const { id, sql, sources } of METRICS) {
    for (const [source, family] of [
      ['bitcoin.chain', 'bitcoin'],
      ['stacks.chain', 'stacks'],
      ['merlin.chain', 'layers'],
    ] as const)
      if (sources.includes(source)) assert.ok(changesWith(sql).includes(family), `${id} of ${source}`)
    if (/\bobservations\b/.test(sql)) {
      const named = [...sql.matchAll(/'([a-z0-9_]+\.[a-z0-9_]+)'/g)].map(([, metric = '']) => metric)
      const at = (mark: string): Marks => ({ ...NOW, of: new Map(named.map(metric => [metric, mark])) })
      assert.notEqual(basisOf(sql, at('then')), basisOf(sql, at('now')), id)
    }
  }
})
