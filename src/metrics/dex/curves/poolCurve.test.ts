/** Depth of pools would be computed on the wrong curve or in the wrong decimals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogExchange } from '#catalog/index.ts'
import { depthOf } from './curve.ts'
import { amplifiedBy, curveOf, type PoolState } from './poolCurve.ts'
import { ONE_8, powerCurve, powerPrice } from './power.ts'
import { stableCurve, stablePrice } from './stable.ts'

const STATE: PoolState = {
  pool: 'SP1.pool-a',
  curve: 'stable',
  reserves: { x: 1_000_000_000n, y: 3_000_000_000n },
  decimalsX: 6,
  decimalsY: 6,
  amplification: 100n,
  amplified: { times: 2, scaled: false, except: [] },
  factor: null,
  midpoint: null,
  bins: null,
}

test('a stable pool trades on its amplification times what its contract takes it by', () => {
  const { curve, price, toBase } = curveOf(STATE)!
  const terms = { amplification: 200n }
  assert.deepEqual(depthOf(curve, 100), depthOf(stableCurve(STATE.reserves, terms), 100))
  assert.equal(price, stablePrice(STATE.reserves, terms))
  assert.deepEqual(toBase({ x: 5n, y: 7n }), { x: 5n, y: 7n })
  const midpoint = { numerator: 11n, denominator: 10n }
  assert.equal(curveOf({ ...STATE, midpoint })!.price, stablePrice(STATE.reserves, { ...terms, midpoint }))
  assert.notEqual(curveOf({ ...STATE, midpoint })!.price, price)
})

test('a scaled stable pool counts in the decimals of its finer token, and its amounts are scaled back', () => {
  const amplified = { times: 4, scaled: true, except: [] }
  const fine = { x: 100_000_000_000n, y: 3_000_000_000n }
  // 1,000 of x with eight decimals beside 3,000 of y with six.
  const state = { ...STATE, amplified, reserves: fine, decimalsX: 8, decimalsY: 6 }
  const even = { x: 100_000_000_000n, y: 300_000_000_000n }
  const { curve, price, toBase } = curveOf(state)!
  assert.deepEqual(curve.reserves, even)
  assert.equal(price, stablePrice(even, { amplification: 400n }))
  assert.deepEqual(toBase({ x: 12_345n, y: 12_399n }), { x: 12_345n, y: 123n })
  const turned = curveOf({
    ...state,
    reserves: { x: fine.y, y: fine.x },
    decimalsX: 6,
    decimalsY: 8,
  })!
  assert.deepEqual(turned.curve.reserves, { x: even.y, y: even.x })
  assert.deepEqual(turned.toBase({ x: 12_399n, y: 12_345n }), { x: 123n, y: 12_345n })
  assert.equal(curveOf({ ...state, decimalsX: null }), null)
  assert.equal(curveOf({ ...state, decimalsY: null }), null)
  // Not scaled, decimals are not needed.
  assert.notEqual(curveOf({ ...STATE, decimalsX: null, decimalsY: null }), null)
})

test('a pool of ALEX counts in eight decimals, whatever its tokens have', () => {
  const state: PoolState = {
    ...STATE,
    curve: 'power',
    factor: ONE_8 / 2n,
    reserves: { x: 2_000_000_000n, y: 30_000_000_000_000n },
    decimalsX: 6,
    decimalsY: 10,
  }
  const inside = { x: 200_000_000_000n, y: 300_000_000_000n }
  const { curve, price, toBase } = curveOf(state)!
  assert.deepEqual(curve.reserves, inside)
  assert.deepEqual(depthOf(curve, 100), depthOf(powerCurve(inside, ONE_8 / 2n), 100))
  assert.equal(price, powerPrice(inside, ONE_8 / 2n))
  assert.deepEqual(toBase({ x: 12_345n, y: 12_345n }), { x: 123n, y: 1_234_500n })
  for (const lacking of [{ factor: null }, { decimalsX: null }, { decimalsY: null }])
    assert.equal(curveOf({ ...state, ...lacking }), null, JSON.stringify(lacking))
  // Less than one unit of eight decimals is nothing on the curve.
  for (const reserves of [
    { x: 1n, y: 99n },
    { x: 99n, y: 1n },
  ])
    assert.equal(curveOf({ ...state, reserves, decimalsX: 10, decimalsY: 10 }), null)
  assert.notEqual(curveOf({ ...state, reserves: { x: 100n, y: 100n }, decimalsX: 10, decimalsY: 10 }), null)
})

test('a pool of bins trades at the price of its active bin', () => {
  const bins = {
    bins: [{ bin: 500, price: 150_000_000n, x: 10n, y: 20n }],
    active: { bin: 500, price: 150_000_000n },
  }
  // Sides of a pool of bins may be empty: its bins say what lies in it.
  const found = curveOf({ ...STATE, curve: 'bins', bins, reserves: { x: 0n, y: 0n } })!
  assert.equal(found.price, 1.5)
  assert.deepEqual(found.curve.reserves, { x: 10n, y: 20n })
  assert.deepEqual(found.toBase({ x: 3n, y: 4n }), { x: 3n, y: 4n })
  assert.equal(curveOf({ ...STATE, curve: 'bins' }), null)
})

test('there is no curve where a term is unknown, a side is empty or the kind has none here', () => {
  for (const reserves of [
    { x: 0n, y: 1n },
    { x: 1n, y: 0n },
  ])
    assert.equal(curveOf({ ...STATE, reserves }), null)
  assert.notEqual(curveOf({ ...STATE, reserves: { x: 1n, y: 1n } }), null)
  assert.equal(curveOf({ ...STATE, amplification: null }), null)
  assert.equal(curveOf({ ...STATE, amplification: 0n }), null)
  assert.notEqual(curveOf({ ...STATE, amplification: 1n }), null)
  assert.equal(curveOf({ ...STATE, amplified: undefined }), null)
  assert.equal(curveOf({ ...STATE, curve: 'product' }), null)
  assert.equal(curveOf({ ...STATE, curve: 'stable', factor: ONE_8 })?.price, curveOf(STATE)?.price)
})

test('pools whose names begin as an exception does have no curve', () => {
  const except = (...starts: string[]) =>
    curveOf({ ...STATE, amplified: { times: 2, scaled: false, except: starts } })
  assert.equal(except('SP9.', 'SP1.pool'), null)
  assert.notEqual(except('SP9.', 'pool-a'), null)
})

test('an exchange states how its stable pools are amplified, others state nothing', () => {
  const amplification = { times: 4, scaled: true, except: [] }
  const exchanges = [
    { protocol: 'velar', sources: [{ curve: 'product' }, { curve: 'stable', amplification }] },
    { protocol: 'alex', sources: [{ curve: 'power' }] },
  ] as unknown as CatalogExchange[]
  assert.equal(amplifiedBy(exchanges, 'velar'), amplification)
  assert.equal(amplifiedBy(exchanges, 'alex'), undefined)
  assert.equal(amplifiedBy(exchanges, 'none'), undefined)
})
