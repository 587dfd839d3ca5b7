/** Depth and price impact of pools would be wrong. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Bin, binsCurve } from './bins.ts'
import { type Curve, depthOf, fallBy, inverse, lossOf, type Reserves, squareRoot } from './curve.ts'
import { ONE_8, powerCurve, powerPrice } from './power.ts'
import { productCurve, productPrice } from './product.ts'
import { invariantOf, otherSide, stableCurve, stablePrice } from './stable.ts'

const close = (found: number, expected: number, most: number): void =>
  assert.ok(Math.abs(found - expected) <= most * Math.abs(expected), `${found} is not ${expected}`)

const amount = fc.bigInt(10n ** 10n, 10n ** 18n)
/** Pools as they are: one side at most a hundred times the other. */
const reserves = fc
  .tuple(amount, fc.integer({ min: 1, max: 10_000 }))
  .map(([x, percent]): Reserves => ({ x, y: (x * BigInt(percent)) / 100n }))
const factor = fc.bigInt(1_000_000n, ONE_8)
const ann = fc.bigInt(2n, 20_000n)
const bps = fc.integer({ min: 1, max: 4_000 })
const curves = fc.oneof(
  reserves.map(productCurve),
  fc.tuple(reserves, factor).map(([of, t]) => powerCurve(of, t)),
  fc.tuple(reserves, ann).map(([of, amplification]) => stableCurve(of, { amplification })),
)
/** What a contract gives below the threshold, written as the paper has it. */
const gives = ({ x, y }: Reserves, dx: number, t: number): number => {
  const rest = 1 - t
  return Number(y) - (Number(x) ** rest + Number(y) ** rest - (Number(x) + dx) ** rest) ** (1 / rest)
}

describe('known answers', () => {
  test('constant product: 1 ÷ √0.99 − 1 of the side that comes in', () => {
    // 1,000,000 and 2,000,000 of a token with six decimals.
    const depth = depthOf(productCurve({ x: 10n ** 12n, y: 2n * 10n ** 12n }), 100)
    assert.deepEqual(depth, { x: 5_037_815_259n, y: 10_075_630_518n })
  })

  test('ALEX with factor ½: √x + √y stays and the price is √(y ÷ x)', () => {
    // 1,000 of each: x · ((1 + 1) ÷ (1 + 0.99))² − x = 1,000 · (4 ÷ 3.9601 − 1).
    const { x, y } = depthOf(powerCurve({ x: 1_000n * ONE_8, y: 1_000n * ONE_8 }, ONE_8 / 2n), 100)
    close(Number(x), 1_007_550_314.38, 1e-8)
    close(Number(y), Number(x), 1e-8)
  })

  test('ALEX with factor 0.9: a tenth of a constant sum keeps the price a little', () => {
    // (0.1 + 0.9 · 1,000) · (1 ÷ √0.99 − 1) ÷ 0.9, of 1,000 each.
    const { x } = depthOf(powerCurve({ x: 1_000n * ONE_8, y: 1_000n * ONE_8 }, 90_000_000n), 100)
    close(Number(x), (900.1 * (1 / Math.sqrt(0.99) - 1) * 1e8) / 0.9, 1e-8)
  })

  test('StableSwap: D of a balanced pool is its sum; the other side as the contract steps to it', () => {
    assert.equal(invariantOf({ x: 10n ** 12n, y: 10n ** 12n }, 200n), 2n * 10n ** 12n)
    // Ann = 2, x = 1, D = 2, by hand: 2(1 + y) + 2 = 4 + 8 ÷ 4y, hence y² = 1.
    assert.equal(otherSide(10n ** 9n, 2n * 10n ** 9n, 2n), 10n ** 9n)
    // x = 2, D = 2: 2(2 + y) + 2 = 4 + 1 ÷ y, hence 2y² + 2y − 1 = 0 and y = (√3 − 1) ÷ 2.
    close(Number(otherSide(2n * 10n ** 12n, 2n * 10n ** 12n, 2n)), ((Math.sqrt(3) - 1) / 2) * 1e12, 1e-11)
    // At that place the slope is (2 + ½) ÷ (2 + 1 ÷ y): P = D³ ÷ 4xy = 1 ÷ y, over x and over y.
    const y = (Math.sqrt(3) - 1) / 2
    const at = { x: 2n * 10n ** 12n, y: BigInt(Math.round(y * 1e12)) }
    close(stablePrice(at, { amplification: 2n }), (2 + 1 / y / 2) / (2 + 1 / y / y), 1e-9)
  })

  test('bins: depth is the sum over bins until the first that is dear enough', () => {
    const bin = (at: number, price: bigint, x: bigint, y: bigint): Bin => ({ bin: at, price, x, y })
    const bins = [
      bin(496, 98_000_000n, 0n, 900n),
      bin(498, 99_000_000n, 0n, 700n),
      bin(499, 99_500_000n, 0n, 500n),
      bin(500, 100_000_000n, 40n, 60n),
      bin(501, 100_500_000n, 300n, 0n),
      bin(503, 101_500_000n, 800n, 0n),
    ]
    const curve = binsCurve(bins, { bin: 500, price: 100_000_000n })
    // Down: 60 ÷ 1 and ⌈500 ÷ 0.995⌉; the bin at 0.99 is where the price is to be. Up: 40 and ⌈300 · 1.005⌉.
    assert.deepEqual(depthOf(curve, 100), { x: 60n + 503n, y: 40n + 302n })
    // Half a percent down is the next bin’s very price; up it is 1 ÷ 0.995, a little beyond it.
    assert.deepEqual(depthOf(curve, 50), { x: 60n, y: 40n + 302n })
    assert.deepEqual(depthOf(curve, 200), { x: 60n + 503n + 708n, y: 40n + 302n + 812n })
  })

  test('bins: what lies in the pool after a move, of both sides', () => {
    const bins: Bin[] = [
      { bin: 499, price: 300_000_000n, x: 0n, y: 7n },
      { bin: 500, price: 400_000_000n, x: 5n, y: 9n },
      { bin: 501, price: 500_000_000n, x: 11n, y: 0n },
    ]
    const { moved, reserves } = binsCurve(bins, { bin: 500, price: 400_000_000n })
    assert.deepEqual(reserves, { x: 16n, y: 16n })
    assert.deepEqual(moved({ to: 1n, from: 1n }), reserves)
    // ⌈9 ÷ 4⌉ of x for the active bin, ⌈7 ÷ 3⌉ for the one below; three quarters are the very price of that one.
    assert.deepEqual(moved({ to: 3n, from: 4n }), { x: 19n, y: 7n })
    assert.deepEqual(moved({ to: 2n, from: 4n }), { x: 22n, y: 0n })
    // 5 · 4 and 11 · 5 of y; five quarters are the very price of the bin above.
    assert.deepEqual(moved({ to: 5n, from: 4n }), { x: 11n, y: 36n })
    assert.deepEqual(moved({ to: 6n, from: 4n }), { x: 0n, y: 91n })
  })

  test('ALEX with factor 0.9: a price that falls without end leaves nothing of y, and finitely much of x', () => {
    // (0.1 + 0.9 · 1,000)² ÷ 0.1, less 0.1, over 0.9: 9,002,000 tokens.
    const even = { x: 1_000n * ONE_8, y: 1_000n * ONE_8 }
    const { moved } = powerCurve(even, 90_000_000n)
    const end = 9_002_000n * ONE_8
    assert.deepEqual(moved({ to: 1n, from: 10n ** 12n }), { x: end, y: 0n })
    assert.deepEqual(moved({ to: 10n ** 12n, from: 1n }), { x: 0n, y: end })
    assert.deepEqual(moved({ to: 1n, from: 1n }), even)
  })

  test('ALEX with factor 1: what a side is worth less than a unit of is gone', () => {
    const { moved } = powerCurve({ x: 5n, y: 3n }, ONE_8)
    assert.deepEqual(moved({ to: 1n, from: 10n ** 20n }), { x: 15n * ONE_8, y: 0n })
    assert.deepEqual(moved({ to: 10n ** 20n, from: 1n }), { x: 0n, y: 15n * ONE_8 })
  })

  test('ALEX with factor 0: any fall takes all of y, any rise all of x', () => {
    const { moved } = powerCurve({ x: 70n, y: 30n }, 0n)
    assert.deepEqual(moved({ to: 99n, from: 100n }), { x: 100n, y: 0n })
    assert.deepEqual(moved({ to: 100n, from: 99n }), { x: 0n, y: 100n })
    assert.deepEqual(moved({ to: 99n, from: 99n }), { x: 70n, y: 30n })
  })

  test('ALEX: a factor above one counts as one, and from 0.8 on a pool is blended', () => {
    const of = { x: 2_000n * ONE_8, y: 7_000n * ONE_8 }
    assert.deepEqual(depthOf(powerCurve(of, 2n * ONE_8), 100), depthOf(powerCurve(of, ONE_8), 100))
    assert.equal(powerPrice(of, 2n * ONE_8), 3.5)
    // (0.2 + 0.8 · 7,000) ÷ (0.2 + 0.8 · 2,000), and below it 3.5^0.79999999.
    close(powerPrice(of, 80_000_000n), 5_600.2 / 1_600.2, 1e-12)
    close(powerPrice(of, 79_999_999n), 3.5 ** 0.799_999_99, 1e-12)
    const at = powerCurve(of, 80_000_000n).moved({ to: 99n, from: 100n })
    close(Number(at.x), ((1_600.2 / Math.sqrt(0.99) - 0.2) / 0.8) * 1e8, 1e-9)
    close(Number(at.y), ((5_600.2 * Math.sqrt(0.99) - 0.2) / 0.8) * 1e8, 1e-9)
  })

  test('StableSwap: a price that falls without end takes all of the other side', () => {
    const { moved } = stableCurve({ x: 10n ** 9n, y: 10n ** 9n }, { amplification: 20n })
    const { x, y } = moved({ to: 1n, from: 10n ** 40n })
    assert.ok(y <= 1n && x > 2n * 10n ** 9n, `${x} and ${y}`)
  })

  test('square roots of the first numbers', () => {
    assert.deepEqual(
      Array.from({ length: 17 }, (_, of) => Number(squareRoot(BigInt(of)))),
      [0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4],
    )
  })

  test('nothing is lost where there is no price or nothing in the pool', () => {
    const curve = productCurve({ x: 10n ** 15n, y: 10n ** 15n })
    assert.equal(lossOf(curve, 0, 2), null)
    assert.equal(lossOf(productCurve({ x: 0n, y: 0n }), 1, 2), null)
    // The ratio is rounded to twelve digits: less than half of the last one is no price.
    assert.equal(lossOf(curve, 1, 4e-13), null)
    assert.notEqual(lossOf(curve, 1, 6e-13), null)
  })

  test('what the move of a price costs', () => {
    // A price that doubles costs a constant-product pool 5.72 %.
    close(lossOf(productCurve({ x: 10n ** 15n, y: 10n ** 15n }), 1, 2)!, (2 * Math.SQRT2) / 3 - 1, 1e-6)
    assert.equal(lossOf(productCurve({ x: 10n ** 15n, y: 10n ** 15n }), 1, 1), 0)
    assert.equal(lossOf(productCurve({ x: 10n ** 15n, y: 10n ** 15n }), 1, 0), null)
  })
})

describe('any pool', () => {
  test('depth grows with the band, and is the other side’s where the sides change places', () => {
    fc.assert(
      fc.property(curves, bps, bps, (curve, one, other) => {
        const [narrow, wide] = [Math.min(one, other), Math.max(one, other)].map(band => depthOf(curve, band))
        assert.ok(narrow!.x <= wide!.x && narrow!.y <= wide!.y)
      }),
      { numRuns: 150 },
    )
    fc.assert(
      fc.property(reserves, factor, ann, bps, (of, t, amplification, band) => {
        const turned = { x: of.y, y: of.x }
        const pairs: [Curve, Curve][] = [
          [productCurve(of), productCurve(turned)],
          [powerCurve(of, t), powerCurve(turned, t)],
          [stableCurve(of, { amplification }), stableCurve(turned, { amplification })],
        ]
        for (const [there, back] of pairs) {
          const [found, mirrored] = [depthOf(there, band), depthOf(back, band)]
          close(Number(found.x), Number(mirrored.y), 1e-6)
          close(Number(found.y), Number(mirrored.x), 1e-6)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('after its depth has come in, the price has fallen by the band; moved back, the pool is what it was', () => {
    fc.assert(
      fc.property(reserves, factor, ann, bps, (of, t, amplification, band) => {
        const cases: [(at: Reserves) => Curve, (at: Reserves) => number][] = [
          [productCurve, productPrice],
          [at => powerCurve(at, t), at => powerPrice(at, t)],
          [at => stableCurve(at, { amplification }), at => stablePrice(at, { amplification })],
        ]
        for (const [curveOf, priceOf] of cases) {
          const after = curveOf(of).moved(fallBy(band))
          // Where a side runs out, or rounding is all that is left of it, its price says nothing.
          if (after.y < 10n ** 7n) continue
          close(priceOf(after), priceOf(of) * (1 - band / 10_000), 1e-4)
          const back = curveOf(after).moved(inverse(fallBy(band)))
          close(Number(back.x), Number(of.x), 1e-3)
          close(Number(back.y), Number(of.y), 1e-3)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('ALEX: what the contract gives for the depth leaves the price where it is to be', () => {
    fc.assert(
      fc.property(reserves, fc.bigInt(5_000_000n, 79_000_000n), bps, (of, factorOf, band) => {
        const t = Number(factorOf) / 1e8
        const dx = Number(depthOf(powerCurve(of, factorOf), band).x)
        const y = Number(of.y) - gives(of, dx, t)
        fc.pre(y > 1e-4 * Number(of.y))
        close((y / (Number(of.x) + dx)) ** t, powerPrice(of, factorOf) * (1 - band / 10_000), 1e-5)
      }),
      { numRuns: 150 },
    )
  })

  test('limits: factor 1 is constant product, factor 0 and a boundless amplification give the whole other side', () => {
    fc.assert(
      fc.property(reserves, bps, (of, band) => {
        const [product, power] = [depthOf(productCurve(of), band), depthOf(powerCurve(of, ONE_8), band)]
        close(Number(power.x), Number(product.x), 1e-6)
        close(Number(power.y), Number(product.y), 1e-6)
        assert.deepEqual(depthOf(powerCurve(of, 0n), band), { x: of.y, y: of.x })
      }),
      { numRuns: 100 },
    )
    const even = { x: 10n ** 14n, y: 10n ** 14n }
    close(Number(depthOf(stableCurve(even, { amplification: 10n ** 9n }), 100).x), 1e14, 1e-2)
    // The more it is amplified, the more it takes.
    fc.assert(
      fc.property(ann, ann, bps, (one, other, band) => {
        const [less, more] = [one, other]
          .sort((a, b) => Number(a - b))
          .map(amplification => Number(depthOf(stableCurve(even, { amplification }), band).x))
        assert.ok(less! <= more! * (1 + 1e-8))
      }),
      { numRuns: 40 },
    )
  })

  test('a midpoint is the price at which a stable pool is balanced', () => {
    // One stSTX is worth 1.1 STX: 1,000 of it beside 1,100 STX stand at the flattest place.
    const midpoint = { numerator: 11n, denominator: 10n }
    const of = { x: 1_000n * 10n ** 9n, y: 1_100n * 10n ** 9n }
    close(stablePrice(of, { amplification: 200n, midpoint }), 1.1, 1e-9)
    const { x, y } = depthOf(stableCurve(of, { amplification: 200n, midpoint }), 100)
    close(Number(x) * 1.1, Number(y), 1e-4)
  })

  test('no move of a price is a gain', () => {
    fc.assert(
      fc.property(reserves, factor, ann, fc.double({ min: 0.3, max: 3, noNaN: true }), (of, t, a, ratio) => {
        const losses = [
          lossOf(productCurve(of), productPrice(of), ratio),
          lossOf(powerCurve(of, t), powerPrice(of, t), ratio),
          lossOf(stableCurve(of, { amplification: a }), stablePrice(of, { amplification: a }), ratio),
        ]
        for (const loss of losses) assert.ok(loss !== null && loss <= 1e-6 && loss > -1, String(loss))
      }),
      { numRuns: 100 },
    )
  })

  test('square roots are whole and rounded down', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 60n), of => {
        const root = squareRoot(of)
        assert.ok(root * root <= of && (root + 1n) * (root + 1n) > of)
      }),
    )
  })
})
