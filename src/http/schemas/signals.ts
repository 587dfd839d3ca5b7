import { z } from 'zod'
import { SIGNAL_FAMILIES, TRANSFORM_KINDS } from '#catalog/index.ts'
import { VERDICTS } from '#metrics/index.ts'
import { asOf } from './common.ts'

export const signalId = z
  .string()
  .regex(/^[a-z0-9-]{1,60}$/)
  .describe('signal, as in the catalog')

const day = z.string().describe('UTC day')
const share = z.number().nullable()
const state = z.enum(['bullish', 'bearish', 'neutral'])
const side = z.union([z.strictObject({ above: z.number() }), z.strictObject({ below: z.number() })])

const rule = z
  .strictObject({
    fixed: day.describe('UTC day on which it was fixed; days up to it are in sample'),
    transform: z.strictObject({
      kind: z.enum(TRANSFORM_KINDS),
      days: z.array(z.number()).describe('windows in UTC days'),
    }),
    bullish: side.nullable(),
    bearish: side.nullable(),
    reason: z.string(),
  })
  .meta({
    id: 'SignalRule',
    description: 'A rule with its parameters. Rules never change, new versions replace them.',
  })

export const record = z
  .strictObject({
    horizon: z.number().describe('days ahead, from the close of the day after'),
    days: z.number().describe('days with a reading and a return ahead'),
    events: z.number().describe('entries into a side, at least a horizon apart'),
    bullish: z.number(),
    bearish: z.number(),
    pending: z.number().describe('entries with no return yet'),
    hits: z
      .number()
      .describe('events with a return above the all-day average, in the direction of their side'),
    hitRate: share,
    hitLow: share.describe('95 %, Wilson'),
    hitHigh: share,
    afterBullish: share.describe('mean return after bullish events; means of returns are of logarithms'),
    afterBearish: share,
    unconditional: share.describe('mean return of all days'),
    excess: share.describe('mean return of events in excess of all days, in the direction of their side'),
    p: share.describe(
      'share of all circular shifts of the events that bring as much; null below five events',
    ),
  })
  .meta({ id: 'SignalRecord', description: 'What followed the events of a signal at one horizon.' })

const span = z.strictObject({ from: day, to: day, state })

const item = z.strictObject({
  id: z.string(),
  name: z.string(),
  family: z.enum(SIGNAL_FAMILIES),
  input: z.string().describe('metric and entity that it reads'),
  fixed: day,
  unit: z.string().describe('of its reading'),
  state: state.nullable(),
  since: day.nullable(),
  day: day.nullable().describe('of the latest reading'),
  isCurrent: z
    .boolean()
    .describe('the latest reading is not older than two weeks, counted from the latest close'),
  reading: z.number().nullable(),
  rank: z.number().nullable().describe('share of days so far with a reading as low or lower'),
  absent: z.string().nullable().describe('why there is no reading'),
  history: z.array(record).describe('up to the day on which the rule was fixed: in sample'),
  sinceFixed: z.array(record).describe('after it: out of sample'),
  q: z
    .array(share)
    .describe('p of the history, corrected for all tests (Benjamini and Hochberg), by horizon'),
  verdict: z.enum(VERDICTS),
})
export const signalItem = item.meta({
  id: 'SignalSummary',
  description: 'A signal with its current state and record.',
})

export const composite = z
  .strictObject({
    day: day.nullable(),
    value: z.number().nullable().describe('mean of its members’ states, −1 to 1'),
    state: state.nullable(),
    since: day.nullable(),
    years: z.array(z.strictObject({ year: z.number(), members: z.array(z.string()) })),
    spans: z.array(span),
    walk: z.array(record).describe('members chosen before each year: out of sample in the choice of members'),
    afterFixed: z.array(record).describe('after the youngest rule was fixed: out of sample in everything'),
  })
  .meta({
    id: 'SignalComposite',
    description: 'Composite of signals with a record, selected again each year.',
  })

export const signalList = z.strictObject({
  items: z.array(signalItem),
  tests: z.number().describe('tests that the correction counts'),
  priceDay: day.nullable().describe('of the latest close'),
  asOf,
})

export const signalDetail = item
  .extend({
    why: z.string(),
    misleads: z.string(),
    readingText: z.string(),
    coverage: z.number().describe('share of a window’s days that must have a figure'),
    references: z.array(z.strictObject({ title: z.string(), url: z.string().optional() })),
    rules: z.array(rule).describe('the last one is in force'),
    firstDay: day.nullable(),
    spans: z.array(span),
    entries: z.array(z.strictObject({ day, state, returns: z.array(share) })),
    walk: z.array(record).describe('parameters chosen before each year by the record so far'),
    steps: z.array(
      z.strictObject({
        year: z.number(),
        days: z.array(z.number()).nullable(),
        bullish: z.number().nullable(),
        bearish: z.number().nullable(),
      }),
    ),
    grid: z.array(
      z.strictObject({
        days: z.array(z.number()),
        bullish: z.number().nullable(),
        bearish: z.number().nullable(),
        events: z.number(),
        hitRate: share,
        excess: share,
        isRule: z.boolean(),
      }),
    ),
    retired: z.array(z.strictObject({ fixed: day, until: day, since: z.array(record) })),
    asOf,
  })
  .meta({
    id: 'SignalDetail',
    description: 'A signal with its rule, its events and how stable its record is.',
  })

/** One line of the record of all signals. */
const recordRow = record.extend({
  signal: z.string(),
  name: z.string(),
  part: z.enum(['history', 'walk', 'since']),
  q: share,
})
export const signalRecords = z.strictObject({ items: z.array(recordRow) })
export const recordsQuery = z.strictObject({ format: z.enum(['json', 'csv']).exactOptional() })
