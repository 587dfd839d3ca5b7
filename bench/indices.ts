import { backtest } from '#metrics/indices/engine/backtest.ts'
import { daysBetween, type IndexRules, type Market } from '#metrics/indices/engine/market.ts'
import { INDEX_LIMITS } from '#metrics/indices/limits.ts'
import { median, timed } from './measure.ts'
import { rounded, type Suite, within } from './suite.ts'

const TOKENS = 60
const LIMIT_MS = 300

const RULES: IndexRules = {
  weighting: 'cap',
  rebalance: 'daily',
  maxWeight: 0.25,
  minAgeDays: 60,
  volumeFloorUsd: 100_000,
  costBps: 30,
}

/** Prices that walk by chance, the same at each run (numerical recipes' generator, a fixed seed). */
function madeMarket(): Market {
  const days = daysBetween('2021-01-01', '2025-12-31')
  let seed = 1
  const chance = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const tokens = Array.from({ length: TOKENS }, (_, i) => {
    let [price, supply] = [0.1 + 10 * chance(), 1e6 * (1 + 1e3 * chance())]
    const column = () => new Float64Array(days.length)
    const [priceUsd, supplies, volumeUsd, feesUsd] = [column(), column(), column(), column()]
    for (let day = 0; day < days.length; day++) {
      price *= Math.exp(0.08 * (chance() - 0.5))
      supply *= 1 + 0.0002 * chance()
      priceUsd[day] = price
      supplies[day] = supply
      volumeUsd[day] = price * supply * 0.02 * chance()
      feesUsd[day] = 1e4 * chance()
    }
    return { token: `t${i}`, priceUsd, supply: supplies, volumeUsd, feesUsd }
  })
  return { days, tokens }
}

/** What a reader of the index builder waits for. */
export const indices: Suite = {
  name: 'indices',
  about: `the index builder: five years of daily weights over ${TOKENS} tokens`,
  async run({ isQuick, say }) {
    const market = madeMarket()
    const rounds = isQuick ? 3 : 9
    const figures = []
    for (const weighting of ['cap', 'inverse-volatility'] as const) {
      const rules = { ...RULES, weighting }
      const times: number[] = []
      for (let round = 0; round < rounds; round++)
        times.push(
          await timed(() => {
            const { rebalancings } = backtest(market, rules, INDEX_LIMITS)
            if (rebalancings.length < 1_700) throw new Error('the index was not rebalanced daily')
          }),
        )
      say(`${weighting}: ${times.map(ms => rounded(ms)).join(', ')} ms`)
      const ms = median(times)
      figures.push({
        figure: `${market.days.length} daily rebalancings of ${TOKENS} tokens by ${weighting}`,
        against: `${LIMIT_MS} ms`,
        ...within(ms, LIMIT_MS, 'ms'),
        ratio: ms / LIMIT_MS,
      })
    }
    return figures
  },
}
