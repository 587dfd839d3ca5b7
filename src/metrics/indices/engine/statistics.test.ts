/** Returns, volatility or drawdowns of an index would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBetween } from './market.ts'
import { near } from './near.testing.ts'
import { dailyLogReturns, statisticsOf } from './statistics.ts'

test('statistics of a level, worked by hand', () => {
  const days = daysBetween('2021-01-01', '2021-12-31')
  const level = days.map((_, i) => (i % 2 === 0 ? 100 : 110))
  const { total, drawdown, volatility, yearly } = statisticsOf(days, level)
  near(total!, 0, 'total')
  near(yearly!, 0, 'a year')
  near(drawdown!, 100 / 110 - 1, 'drawdown')
  near(volatility!, Math.log(1.1) * Math.sqrt((364 / 363) * 365), 'volatility')
  // Half as much again in 90 days: (3 ÷ 2)^(365 ÷ 90) a year; under 90 days no year is computed.
  const ninety = daysBetween('2021-01-01', '2021-04-01')
  const rising = ninety.map((_, i) => 100 * 1.5 ** (i / 90))
  near(statisticsOf(ninety, rising).yearly!, 1.5 ** (365 / 90) - 1, 'a year of 90 days')
  near(statisticsOf(ninety, rising).total!, 0.5, 'total of 90 days')
  assert.equal(statisticsOf(ninety.slice(0, -1), rising.slice(0, -1)).yearly, null)
  assert.deepEqual(statisticsOf([], []), {
    total: null,
    yearly: null,
    volatility: null,
    sharpe: null,
    drawdown: null,
  })
})

test('a volatility and a Sharpe ratio rest on 30 returns of neighbouring days', () => {
  const days = daysBetween('2021-01-01', '2021-02-01')
  // Sixteen times up by 3 %, fifteen times down by 1 %, in logarithms.
  const logs = days.slice(1).map((_, i) => (i % 2 === 0 ? 0.03 : -0.01))
  const level = days.map((_, i) => Math.exp(logs.slice(0, i).reduce((sum, log) => sum + log, 0)))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1)
  const { volatility, sharpe, yearly, drawdown } = statisticsOf(days, level)
  near(volatility!, Math.sqrt(variance * 365), 'volatility')
  near(sharpe!, (mean * 365) / Math.sqrt(variance * 365), 'Sharpe ratio')
  near(drawdown!, Math.expm1(-0.01), 'drawdown')
  assert.equal(yearly, null)
  const of = (count: number) => statisticsOf(days.slice(0, count), level.slice(0, count))
  assert.notEqual(of(31).volatility, null)
  assert.deepEqual([of(30).volatility, of(30).sharpe], [null, null])
  // Without the sixth day, the return over two days counts for nothing.
  const without = <Each>(all: readonly Each[]) => all.filter((_, i) => i !== 5)
  const [fewer, less] = [without(days), without(level)]
  assert.equal(dailyLogReturns(fewer, less).length, 29)
  assert.deepEqual(dailyLogReturns(fewer, less)[4], { day: fewer[6], change: Math.log(less[6]! / less[5]!) })
  // A level that never moves has a volatility of zero, and no ratio to it.
  const flat = statisticsOf(
    days,
    days.map(() => 7),
  )
  assert.deepEqual([flat.volatility, flat.sharpe, flat.drawdown], [0, null, 0])
})
