import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basisOf } from './marks.ts'
import { METRICS } from './registry.ts'

const NOW = { bitcoin: 'b1', stacks: 's1', layers: 'l1', outside: 'o1' }
const changesWith = (sql: string): string[] =>
  Object.keys(NOW).filter(family => basisOf(sql, NOW) !== basisOf(sql, { ...NOW, [family]: 'changed' }))

test('a statement rests on the chains whose relations it names, and on what stands beneath them', () => {
  assert.deepEqual(changesWith('SELECT 1 FROM btc_blocks'), ['bitcoin', 'outside'])
  assert.deepEqual(changesWith('SELECT 1 FROM stx_sbtc_deposits AS d'), ['bitcoin', 'stacks', 'outside'])
  assert.deepEqual(changesWith('SELECT 1 FROM evm_block_days'), ['bitcoin', 'layers', 'outside'])
  assert.deepEqual(changesWith('SELECT 1 FROM observations'), ['outside'])
  for (const relation of ['chain_blocks', 'rootstock_merge_mining'])
    assert.deepEqual(changesWith(`SELECT 1 FROM ${relation}`), ['bitcoin', 'stacks', 'layers', 'outside'])
})

test('a metric that has a chain as its source rests on that chain', () => {
  for (const { id, sql, sources } of METRICS)
    for (const [source, family] of [
      ['bitcoin.chain', 'bitcoin'],
      ['stacks.chain', 'stacks'],
      ['merlin.chain', 'layers'],
    ] as const)
      if (sources.includes(source)) assert.ok(changesWith(sql).includes(family), `${id} of ${source}`)
})
