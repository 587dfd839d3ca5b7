import type { ComparedFigure } from '#http/contract.ts'

type Given = Partial<Omit<ComparedFigure, 'asOf'>> & { state?: 'live' | 'recorded' | 'stale' | 'overdue' }

/** A figure of a layer as the API gives it: TVL of 5 August 2026 unless said. */
export function figureFor(entity: string, { state = 'recorded', ...given }: Given = {}): ComparedFigure {
  const day = given.day === undefined ? '2026-08-05' : given.day
  return {
    metric: 'tvl.total',
    grain: 'day',
    entity,
    of: entity,
    unit: 'USD',
    value: 1,
    missing: null,
    coverage: null,
    change: null,
    changeOver: null,
    spark: [],
    source: day === null ? null : 'defillama.tvl.recorded',
    differs: null,
    absent: day === null ? 'No figure is here yet.' : null,
    ...given,
    day,
    asOf: day === null ? null : { time: `${day}T23:59:59Z`, height: null, state },
  }
}
