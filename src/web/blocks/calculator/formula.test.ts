/** Calculators would give wrong results. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TABS } from '../../pages/bitcoin/tabs/index.ts'
import { readInput } from './calculatorSpec.ts'
import { evaluate, parseFormula } from './formula.ts'

const compute = (text: string, names: Record<string, number> = {}) =>
  evaluate(parseFormula(text), new Map(Object.entries(names)))

test('products come before sums, equal signs from the left, parentheses first', () => {
  assert.equal(compute('1 + 2 * 3'), 7)
  assert.equal(compute('(1 + 2) * 3'), 9)
  assert.equal(compute('8 / 4 / 2'), 1)
  assert.equal(compute('8 - 4 - 2'), 2)
  assert.equal(compute('size * rate', { size: 141, rate: 1.5 }), 211.5)
})

test('a name without a value, or a division by zero, has no result instead of a wrong one', () => {
  assert.equal(compute('a + 1'), undefined)
  assert.equal(compute('1 / (a - a)', { a: 3 }), undefined)
})

test('any text is a formula or is refused with a sentence; nothing runs', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('1 +', '(1', 'a b', '**', 'alert(1)', '')), text => {
      try {
        compute(text)
      } catch (thrown) {
        assert.ok(thrown instanceof SyntaxError, String(thrown))
        assert.match(thrown.message, /^“/)
      }
    }),
  )
})

test('an input is a number within its bounds, or says what it must be', () => {
  const input = { key: 'rate', label: 'Fee rate', unit: 'sat/vB', first: 1, least: 0, most: 100 }
  assert.deepEqual(readInput(input, { value: 3 }, null), { text: '3', value: 3 })
  assert.equal(readInput(input, { value: 3 }, ' 1,0.5').value, 10.5)
  assert.match(readInput(input, { value: 3 }, 'NaN').fault ?? '', /must be a number/)
  assert.match(readInput(input, { value: 3 }, '1e999').fault ?? '', /must be a number/)
  assert.match(readInput(input, { value: 3 }, ' ').fault ?? '', /must be a number/)
  assert.match(readInput(input, { value: 3 }, '101').fault ?? '', /between 0 and 100 sat\/vB/)
  assert.match(readInput(input, { value: null }, null).fault ?? '', /No data yet/)
})

test('each calculation of a page uses its own inputs and no other name', () => {
  for (const { inputs, results } of TABS.flatMap(tab => tab.calculators ?? []))
    for (const { formula } of results)
      assert.notEqual(compute(formula, Object.fromEntries(inputs.map(({ key }) => [key, 2]))), undefined)
})
