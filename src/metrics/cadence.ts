import type { Metric } from './metric.ts'

type Kind = Pick<Metric, 'id' | 'cadence' | 'calendar' | 'entityKind'>

/** Figures are of whole UTC days at least, however often blocks come. */
const DAYS_BY_CADENCE: Readonly<Record<Metric['cadence'], number>> = {
  block: 1,
  day: 1,
  week: 7,
  epoch: 14,
  // Recorded figures of no kind below: grades, votes, schedules.
  recorded: 92,
}

const WEEKEND = 3
const CYCLE = 14
const MONTH = 31

/** Kinds of figures that come less often than their source is read. The first that fits counts. */
const SLOWER: readonly { readonly days: number; readonly is: (kind: Kind) => boolean }[] = [
  // Exchanges are closed for two days, and the day after shows their last figure.
  { days: WEEKEND, is: ({ id }) => id.startsWith('etf.') },
  // These change with every market close, even where the holdings are reported once a month.
  { days: WEEKEND, is: ({ id }) => /^(?:mnav|days_to_cover|value|pnl)\./.test(id) },
  // A Stacks reward cycle has one figure, and so has a cycle of Arkadiko's recorded vaults.
  { days: CYCLE, is: ({ id, calendar }) => id.startsWith('pox.') && calendar === 'reported' },
  { days: CYCLE, is: ({ id, cadence }) => /^(cdp|stable)\./.test(id) && cadence === 'recorded' },
  // Cohorts are counted at the end of a month, stale blocks are rare.
  { days: MONTH, is: ({ id }) => id === 'dev.retained' || id === 'blocks.stale' },
  // Holders disclose purchases within days but report by month; payments of the SIP-031 endowment likewise.
  { days: MONTH, is: ({ id, cadence }) => id.startsWith('sip031.') && cadence === 'recorded' },
  {
    days: MONTH,
    is: ({ entityKind, cadence }) =>
      (entityKind === 'treasury' || entityKind === 'chain') && cadence === 'recorded',
  },
]

/** Days between two figures of a metric: a figure older than twice that is stale, than four times overdue. */
export const cadenceDays = (kind: Kind): number =>
  SLOWER.find(({ is }) => is(kind))?.days ?? DAYS_BY_CADENCE[kind.cadence]
