import { z } from 'zod'
import { Day, Slug, Words } from './facts.ts'

/** Of what signals speak; pages group them so. */
export const SIGNAL_FAMILIES = ['trend', 'extremes', 'miners', 'use', 'flows', 'valuation'] as const

/**
 * What a signal reads off a daily series, over windows of UTC days up to the day itself:
 *
 * | kind | days | reading |
 * | --- | --- | --- |
 * | `mean`, `sum` | n | mean or sum over n days |
 * | `multiple`, `cross` | s, l | mean over s days ÷ mean over l days; `cross` less 1 |
 * | `change` | n | figure of the day ÷ that of n days before, less 1 |
 * | `drawdown` | n | figure of the day ÷ the highest of n days, less 1 |
 * | `volatility` | n | sample standard deviation of n daily log returns × √365 |
 */
export const TRANSFORM_KINDS = [
  'mean',
  'sum',
  'multiple',
  'cross',
  'change',
  'drawdown',
  'volatility',
] as const
export type TransformKind = (typeof TRANSFORM_KINDS)[number]

const TWO_WINDOWS: readonly TransformKind[] = ['multiple', 'cross']

const Windows = z.array(z.int().min(1).max(1500)).min(1).max(2)

/** A side of a rule: the readings that belong to it. */
const Side = z.union([z.strictObject({ above: z.number() }), z.strictObject({ below: z.number() })])
export type SignalSide = z.infer<typeof Side>

/** A rule as it was fixed on a day. It is never changed: another rule follows it in the list. */
const Rule = z.strictObject({
  /** The UTC day on which rule and parameters were fixed: what came before is in sample. */
  fixed: Day,
  transform: z.strictObject({ kind: z.enum(TRANSFORM_KINDS), days: Windows }),
  bullish: Side.optional(),
  bearish: Side.optional(),
  /** Why this rule with these parameters. */
  reason: Words,
})
export type SignalRule = z.infer<typeof Rule>

/** One of the 21 signals: what it reads, its rules in the order of their days, and the parameters around them that its record is tried with. */
export const Signal = z
  .strictObject({
    id: Slug,
    name: Words,
    family: z.enum(SIGNAL_FAMILIES),
    /** The figures that it reads; of a breakdown one value, or the sum of all. */
    input: z.strictObject({
      metric: Words,
      entity: Words,
      key: Words.optional(),
      unit: z.enum(['usd', 'btc']).optional(),
    }),
    /** Share of a window's days that must have a figure. */
    coverage: z.number().min(0.3).max(1).default(0.9),
    /** What the reading is, as the end of a sentence. */
    reading: Words,
    why: Words,
    misleads: Words,
    rules: z.array(Rule).min(1),
    /** Windows and thresholds (bullish, bearish) near the rule's own, which are among them. */
    grid: z.strictObject({
      days: z.array(Windows).min(1).max(7),
      thresholds: z
        .array(z.tuple([z.number().nullable(), z.number().nullable()]))
        .min(1)
        .max(7),
    }),
    references: z.array(z.strictObject({ title: Words, url: z.url().exactOptional() })).min(1),
  })
  .superRefine(({ rules, grid }, { addIssue }) => {
    const fault = (path: (string | number)[], message: string) => addIssue({ code: 'custom', path, message })
    for (const [index, { fixed, transform, bullish, bearish }] of rules.entries()) {
      if (index > 0 && fixed <= (rules[index - 1]?.fixed ?? ''))
        fault(['rules', index, 'fixed'], 'must lie after the day of the rule before')
      const windows = TWO_WINDOWS.includes(transform.kind) ? 2 : 1
      if (transform.days.length !== windows)
        fault(['rules', index, 'transform', 'days'], `takes ${windows === 2 ? 'two windows' : 'one window'}`)
      if (bullish === undefined && bearish === undefined)
        fault(['rules', index], 'has neither a bullish nor a bearish side')
    }
    const rule = rules.at(-1)
    if (rule === undefined) return
    if (!grid.days.some(days => days.join() === rule.transform.days.join()))
      fault(['grid', 'days'], 'must hold the windows of the rule in force')
    const own = [thresholdOf(rule.bullish), thresholdOf(rule.bearish)].join()
    if (!grid.thresholds.some(pair => pair.join() === own))
      fault(['grid', 'thresholds'], 'must hold the thresholds of the rule in force')
  })
export type CatalogSignal = z.infer<typeof Signal>

/** The number of a side; null where a rule has none. */
export const thresholdOf = (side: SignalSide | undefined): number | null =>
  side === undefined ? null : 'above' in side ? side.above : side.below
