/** Totals over layers would be wrong. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ComparedFigure } from '#http/contract.ts'
import { plus, sumOf } from './sums.ts'
import { figureFor } from './testing.ts'

const nameOf = (entity: string): string => entity.toUpperCase()
const sum = (figures: ComparedFigure[]) => sumOf(figures, nameOf, '30d')

describe('sums over layers', () => {
  test('whole numbers are added without losing a digit, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: 2n ** 63n }), { minLength: 1, maxLength: 12 }),
        values => {
          const expected = values.reduce((total, value) => total + value, 0n)
          assert.equal(BigInt(plus(values.map(String))), expected)
          assert.equal(BigInt(plus(values.toReversed().map(String))), expected)
        },
      ),
    )
  })

  test('a sum covers the layers with a figure, names both ends of its days and the worst age', () => {
    const found = sum([
      figureFor('stacks', { value: 30, day: '2026-08-05' }),
      figureFor('bob', { value: 12, day: '2026-08-02', state: 'stale' }),
      figureFor('core', { value: null, day: null }),
    ])
    assert.equal(found?.value, 42)
    assert.deepEqual(
      found?.addends.map(({ name, assay }) => [name, assay]),
      [
        ['STACKS', 'tvl.total@stacks'],
        ['BOB', 'tvl.total@bob'],
      ],
    )
    assert.deepEqual([found?.from, found?.to, found?.state], ['2026-08-02', '2026-08-05', 'stale'])
    assert.deepEqual(found?.spark, [], 'figures of two days have no common course')
  })

  test('a coin is never added to another', () => {
    const found = sum([
      figureFor('rootstock', { value: '5', unit: 'wei.RBTC' }),
      figureFor('core', { value: '900', unit: 'wei.CORE' }),
      figureFor('bitlayer', { value: '7', unit: 'wei.RBTC' }),
    ])
    assert.equal(found?.value, 12)
    assert.equal(found?.unit, 'wei.RBTC')
    assert.equal(found?.addends.length, 2)
  })

  test('the change of a sum weighs its parts, and is not told where one has none', () => {
    const parts = [figureFor('a', { value: 120, change: 0.2 }), figureFor('b', { value: 100, change: 0 })]
    assert.equal(sum(parts)?.change?.toFixed(6), (220 / 200 - 1).toFixed(6))
    assert.equal(sum([...parts, figureFor('c', { value: 1, change: null })])?.change, null)
    const older = figureFor('c', { value: 1, change: 0, day: '2026-08-01' })
    assert.equal(sum([...parts, older])?.change, null, 'to another day')
    const changeOver = { name: 'pools', count: 1, of: 2 }
    assert.equal(sum([...parts, figureFor('c', { value: 1, change: 0, changeOver })])?.change, null)
    const missing = { name: 'protocols', of: 5, keys: ['zest'] }
    const lacking = sum([...parts, figureFor('c', { value: 1, change: 0, missing, spark: [1, 2] })])
    assert.deepEqual([lacking?.change, lacking?.spark], [null, []], 'a part that lacks members')
    assert.deepEqual(lacking?.addends.at(-1)?.lacks?.[0], '4 of 5 protocols')
  })

  test('there is no sum of nothing', () => {
    assert.equal(sum([figureFor('a', { value: null, day: null })]), undefined)
  })
})
