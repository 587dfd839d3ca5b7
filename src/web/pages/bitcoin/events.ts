import catalogue from '../../../../catalog/events/bitcoin.json' with { type: 'json' }
import type { ChartEvent } from '../../blocks/chart/drawing.ts'

/** Halvings and upgrades, as flags on time axes. */
export const BITCOIN_EVENTS: readonly ChartEvent[] = catalogue.map(({ day, label, note }) => ({
  day,
  label,
  note,
}))
