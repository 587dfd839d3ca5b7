/** The range of expected miner wins would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { poissonBinomialQuantile } from '#kernel/poissonBinomial.ts'
import { ask } from '../ask.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
})
after(() => site[Symbol.asyncDispose]())

/** All outcomes of independent draws, one by one: what the statement must agree with. */
function bruteForce(ps: readonly number[], share: number): number {
  const pmf = new Array<number>(ps.length + 1).fill(0)
  for (let outcome = 0; outcome < 2 ** ps.length; outcome++) {
    let chance = 1
    let wins = 0
    for (const [i, p] of ps.entries()) {
      const isWon = (outcome >> i) & 1
      chance *= isWon ? p : 1 - p
      wins += isWon
    }
    pmf[wins]! += chance
  }
  let below = 0
  for (const [wins, chance] of pmf.entries()) {
    below += chance
    if (below >= share - 1e-12) return wins
  }
  return ps.length
}

async function ofSql(ps: readonly number[]): Promise<{ low: number; high: number }> {
  const list = `[${ps.map(p => `toFloat64(${p})`).join(', ')}]`
  const [row] = await ask<{ low: number; high: number }>(
    site.warehouse.guest,
    `WITH CAST(${ps.length === 0 ? '[]' : list} AS Array(Float64)) AS ps
SELECT ${poissonBinomialQuantile('ps', 0.025)} AS low, ${poissonBinomialQuantile('ps', 0.975)} AS high`,
  )
  return { low: Number(row!.low), high: Number(row!.high) }
}

test('the 95 % interval of wins equals the one counted over all outcomes', async () => {
  const seed = 20_261_122
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const cases = [
    [],
    [0],
    [1, 1, 1],
    [0.5],
    [0.02, 0.97, 0.5],
    ...Array.from({ length: 12 }, (_, n) => Array.from({ length: n + 3 }, random)),
  ]
  for (const ps of cases)
    assert.deepEqual(
      await ofSql(ps),
      { low: bruteForce(ps, 0.025), high: bruteForce(ps, 0.975) },
      `seed ${seed}: ${ps.join(', ')}`,
    )
})

test('beyond 300 draws the normal form is within one win of the exact binomial', async () => {
  const [n, p] = [400, 0.3]
  let [below, chance] = [0, (1 - p) ** n]
  const reached: Record<string, number> = {}
  for (let wins = 0; wins <= n; wins++) {
    below += chance
    for (const share of [0.025, 0.975]) if (below >= share) reached[share] ??= wins
    chance *= ((n - wins) / (wins + 1)) * (p / (1 - p))
  }
  const { low, high } = await ofSql(Array.from({ length: n }, () => p))
  assert.ok(Math.abs(low - reached[0.025]!) <= 1, `${low} against ${reached[0.025]}`)
  assert.ok(Math.abs(high - reached[0.975]!) <= 1, `${high} against ${reached[0.975]}`)
})
