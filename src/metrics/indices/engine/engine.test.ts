/** Index levels would be wrong or look into the future. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { INDEX_LIMITS } from '../limits.ts'
import { backtest } from './backtest.ts'
import { daysBetween, type IndexRules, isRebalancing, type Market, REBALANCES, WEIGHTINGS } from './market.ts'
import { near, spreadWeights } from './near.testing.ts'

const RULES: IndexRules = {
  weighting: 'cap',
  rebalance: 'monthly',
  maxWeight: 0.25,
  minAgeDays: 60,
  volumeFloorUsd: 0,
  costBps: 30,
}

type Made = {
  token: string
  priceUsd: (day: number) => number
  supply?: number
  volumeUsd?: number
  feesUsd?: number
}

function madeMarket(days: readonly string[], tokens: readonly Made[]): Market {
  return {
    days,
    tokens: tokens.map(
      ({ token, priceUsd, supply = Number.NaN, volumeUsd = Number.NaN, feesUsd = Number.NaN }) => ({
        token,
        priceUsd: Float64Array.from(days, (_, day) => priceUsd(day)),
        supply: new Float64Array(days.length).fill(supply),
        volumeUsd: new Float64Array(days.length).fill(volumeUsd),
        feesUsd: new Float64Array(days.length).fill(feesUsd),
      }),
    ),
  }
}

test('a cap-weighted month, worked by hand', () => {
  const days = daysBetween('2021-01-01', '2021-04-30')
  const from = days.indexOf('2021-03-31')
  // Market values of 800, 150 and 50 at the rebalancing of 31 March: 60 % at most, the rest spread 3 : 1 over the others.
  const market = madeMarket(days, [
    { token: 'a', priceUsd: day => (day <= from ? 8 : 10), supply: 100 },
    { token: 'b', priceUsd: day => (day <= from ? 15 : 12), supply: 10 },
    { token: 'c', priceUsd: () => 5, supply: 10 },
  ])
  const done = backtest(market, { ...RULES, maxWeight: 0.6, minAgeDays: 80 }, INDEX_LIMITS)
  const [first, second] = done.rebalancings
  assert.deepEqual(
    first?.constituents.map(({ token, weight, isCapped }) => [token, Number(weight.toFixed(12)), isCapped]),
    [
      ['a', 0.6, true],
      ['b', 0.3, false],
      ['c', 0.1, false],
    ],
  )
  // The index stands for (150 + 50) ÷ 40 % = 500 dollars at a level of 1,000.
  near(first!.divisor!, 0.5, 'divisor')
  near(first!.traded, 1, 'bought')
  const level = 1000 * (0.6 * (10 / 8) + 0.3 * (12 / 15) + 0.1)
  near(done.level.at(-1)!, level, 'level')
  near(done.levelNet[0]!, 997, 'net at the beginning')
  const before = [0.75, 0.24, 0.1].map(part => part / 1.09)
  assert.deepEqual(
    second?.before.map(({ weight }) => Number(weight.toFixed(12))),
    before.map(weight => Number(weight.toFixed(12))),
  )
  // 1,000 : 120 : 50 dollars now; again a at 60 %, and 40 % spread 120 : 50.
  const after = [0.6, (0.4 * 120) / 170, (0.4 * 50) / 170]
  const traded = after.reduce((sum, weight, i) => sum + Math.abs(weight - before[i]!), 0)
  near(second!.traded, traded, 'traded')
  near(done.levelNet.at(-1)!, 0.997 * level * (1 - traded * 0.003), 'net')
  near(done.contributions.a!, 150, 'points of a')
  near(done.contributions.b!, -60, 'points of b')
})

/** Prices that walk, with gaps, births and deaths, supplies and volumes that come and go. */
const markets = fc
  .record({
    seed: fc.nat(1e9),
    tokens: fc.integer({ min: 1, max: 7 }),
    days: fc.integer({ min: 100, max: 260 }),
  })
  .map(({ seed, tokens, days }): Market => {
    let state = seed + 1
    const chance = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
    const names = daysBetween('2021-01-10', '2030-01-01').slice(0, days)
    return {
      days: names,
      tokens: Array.from({ length: tokens }, (_, i) => {
        let price = 1 + 100 * chance()
        const [born, dies] = [Math.floor(chance() * 60), days - Math.floor(chance() * 80)]
        const column = (give: () => number) =>
          Float64Array.from(names, (_, day) =>
            day < born || day >= dies || chance() < 0.05 ? Number.NaN : give(),
          )
        return {
          token: `t${i}`,
          priceUsd: column(() => {
            price *= Math.exp(0.2 * (chance() - 0.5))
            return price
          }),
          supply: column(() => 1e6 * (1 + chance())),
          volumeUsd: column(() => 2e5 * chance()),
          feesUsd: column(() => 1e3 * chance()),
        }
      }),
    }
  })

const anyRules = fc.record({
  weighting: fc.constantFrom(...WEIGHTINGS),
  rebalance: fc.constantFrom(...REBALANCES),
  maxWeight: fc.double({ min: 0.05, max: 1, noNaN: true }),
  minAgeDays: fc.integer({ min: 1, max: 90 }),
  volumeFloorUsd: fc.constantFrom(0, 50_000, 110_000),
  costBps: fc.constantFrom(0, 30),
})

test('no look-ahead: whatever the future is made to be, no past value changes', () => {
  fc.assert(
    fc.property(
      markets,
      anyRules,
      fc.double({ min: 0.2, max: 0.95, noNaN: true }),
      fc.nat(1e6),
      (market, rules, part, seed) => {
        const now = Math.floor(market.days.length * part)
        let state = seed + 7
        const place = (most: number) => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
          return state % most
        }
        const shuffled = (values: Float64Array): Float64Array => {
          const future = [...values.subarray(now + 1)]
          for (let i = future.length - 1; i > 0; i--) {
            const other = place(i + 1)
            ;[future[i], future[other]] = [future[other]!, future[i]!]
          }
          return Float64Array.from([...values.subarray(0, now + 1), ...future.map(value => value * 3)])
        }
        const other: Market = {
          days: market.days,
          tokens: market.tokens.map(token => ({
            token: token.token,
            priceUsd: shuffled(token.priceUsd),
            supply: shuffled(token.supply),
            volumeUsd: shuffled(token.volumeUsd),
            feesUsd: shuffled(token.feesUsd),
          })),
        }
        const today = market.days[now]!
        const past = ({ days, level, levelNet, rebalancings }: ReturnType<typeof backtest>) => {
          const known = days.filter(day => day <= today).length
          return {
            days: days.slice(0, known),
            level: level.slice(0, known),
            levelNet: levelNet.slice(0, known),
            rebalancings: rebalancings.filter(({ day }) => day <= today),
          }
        }
        assert.deepEqual(
          past(backtest(other, rules, INDEX_LIMITS)),
          past(backtest(market, rules, INDEX_LIMITS)),
        )
      },
    ),
    { numRuns: 60 },
  )
})

/** The same history as one who holds units would count it: cash is spent on units, units are priced day by day. */
function byUnits(market: Market, rules: IndexRules, done: ReturnType<typeof backtest>): Map<string, number> {
  const levels = new Map<string, number>()
  const history = new Map(market.tokens.map(token => [token.token, token]))
  const lastPrice = new Map<string, number>()
  const rebalancings = new Map(done.rebalancings.map(each => [each.day, each]))
  let cash = 1000
  let units = new Map<string, number>()
  for (const [at, day] of market.days.entries()) {
    for (const [token, { priceUsd }] of history) if (priceUsd[at]! > 0) lastPrice.set(token, priceUsd[at]!)
    let worth = cash
    for (const [token, count] of units) worth += count * lastPrice.get(token)!
    const held = [...units.keys()]
    const due = rebalancings.get(day)
    if (due !== undefined) {
      assert.ok(
        rules.rebalance === 'never' || isRebalancing(day, rules.rebalance),
        `${day} is no day to rebalance`,
      )
      // The constituents alone are taken from what is tested: their weights are found again, by another way.
      const sizes = due.constituents.map(
        ({ token }) => due.candidates.find(each => each.token === token)!.size!,
      )
      const weights = sizes.length === 0 ? [] : spreadWeights(sizes, rules.maxWeight)
      units = new Map(
        due.constituents.map(({ token }, i) => [token, (worth * weights[i]!) / lastPrice.get(token)!]),
      )
      cash = units.size === 0 ? worth : 0
    }
    if ([...held, ...units.keys()].some(token => history.get(token)!.priceUsd[at]! > 0))
      levels.set(day, worth)
  }
  return levels
}

test('levels are what one who holds units would have, computed another way; contributions add up to the change', () => {
  fc.assert(
    fc.property(markets, anyRules, (market, rules) => {
      const done = backtest(market, rules, INDEX_LIMITS)
      const levels = byUnits(market, rules, done)
      assert.deepEqual([...done.days], [...levels.keys()])
      for (const [i, day] of done.days.entries()) near(done.level[i]!, levels.get(day)!, day, 1e-7)
      const points = Object.values(done.contributions).reduce((sum, each) => sum + each, 0)
      if (done.level.length > 0) near(points, done.level.at(-1)! - 1000, 'points', 1e-7)
      for (const { constituents, candidates } of done.rebalancings) {
        for (const { token } of constituents)
          assert.equal(candidates.find(each => each.token === token)?.reason, '', token)
        assert.ok(constituents.length !== 1, 'one token is an index')
      }
    }),
    { numRuns: 80 },
  )
})

test('an index is suspended while fewer than two are eligible, and goes on from where it stopped', () => {
  const days = daysBetween('2021-01-01', '2021-09-30')
  const gap = [days.indexOf('2021-05-10'), days.indexOf('2021-07-05')] as const
  const silent = (day: number) => day >= gap[0] && day <= gap[1]
  const market = madeMarket(days, [
    { token: 'a', priceUsd: day => (silent(day) ? Number.NaN : 1 + day), supply: 10 },
    { token: 'b', priceUsd: day => (silent(day) ? Number.NaN : 2 + day), supply: 10 },
  ])
  const { rebalancings, days: told, level } = backtest(market, RULES, INDEX_LIMITS)
  const suspended = rebalancings.filter(({ constituents }) => constituents.length === 0).map(({ day }) => day)
  assert.deepEqual(suspended, ['2021-05-31', '2021-06-30'])
  assert.ok(!told.some(day => day >= '2021-05-10' && day < '2021-07-31'))
  assert.equal(level[told.indexOf('2021-07-31')], level[told.indexOf('2021-05-09')])
  assert.equal(rebalancings.find(({ day }) => day === '2021-07-31')?.traded, 1)
})

test('an index begins within its span, at the first close that gives it a constituent, and keeps it', () => {
  const days = daysBetween('2021-01-01', '2021-01-06')
  const gap = Number.NaN
  const market = madeMarket(days, [
    { token: 'a', priceUsd: day => [1, 2, 4, gap, 4, 8][day]! },
    { token: 'b', priceUsd: day => [gap, gap, 10, 10, gap, 5][day]! },
    { token: 'none', priceUsd: () => gap },
  ])
  const rules: IndexRules = { ...RULES, weighting: 'equal', rebalance: 'never', maxWeight: 1, costBps: 100 }
  const limits = { ...INDEX_LIMITS, leastConstituents: 1, baseLevel: 100 }
  const span = { from: '2021-01-02', to: '2021-01-05' }
  const done = backtest(market, { ...rules, minAgeDays: 1 }, limits, span)
  assert.deepEqual(done.days, ['2021-01-02', '2021-01-03', '2021-01-05'])
  assert.deepEqual(done.level, [100, 200, 200])
  assert.deepEqual(done.levelNet, [99, 198, 198])
  assert.deepEqual(done.contributions, { a: 100 })
  const [only, ...others] = done.rebalancings
  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...only, candidates: only?.candidates.map(({ token, reason }) => [token, reason]) },
    {
      day: '2021-01-02',
      candidates: [['a', '']],
      constituents: [{ token: 'a', priceUsd: 2, weight: 1, isCapped: false }],
      before: [],
      traded: 1,
      divisor: 0.01,
    },
  )
  // Two must be eligible: b has its first price on the third day, and one day later it is old enough.
  const both = backtest(market, { ...rules, minAgeDays: 1 }, { ...limits, leastConstituents: 2 })
  assert.deepEqual(
    both.rebalancings.map(({ day, candidates }) => [day, candidates.map(({ token }) => token)]),
    [['2021-01-04', ['a', 'b']]],
  )
  assert.deepEqual(both.days, ['2021-01-04', '2021-01-05', '2021-01-06'])
  // a doubles, b halves.
  assert.deepEqual(both.level, [100, 100, 125])
  assert.deepEqual(both.contributions, { a: 50, b: -25 })
})

test('a token that brought nothing has no points', () => {
  const days = daysBetween('2021-01-01', '2021-01-03')
  const market = madeMarket(days, [
    { token: 'still', priceUsd: () => 3 },
    { token: 'one', priceUsd: day => (day < 2 ? 100 : 102) },
  ])
  const rules: IndexRules = { ...RULES, weighting: 'equal', rebalance: 'never', minAgeDays: 0, maxWeight: 1 }
  const done = backtest(market, rules, { ...INDEX_LIMITS, baseLevel: 100 })
  assert.deepEqual(Object.keys(done.contributions), ['one'])
  near(done.contributions.one!, 1, 'points')
})

test('days count in UTC, and there are none from a later to an earlier one', () => {
  assert.deepEqual(daysBetween('2024-02-28', '2024-03-01'), ['2024-02-28', '2024-02-29', '2024-03-01'])
  assert.deepEqual(daysBetween('2024-03-01', '2024-03-01'), ['2024-03-01'])
  assert.deepEqual(daysBetween('2024-03-01', '2024-02-28'), [])
  const year = daysBetween('2024-01-01', '2024-12-31')
  assert.deepEqual(
    REBALANCES.map(each => [each, year.filter(day => isRebalancing(day, each)).length]),
    [
      ['daily', 366],
      ['weekly', 52],
      ['monthly', 12],
      ['quarterly', 4],
      ['never', 366],
    ],
  )
})

test('rebalancing days are the last of their span', () => {
  assert.deepEqual(
    daysBetween('2024-02-20', '2024-04-02').filter(day => isRebalancing(day, 'monthly')),
    ['2024-02-29', '2024-03-31'],
  )
  assert.deepEqual(
    daysBetween('2024-02-20', '2024-04-02').filter(day => isRebalancing(day, 'quarterly')),
    ['2024-03-31'],
  )
  assert.equal(isRebalancing('2024-03-03', 'weekly'), true)
  assert.equal(isRebalancing('2024-03-04', 'weekly'), false)
})
