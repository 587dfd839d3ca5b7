import { z } from 'zod'
import { INDEX_WEIGHTINGS as CATALOG_WEIGHTINGS } from '#catalog/index.ts'
import { BACKTEST_NUMBERS, INDEX_REBALANCES, INDEX_WEIGHTINGS } from '../vocabulary.ts'
import { asOf, day } from './common.ts'

export const indexId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(60)
  .describe('index, as in the catalog')

const ratio = z.number().nullable().describe('null if unknown')

export const marketIndex = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    sentence: z.string(),
    universe: z.string().describe('the rule by which its members were chosen'),
    weighting: z.enum(CATALOG_WEIGHTINGS),
    maxWeight: z.number(),
    minAgeDays: z.int(),
    volumeFloorUsd: z.number(),
    costBps: z.number(),
    members: z.array(z.strictObject({ token: z.string(), symbol: z.string(), why: z.string() })),
    start: z.string().nullable().describe('first UTC day with a level; null where it has not begun'),
    day: z.string().nullable().describe('latest UTC day with a level'),
    level: ratio.describe('on that day; 1,000 at the beginning'),
    change: z
      .strictObject({ day: ratio, month: ratio, year: ratio, launch: ratio })
      .describe('of the level: over 1, 30 and 365 days and since the beginning'),
    spark: z
      .array(z.number())
      .describe('at most 75 even steps over its latest year; its ends are those of `change.year`'),
  })
  .meta({ id: 'MarketIndex', description: 'A token index: its rules and current level.' })

export const indexList = z.strictObject({ items: z.array(marketIndex), asOf })

/** Tokens, parted by commas. */
const tokenList = z
  .string()
  .max(2000)
  .transform(text => [...new Set(text.split(',').filter(Boolean))])
  .refine(tokens => tokens.length > 0 && tokens.length <= 60, 'must name 1 to 60 tokens')

const number = ({ least, most, first }: { least: number; most: number; first: number }) =>
  z.coerce.number().min(least).max(most).default(first)

export const backtestQuery = z
  .strictObject({
    tokens: tokenList
      .exactOptional()
      .describe('universe, parted by commas; all that an index may hold unless named'),
    weighting: z.enum(INDEX_WEIGHTINGS).default('equal'),
    rebalance: z
      .enum(INDEX_REBALANCES)
      .default('monthly')
      .describe('after the close of the last UTC day of each span'),
    cap: number(BACKTEST_NUMBERS.cap).describe('largest weight, percent'),
    age: number(BACKTEST_NUMBERS.age).describe('days for which a token must have had a price'),
    floor: number(BACKTEST_NUMBERS.floor).describe(
      'minimum 30-day median daily volume, US dollars; 0: no minimum',
    ),
    cost: number(BACKTEST_NUMBERS.cost).describe('cost of a trade, hundredths of a percent of the amount'),
    from: day.exactOptional().describe('first UTC day'),
    to: day.exactOptional().describe('last UTC day'),
    format: z.enum(['json', 'csv']).exactOptional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    error: 'must lie before `to`',
    path: ['from'],
  })

const statistics = z.strictObject({
  total: ratio,
  yearly: ratio,
  volatility: ratio,
  sharpe: ratio,
  drawdown: ratio,
})

export const backtestAnswer = z
  .strictObject({
    rules: z.strictObject({
      tokens: z.array(z.string()),
      weighting: z.enum(INDEX_WEIGHTINGS),
      rebalance: z.enum(INDEX_REBALANCES),
      maxWeight: z.number(),
      minAgeDays: z.number(),
      volumeFloorUsd: z.number(),
      costBps: z.number(),
      from: z.string().nullable(),
      to: z.string().nullable(),
    }),
    tokens: z
      .array(
        z.strictObject({
          token: z.string(),
          symbol: z.string(),
          firstDay: z.string().nullable().describe('first day with a price; null without any'),
          lastDay: z.string().nullable(),
          points: ratio.describe('index points that it contributed'),
          months: z.int().describe('rebalancings that included it'),
          isAsked: z.boolean(),
        }),
      )
      .describe('every token that an index may hold'),
    days: z.array(z.string()).describe('UTC days on which it has a level'),
    level: z.array(z.number()),
    levelNet: z.array(z.number()).describe('less what trading costs'),
    btc: z.array(z.number().nullable()).describe('bitcoin, from the same level on the first day'),
    eth: z.array(z.number().nullable()),
    statistics: z.strictObject({ level: statistics, levelNet: statistics, btc: statistics, eth: statistics }),
    turnoverYearly: ratio.describe('half of what was bought and sold, a year; the beginning left out'),
    rebalancings: z.array(
      z.strictObject({
        day: z.string(),
        traded: z.number().describe('bought and sold, share of the index'),
        divisor: ratio,
        constituents: z.array(
          z.strictObject({
            token: z.string(),
            weight: z.number(),
            priceUsd: z.number(),
            isCapped: z.boolean(),
          }),
        ),
        out: z
          .array(z.strictObject({ token: z.string(), reason: z.string() }))
          .describe('who was not eligible, and why'),
      }),
    ),
    sql: z.string().describe('what it was computed from, as rows that anybody may read'),
    asOf,
  })
  .meta({ id: 'Backtest', description: 'The history of an index under the requested rules.' })
