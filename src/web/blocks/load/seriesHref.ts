import type { Grain, Range, UnitView } from '#http/contract.ts'
import type { PageView } from '../view.ts'
import type { Subject } from './figureReader.server.ts'

type Span = { grain?: Grain; from?: string; to?: string; range?: Range; switches?: string }

/** The page’s range as the API takes it. */
export const spanOf = ({ range, from, to }: PageView): Span =>
  range === 'custom' ? { ...(from && { from }), ...(to && { to }) } : { range }

/** How `/api/v1/series` names a figure: whole, or once for each value of its breakdown. */
export const figureNames = ({ metric, entity }: Subject, keys?: readonly string[]): string[] =>
  keys ? keys.map(key => `${metric}@${entity}:${key}`) : [`${metric}@${entity}`]

/** Address of figures as one file: their points as CSV, or the SQL behind them. */
export function seriesHref(
  format: 'csv' | 'sql',
  names: readonly string[],
  span: Span,
  unit: UnitView,
): string {
  const query = new URLSearchParams({ figures: [...new Set(names)].join(','), ...span, format })
  if (unit !== 'native') query.set('unit', unit)
  return `/api/v1/series?${query.toString().replaceAll('%2C', ',').replaceAll('%40', '@').replaceAll('%3A', ':')}`
}
