import type { Catalog } from '#catalog/index.ts'
import type { SourceDeclaration } from './source.ts'

/** One figure as a source gave it. Amounts and counts are whole numbers, the rest floats. */
export type Observed = {
  readonly metric: string
  /** Whom the figure is about; the recording’s `entity` unless given. */
  readonly entity?: string
  readonly day: string
  readonly key?: string
  readonly amount?: bigint
  readonly value?: number
  /** When the source gave it, seconds; the recording's own time where it does not say. */
  readonly observedAt?: number
}

export type ObservedPrice = {
  /** What it is of; the recording’s `pair` unless given. */
  readonly asset?: string
  readonly quote?: string
  readonly day: string
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number
}

/** A recorded file of an outside source and how it becomes observations of an entity, or daily prices of its coin. */
export type Recording = SourceDeclaration & {
  /** File in the snapshot's `series/`. */
  readonly file: string
  /** Whom its figures are about; absent where each figure says it. */
  readonly entity?: string
  /** What its prices are of, and in which currency. */
  readonly pair?: { readonly asset: string; readonly quote: string }
  /** Day of the recording, UTC: what it says was known then. */
  readonly recordedOn: string
  /** Figures of whom the catalogue names. */
  readonly observe?: (text: string, catalog: Catalog) => Iterable<Observed>
  readonly price?: (text: string, catalog: Catalog) => Iterable<ObservedPrice>
}

/** Of several samples a day the last one: a day has one figure. */
export function lastOfDay<Sample extends { readonly at: string }>(samples: readonly Sample[]): Sample[] {
  const days = new Map<string, Sample>()
  for (const sample of samples) {
    const day = sample.at.slice(0, 10)
    const known = days.get(day)
    if (known === undefined || sample.at >= known.at) days.set(day, sample)
  }
  return [...days.values()]
}
