/** Depth and losses of pools with bins would be computed from the wrong bins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BinDay, type BinsAt, binHistory, keptBins } from './binHistory.ts'

const PRICE = 100_000_000n

function binDay(given: Partial<BinDay>): BinDay {
  return {
    day: '2026-01-05',
    pool: 'pool',
    bin: 500,
    x: 0n,
    y: 0n,
    shares: null,
    price: null,
    step: null,
    active: null,
    activeHeight: 0,
    activeIndex: 0,
    ...given,
  }
}

test('bins are those of the newest prints up to the day, in the order of their prices', () => {
  const at = binHistory([
    binDay({ day: '2026-01-07', bin: 501, x: 9n, price: PRICE + 2n }),
    binDay({ day: '2026-01-05', bin: 501, x: 5n, price: PRICE + 1n, shares: 11n, step: 10 }),
    binDay({ day: '2026-01-05', bin: 500, x: 3n, y: 4n, price: PRICE, active: 500, shares: 7n }),
    binDay({ day: '2026-01-05', bin: 499, y: 8n, price: PRICE - 1n }),
    binDay({ pool: 'other', bin: 1, x: 1n, price: 5n, active: 1 }),
  ])
  const first = {
    bins: [
      { bin: 499, x: 0n, y: 8n, price: PRICE - 1n },
      { bin: 500, x: 3n, y: 4n, price: PRICE },
      { bin: 501, x: 5n, y: 0n, price: PRICE + 1n },
    ],
    active: { bin: 500, price: PRICE },
  }
  const shares = [
    [501, 11n],
    [500, 7n],
    [499, 0n],
  ]
  for (const day of ['2026-01-05', '2026-01-06']) {
    const { shares: found, ...rest } = at('pool', day)!
    assert.deepEqual(rest, first, day)
    assert.deepEqual([...found], shares, day)
  }
  // A later print without shares leaves the shares of before, and its own price replaces the earlier one.
  const later = at('pool', '2026-01-07')!
  assert.deepEqual(later.bins.at(-1), { bin: 501, x: 9n, y: 0n, price: PRICE + 2n })
  assert.equal(later.shares.get(501), 11n)
  assert.equal(at('pool', '2026-01-04'), null)
  assert.equal(at('none', '2026-01-07'), null)
  assert.deepEqual(at('other', '2026-01-05')?.active, { bin: 1, price: 5n })
})

test('a print without a price leaves the price of before', () => {
  const at = binHistory([
    binDay({ price: PRICE, active: 500, x: 1n, shares: 2n }),
    binDay({ day: '2026-01-06', x: 6n, shares: 3n }),
  ])
  const { bins, shares } = at('pool', '2026-01-06')!
  assert.deepEqual(bins, [{ bin: 500, x: 6n, y: 0n, price: PRICE }])
  assert.equal(shares.get(500), 3n)
})

test('the active bin is that of the newest print by height, then by place in the block', () => {
  const active = (...prints: readonly [active: number | null, height: number, index: number][]) =>
    binHistory(
      prints.map(([number, activeHeight, activeIndex], place) =>
        binDay({ bin: 500 + place, price: PRICE + BigInt(place), active: number, activeHeight, activeIndex }),
      ),
    )('pool', '2026-01-05')?.active.bin
  assert.equal(active([500, 10, 5], [501, 11, 1]), 501)
  assert.equal(active([501, 11, 1], [500, 10, 5]), 501)
  assert.equal(active([500, 10, 5], [501, 10, 6]), 501)
  assert.equal(active([501, 10, 6], [500, 10, 5]), 501)
  assert.equal(active([500, 10, 5], [501, 10, 5]), 500)
  assert.equal(active([500, 10, 5], [null, 12, 9]), 500)
  assert.equal(active([null, 10, 5]), undefined)
  // A bin may have the number 0.
  assert.equal(active([0, 1, 1]), undefined)
  assert.equal(binHistory([binDay({ bin: 0, active: 0, price: PRICE })])('pool', '2026-01-05')?.active.bin, 0)
})

test('a pool is unknown while something lies in a bin without a price', () => {
  const at = (x: bigint, y: bigint) =>
    binHistory([binDay({ price: PRICE, active: 500 }), binDay({ bin: 501, x, y })])('pool', '2026-01-05')
  assert.equal(at(1n, 0n), null)
  assert.equal(at(0n, 1n), null)
  assert.deepEqual(
    at(0n, 0n)?.bins.map(({ bin }) => bin),
    [500],
  )
  assert.equal(binHistory([binDay({ active: 500 })])('pool', '2026-01-05'), null)
})

test('the price of an active bin without one follows by steps from the nearest bin', () => {
  const priceAt = (active: number, step: number | null) =>
    binHistory([
      binDay({ bin: 490, price: 7n, active, step }),
      binDay({ bin: 510, price: PRICE }),
      binDay({ bin: 500, price: 2n * PRICE }),
    ])('pool', '2026-01-05')?.active.price
  assert.equal(priceAt(500, 100), 2n * PRICE)
  assert.equal(priceAt(512, 100), 102_010_000n)
  // The second step down from 510 is 1 ÷ 1.01².
  assert.equal(priceAt(508, 100), BigInt(Math.round(Number(PRICE) / 1.01 ** 2)))
  assert.equal(priceAt(501, 25), 200_500_000n)
  assert.equal(priceAt(512, null), undefined)
})

test('a step stated on an earlier day holds until another is', () => {
  const at = binHistory([
    binDay({ price: PRICE, active: 501, step: 100 }),
    binDay({ day: '2026-01-06', price: PRICE }),
    binDay({ day: '2026-01-07', price: PRICE, step: 200 }),
  ])
  assert.equal(at('pool', '2026-01-06')?.active.price, 101_000_000n)
  assert.equal(at('pool', '2026-01-07')?.active.price, 102_000_000n)
})

const binsAt = (
  bins: readonly (readonly [bin: number, x: bigint, y: bigint, shares: bigint | null])[],
): BinsAt => ({
  bins: bins.map(([bin, x, y]) => ({ bin, x, y, price: PRICE })),
  active: { bin: 500, price: PRICE },
  shares: new Map(bins.flatMap(([bin, , , shares]) => (shares === null ? [] : [[bin, shares]]))),
})

test('shares that were kept are worth their part of what lies in their bins now', () => {
  const then = binsAt([
    [500, 10n, 20n, 100n],
    [501, 5n, 0n, 50n],
  ])
  // Twice the shares in bin 500, so half of it is theirs: (8 · 3 + 30 · 2) ÷ 2 = 42. Bin 501: 1 · 3 + 7 · 2 = 17.
  const now = binsAt([
    [500, 8n, 30n, 200n],
    [501, 1n, 7n, 50n],
  ])
  // Then: 10 · 3 + 20 · 2 = 70, and 5 · 3 = 15.
  assert.equal(keptBins(then, now, 3, 2), 59 / 85 - 1)
})

test('bins whose shares are gone, on either day, are left out of both sums', () => {
  const then = binsAt([
    [499, 1n, 0n, 10n],
    [500, 10n, 20n, 100n],
    [501, 5n, 0n, 0n],
    [502, 5n, 0n, null],
    [503, 5n, 5n, 10n],
  ])
  const now = binsAt([
    [499, 9n, 9n, 0n],
    [500, 10n, 40n, 100n],
    [501, 9n, 9n, 10n],
    [502, 9n, 9n, 10n],
  ])
  assert.equal(keptBins(then, now, 1, 1), 50 / 30 - 1)
  assert.equal(keptBins(binsAt([[499, 1n, 0n, 10n]]), now, 1, 1), null)
  assert.equal(keptBins(binsAt([[500, 0n, 0n, 10n]]), now, 1, 1), null)
  // What was kept may be worth nothing.
  assert.equal(keptBins(binsAt([[500, 1n, 0n, 1n]]), binsAt([[500, 0n, 0n, 1n]]), 1, 1), -1)
})
