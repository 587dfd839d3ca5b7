import type { Warehouse } from '#warehouse/index.ts'
import { observations, prices, sources } from '#warehouse/tables/observations.ts'

export type MadeFigure = {
  readonly metric: string
  readonly entity: string
  readonly day: string
  readonly key?: string
  readonly amount?: bigint
  readonly value?: number
  readonly source: string
  /** Seconds after the end of the day; 0 unless given. */
  readonly later?: number
}
export type MadePrice = {
  readonly asset: string
  readonly day: string
  readonly close: number
  readonly source: string
  readonly quote?: string
}

const endOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 + 86_400

/** Writes what publishers said, as the runner of the sources would. */
export async function writeMadeFigures(
  warehouse: Warehouse,
  figures: readonly MadeFigure[],
  closes: readonly MadePrice[] = [],
  ranks: Readonly<Record<string, number>> = {},
): Promise<void> {
  await warehouse.insertRows(
    observations,
    figures.map(({ metric, entity, day, key = '', amount, value, source, later = 0 }) => ({
      metric,
      entity,
      breakdown: key,
      day,
      amount: amount ?? null,
      value: value ?? null,
      source,
      observedAt: endOf(day) + later,
    })),
  )
  await warehouse.insertRows(
    prices,
    closes.map(({ asset, day, close, source, quote = 'USD' }) => ({
      asset,
      quote,
      day,
      open: null,
      high: null,
      low: null,
      close,
      source,
      observedAt: endOf(day),
    })),
  )
  await warehouse.insertRows(
    sources,
    Object.entries(ranks).map(([id, rank]) => ({
      id,
      name: id,
      url: 'https://example.org',
      licence: 'none stated',
      rank: BigInt(rank),
      cadenceSeconds: null,
      recordedAt: null,
      about: 'made',
    })),
  )
}
