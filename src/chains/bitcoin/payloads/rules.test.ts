/** A layer’s operations on Bitcoin would be missed, or other transactions taken for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogRule } from '#catalog/index.ts'
import { testCatalog } from '#catalog/testing.ts'
import { madeBlock } from '#tests/madeBlock.ts'
import { payloadsOf } from './payloads.ts'

const { rules } = await testCatalog()

/** Operations that the codec finds in an example: as the coinbase of a block, or as the transaction behind one. */
function operationsOf({ isCoinbase, outputs: given }: CatalogRule['positive']): string[] {
  const outputs = given.map(([script, sat]) => ({ script, valueSat: BigInt(sat) }))
  const block = madeBlock(isCoinbase ? { coinbaseOutputs: outputs } : { txs: [{ outputs }] })
  return payloadsOf(block).operations.map(({ op }) => op)
}

for (const rule of rules) {
  test(`${rule.id}: ${rule.positive.what} is recognised`, () => {
    const found = operationsOf(rule.positive)
    assert.ok(found.length > 0)
    for (const op of found) assert.ok((rule.operations as readonly string[]).includes(op), op)
  })

  test(`${rule.id}: not so ${rule.negative.what.toLowerCase()}`, () => {
    assert.deepEqual(operationsOf(rule.negative), [])
  })
}

test('every kind of operation has a rule that says how it is told', () => {
  const told = new Set(rules.flatMap(({ operations }) => operations))
  for (const op of ['stacks.peg', 'rootstock.merge_mining', 'core.stake', 'babylon.stake'] as const)
    assert.ok(told.has(op), op)
})
