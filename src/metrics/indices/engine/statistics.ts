/** How a level moved: ratios, null where there are too few days to tell. */
export type LevelStatistics = {
  /** Last level over the first, less one. */
  readonly total: number | null
  /** The same a year, compounded; null under 90 days. */
  readonly yearly: number | null
  /** Sample deviation of daily log returns × √365. */
  readonly volatility: number | null
  /** Mean of daily log returns × 365 over the volatility; risk-free 0. */
  readonly sharpe: number | null
  /** Deepest fall below the highest level before. */
  readonly drawdown: number | null
}

const YEAR_DAYS = 365
const LEAST_DAYS = 30
const LEAST_YEARLY_DAYS = 90

/** Returns of neighbouring UTC days alone: what happened over a gap is no daily return. */
export function dailyLogReturns(
  days: readonly string[],
  level: readonly number[],
): { day: string; change: number }[] {
  const returns: { day: string; change: number }[] = []
  for (let i = 1; i < days.length; i++)
    if (Date.parse(days[i]!) - Date.parse(days[i - 1]!) === 86_400_000)
      returns.push({ day: days[i]!, change: Math.log(level[i]! / level[i - 1]!) })
  return returns
}

export function statisticsOf(days: readonly string[], level: readonly number[]): LevelStatistics {
  const [first, last] = [level[0], level.at(-1)]
  if (first === undefined || last === undefined)
    return { total: null, yearly: null, volatility: null, sharpe: null, drawdown: null }
  const span = (Date.parse(days.at(-1)!) - Date.parse(days[0]!)) / 86_400_000
  const changes = dailyLogReturns(days, level).map(({ change }) => change)
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
  const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / (changes.length - 1)
  const isTold = changes.length >= LEAST_DAYS
  const volatility = isTold ? Math.sqrt(variance * YEAR_DAYS) : null
  let [highest, drawdown] = [first, 0]
  for (const value of level) {
    highest = Math.max(highest, value)
    drawdown = Math.min(drawdown, value / highest - 1)
  }
  return {
    total: last / first - 1,
    yearly: span >= LEAST_YEARLY_DAYS ? (last / first) ** (YEAR_DAYS / span) - 1 : null,
    volatility,
    sharpe: volatility !== null && volatility > 0 ? (mean * YEAR_DAYS) / volatility : null,
    drawdown,
  }
}
