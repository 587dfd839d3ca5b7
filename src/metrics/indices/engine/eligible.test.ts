/** Indices would hold tokens that their rules exclude. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Candidate, candidateAt, trailOf } from './eligible.ts'
import { type IndexRules, type MarketLimits, type TokenHistory, WEIGHTINGS } from './market.ts'

const DAYS = 150
const LIMITS: MarketLimits = {
  priceAgeDays: 3,
  supplyAgeDays: 4,
  windowDays: 6,
  leastVolumeDays: 3,
  leastFeeDays: 3,
  leastConstituents: 2,
  baseLevel: 1000,
}
const RULES: IndexRules = {
  weighting: 'equal',
  rebalance: 'daily',
  maxWeight: 1,
  minAgeDays: 0,
  volumeFloorUsd: 0,
  costBps: 0,
}

/** A token by its definitions: every window is gathered anew from the figures up to the day. */
function plainCandidate(
  { token, ...history }: TokenHistory,
  at: number,
  rules: IndexRules,
  limits: MarketLimits,
): Candidate | undefined {
  const past = (values: Float64Array, days = at + 1) => [
    ...values.subarray(Math.max(0, at + 1 - days), at + 1),
  ]
  const known = (values: readonly number[]) => values.filter(value => !Number.isNaN(value))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const newest = (values: Float64Array, mostAge: number) => {
    const found = past(values).findLastIndex(value => value > 0)
    return found < 0 || at - found > mostAge ? undefined : { value: values[found]!, age: at - found }
  }
  const first = history.priceUsd.findIndex(value => value > 0)
  if (first < 0 || first > at) return undefined
  const price = newest(history.priceUsd, limits.priceAgeDays)?.value ?? null
  const supply = newest(history.supply, limits.supplyAgeDays - 1)
  const volumes = known(past(history.volumeUsd, limits.windowDays)).sort((a, b) => a - b)
  const [low, high] = [volumes[Math.ceil(volumes.length / 2) - 1]!, volumes[Math.floor(volumes.length / 2)]!]
  const median = volumes.length < limits.leastVolumeDays ? null : (low + high) / 2
  const ofFees = known(past(history.feesUsd, limits.windowDays))
  const fees =
    rules.weighting !== 'fees' || ofFees.length < limits.leastFeeDays
      ? null
      : (sum(ofFees) / ofFees.length) * limits.windowDays
  const returns = past(history.priceUsd)
    .map((now, day) => Math.log(now / (history.priceUsd[day - 1] ?? Number.NaN)))
    .slice(-90)
    .filter(Number.isFinite)
  const mean = sum(returns) / returns.length
  const sigma = Math.sqrt(sum(returns.map(each => (each - mean) ** 2)) / (returns.length - 1))
  const size = {
    equal: 1,
    fees: fees || null,
    cap: price === null || supply === undefined ? null : price * supply.value,
    'inverse-volatility': returns.length < 60 || sigma === 0 ? null : 1 / sigma,
  }[rules.weighting]
  const lacking = {
    equal: '',
    fees: 'no fees of its layer',
    cap: 'no circulating supply',
    'inverse-volatility': 'fewer than 60 daily returns in 90 days',
  }
  const reasons = [
    price === null && 'no price in the last 3 days',
    at - first < rules.minAgeDays && `only ${at - first} days of prices`,
    rules.volumeFloorUsd > 0 && median === null && 'no volume',
    rules.volumeFloorUsd > 0 &&
      median !== null &&
      median < rules.volumeFloorUsd &&
      'volume below the minimum',
    size === null && lacking[rules.weighting],
  ]
  return {
    token,
    priceUsd: price,
    supply: supply?.value ?? null,
    supplyAge: supply?.age ?? null,
    volumeMedianUsd: median,
    feesUsd: fees,
    size,
    reason: reasons.find(reason => reason !== false) ?? '',
  }
}

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Figures with gaps, zeros and equal values, which are what windows get wrong. */
function madeHistory(seed: number): TokenHistory {
  const random = randomOf(seed)
  const gaps = [0.02, 0.12, 0.18, 0.21, 0.6][seed % 5]!
  const column = (give: () => number, share = gaps) =>
    Float64Array.from({ length: DAYS }, () => (random() < share ? Number.NaN : give()))
  let price = 0.4
  const priceUsd = column(() => {
    price *= Math.exp(0.2 * (random() - 0.5))
    return random() < 0.01 ? 0 : price
  })
  if (seed % 3 > 0) priceUsd.fill(Number.NaN, 0, seed % 40)
  return {
    token: `t${seed}`,
    priceUsd,
    supply: column(() => Math.floor(random() * 4) / 2, 0.6),
    volumeUsd: column(() => Math.floor(random() * 6) / 2, 0.4),
    feesUsd: column(() => Math.max(0, Math.floor(random() * 5) - 2), 0.4),
  }
}

const rounded = (candidate: Candidate | undefined) =>
  candidate && { ...candidate, size: candidate.size && Number(candidate.size.toPrecision(9)) }

test('a token is judged as its rules say, worked out again day by day', t => {
  const seeds = Array.from({ length: 15 }, (_, index) => index + 1)
  t.diagnostic(`seeds ${seeds.join()}`)
  const reasons = new Set<string>()
  for (const seed of seeds) {
    const history = madeHistory(seed)
    const trail = trailOf(history, LIMITS)
    for (const weighting of WEIGHTINGS)
      for (const volumeFloorUsd of [0, 0.5, 1])
        for (let at = 0; at < DAYS; at += 1 + volumeFloorUsd * 2) {
          const rules = { ...RULES, weighting, volumeFloorUsd, minAgeDays: 10 }
          const expected = plainCandidate(history, at, rules, LIMITS)
          assert.equal(trail.first > at, expected === undefined, `seed ${seed}, day ${at}`)
          if (expected === undefined) continue
          const candidate = candidateAt(trail, at, rules, LIMITS)
          assert.deepEqual(rounded(candidate), rounded(expected), `seed ${seed}, day ${at}, ${weighting}`)
          reasons.add(candidate.reason.replace(/\d+ days of/, 'N days of'))
        }
  }
  assert.deepEqual(
    [...reasons].sort(),
    [
      '',
      'fewer than 60 daily returns in 90 days',
      'no circulating supply',
      'no fees of its layer',
      'no price in the last 3 days',
      'no volume',
      'only N days of prices',
      'volume below the minimum',
    ],
    'every reason occurs',
  )
})

const steady = (values: Partial<Record<keyof TokenHistory, number[]>>): TokenHistory => {
  const column = (name: keyof TokenHistory) =>
    Float64Array.from({ length: DAYS }, (_, day) => values[name]?.[day] ?? Number.NaN)
  return {
    token: 'a',
    priceUsd: column('priceUsd'),
    supply: column('supply'),
    volumeUsd: column('volumeUsd'),
    feesUsd: column('feesUsd'),
  }
}
const at = (history: TokenHistory, day: number, rules: Partial<IndexRules> = {}): Candidate =>
  candidateAt(trailOf(history, LIMITS), day, { ...RULES, ...rules }, LIMITS)

test('a price, and a supply, of the first day counts until it is too old', () => {
  const history = steady({ priceUsd: [0.5], supply: [0.5] })
  assert.deepEqual(
    [0, 3, 4].map(day => at(history, day).priceUsd),
    [0.5, 0.5, null],
  )
  assert.deepEqual(
    [0, 3, 4].map(day => [at(history, day).supply, at(history, day).supplyAge]),
    [
      [0.5, 0],
      [0.5, 3],
      [null, null],
    ],
  )
  assert.equal(trailOf(steady({}), LIMITS).first, DAYS)
})

test('a price that never moves has no volatility, and its token no weight by it', () => {
  const history = steady({ priceUsd: Array.from({ length: DAYS }, () => 2) })
  const { size, reason } = at(history, 100, { weighting: 'inverse-volatility' })
  assert.deepEqual([size, reason], [null, 'fewer than 60 daily returns in 90 days'])
})

test('sixty returns give a volatility, fifty-nine do not, and only those of 90 days count', () => {
  const priceUsd = Array.from({ length: DAYS }, (_, day) => (day % 2 === 0 ? 1 : 2))
  const sizeOn = (day: number, from = 0) =>
    at(steady({ priceUsd: priceUsd.map((price, each) => (each < from ? Number.NaN : price)) }), day, {
      weighting: 'inverse-volatility',
    }).size
  assert.equal(sizeOn(59), null)
  // Thirty rises and thirty falls by ln 2: the deviation is ln 2 · √(60 ÷ 59).
  assert.equal(sizeOn(60)?.toFixed(9), (1 / (Math.log(2) * Math.sqrt(60 / 59))).toFixed(9))
  assert.equal(sizeOn(100)?.toFixed(9), (1 / (Math.log(2) * Math.sqrt(90 / 89))).toFixed(9))
})
