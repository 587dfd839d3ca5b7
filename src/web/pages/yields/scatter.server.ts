import type { AsOf } from '#http/contract.ts'
import { entityColours } from '../../blocks/chart/entityColour.ts'
import type { ScatterData } from '../../blocks/chart/scatterData.ts'
import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import { figureNames, seriesHref } from '../../blocks/load/seriesHref.ts'
import { scatterSpec } from './specs.ts'
import type { Row } from './yieldView.ts'

const METRICS = { x: 'yield.risk', y: 'yield.btc_realised', size: 'yield.tvl' } as const

/** Each way at its newest day as one moment, since each is known up to a day of its own; empty where none has both figures. */
export function scatterOfRows(rows: readonly Row[], asOf: AsOf | undefined): LoadedChart {
  const told = rows.flatMap(({ entity, name, risk, earned_90: earned, tvl, day }) =>
    risk === null || earned === null || typeof entity !== 'string' || typeof day !== 'string'
      ? []
      : [{ id: entity, name: String(name), risk: Number(risk), earned: Number(earned), tvl, day }],
  )
  const newest = told
    .map(({ day }) => day)
    .sort()
    .at(-1)
  if (newest === undefined || asOf === undefined)
    return {
      id: scatterSpec.id,
      state: 'empty',
      reason: 'No opportunity has 90 days of data yet.',
      assay: `${METRICS.y}@${String(rows[0]?.entity ?? '')}`,
    }
  const colours = entityColours(told.map(({ id }) => id))
  const scatter: ScatterData = {
    start: newest,
    grain: 'day',
    count: 1,
    isPartial: false,
    points: told.map(({ id, name, risk, earned, tvl }) => ({
      key: id,
      label: name,
      colour: colours.get(id) ?? 'series-2',
      x: [risk],
      y: [earned],
      size: [tvl === null ? null : Number(tvl)],
      assay: { x: `${METRICS.x}@${id}`, y: `${METRICS.y}@${id}`, size: `${METRICS.size}@${id}` },
    })),
    units: { x: 'n', y: 'ratio', size: 'USD' },
    asOf,
    sources: [],
  }
  const names = told.flatMap(({ id }) => [
    ...figureNames({ metric: METRICS.x, entity: id }),
    ...figureNames({ metric: METRICS.y, entity: id }, ['90 days']),
    ...figureNames({ metric: METRICS.size, entity: id }),
  ])
  const csvHref = seriesHref('csv', names, { grain: 'day', from: newest, to: newest }, 'native')
  return { id: scatterSpec.id, state: 'drawn', csvHref, missing: [], scatter }
}
