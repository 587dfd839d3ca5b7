import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts, type Parts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf, isOver } from './days.ts'
import { requestsByLayer } from './layerIds.ts'
import { Count, Seconds, Usd } from './shapes.ts'

const API = 'https://l2beat.com/api/scaling'
const DAY_S = 86_400

const publisher = { licence: 'none stated', cadenceSeconds: 21_600, requestsPerMinute: 20 } as const

/** The order of a row's cells is said by `types`: it has changed before. */
const Answer = z.object({
  success: z.literal(true),
  data: z.object({
    chart: z.object({ types: z.array(z.string()), data: z.array(z.unknown()) }),
  }),
})

type Row = {
  readonly at: number
  readonly cell: <Schema extends z.ZodType>(type: string, schema: Schema) => z.infer<Schema> | undefined
}

/** Rows of days that are over, by the 00:00 UTC at which they stand; samples within a day are left out. */
function* rowsOf(
  parts: Parts,
  json: unknown,
  what: string,
  types: readonly string[],
  seenAt: number,
): Iterable<Row> {
  const { chart } = shaped(Answer, json, what).data
  const places = new Map(types.map(type => [type, chart.types.indexOf(type)]))
  for (const [type, place] of places)
    shaped(z.number().nonnegative(`has no ${type}`), place, what, 'data.chart.types')
  for (const { entry: row, at: place } of parts.entries(
    z.array(z.unknown()),
    chart.data,
    'data.chart.data',
  )) {
    const cell: Row['cell'] = (type, schema) => {
      const column = places.get(type) ?? 0
      return parts.read(schema, row[column], `${place}.${column}`)
    }
    const at = cell('timestamp', Seconds)
    if (at !== undefined && at % DAY_S === 0 && isOver(dayOf(at), seenAt)) yield { at, cell }
  }
}

const PARTS = ['canonical', 'external', 'native'] as const

/** Value secured, by how it came to the layer. */
export const l2beatTvs: LiveSource = {
  ...publisher,
  id: 'l2beat.tvs',
  name: 'L2BEAT: value secured',
  url: 'https://l2beat.com/scaling/tvs',
  rank: 10,
  about:
    'Dollars at 00:00 UTC of each day of a year, of the layers that L2BEAT lists: bridged by the layer’s own bridge, by others, and minted there. Days that L2BEAT has not worked out yet are left out.',
  requests: requestsByLayer('l2beat', slug => `${API}/tvs/${encodeURIComponent(slug)}?range=1y`),
  read: ({ about: layer }, json, { seenAt }) => {
    const observations: EntityFigure[] = []
    const what = `Value secured by ${layer}`
    const parts = createParts(what)
    for (const { at, cell } of rowsOf(parts, json, what, ['timestamp', ...PARTS], seenAt)) {
      for (const key of PARTS) {
        const value = cell(key, Usd.nullable()) ?? null
        if (value !== null)
          observations.push({ metric: 'tvs.total', entity: layer, key, day: dayOf(at), value })
      }
    }
    return parts.answer({ observations, prices: [] })
  },
}

/** Transactions by day. */
export const l2beatActivity: LiveSource = {
  ...publisher,
  id: 'l2beat.activity',
  name: 'L2BEAT: activity',
  url: 'https://l2beat.com/scaling/activity',
  rank: 10,
  about:
    'Transactions by UTC day of the layers that L2BEAT lists, without those of the system itself. A day that L2BEAT has not worked out yet is left out.',
  requests: requestsByLayer('l2beat', slug => `${API}/activity/${encodeURIComponent(slug)}?range=max`),
  read: ({ about: layer }, json, { seenAt }) => {
    const observations: EntityFigure[] = []
    const what = `Activity of ${layer}`
    const parts = createParts(what)
    for (const { at, cell } of rowsOf(parts, json, what, ['timestamp', 'count'], seenAt)) {
      const count = cell('count', Count.nullable()) ?? null
      if (count !== null)
        observations.push({ metric: 'tx.count', entity: layer, day: dayOf(at), amount: BigInt(count) })
    }
    return parts.answer({ observations, prices: [] })
  },
}
