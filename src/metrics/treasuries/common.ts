import type { Catalog } from '#catalog/index.ts'
import { secFacts } from '#sources/live/secFacts.ts'
import {
  treasuryAddresses,
  treasuryEvents,
  treasuryGovernments,
  treasurySaid,
  treasuryShares,
  treasuryStatements,
} from '#sources/recorded/treasuries.ts'
import type { MetricDeclaration } from '../metric.ts'

/** Columns of figures that rest on no blocks. */
export const NO_HEIGHTS =
  'CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height'

/** Bitcoins that there can be. */
export const CAP_SAT = 2_100_000_000_000_000

/** Where it is said what holders have, and what the market makes of it. */
export const HOLDING_SOURCES = [
  treasuryStatements.id,
  treasuryEvents.id,
  treasuryGovernments.id,
  treasurySaid.id,
  secFacts.id,
  treasuryAddresses.id,
]
export const MARKET_SOURCES = [
  treasuryStatements.id,
  treasuryEvents.id,
  treasuryShares.id,
  treasurySaid.id,
  secFacts.id,
  treasuryAddresses.id,
]

export const REFERENCES = {
  edgar: { title: 'EDGAR: filings of the SEC', url: 'https://www.sec.gov/edgar/search/' },
  treasuries: { title: 'BitcoinTreasuries.net', url: 'https://bitcointreasuries.net' },
  mnav: {
    title: 'Strategy: BTC yield and mNAV as it defines them',
    url: 'https://www.strategy.com/notes',
  },
} as const

export const ofTreasuries = {
  entityKind: 'treasury',
  cadence: 'recorded',
  calendar: 'reported',
  aggregate: 'last',
  since: { day: '2020-08-11' },
  direction: 'neither',
  references: [REFERENCES.edgar, REFERENCES.treasuries],
  needs: 'No reported bitcoin holding.',
} as const satisfies Partial<MetricDeclaration>

type Treasuries = Pick<Catalog, 'treasuries'>
/** Holders that say themselves, or of whom others say, how much they hold. */
export const holdersOf = ({ treasuries }: Treasuries): string[] =>
  treasuries.filter(({ kind }) => kind !== 'etf').map(({ id }) => id)
/** Holders and funds: funds report their bitcoin by quarter, and what they bought when nobody says. */
export const toldOf = ({ treasuries }: Treasuries): string[] => treasuries.map(({ id }) => id)
/** Holders whose shares are quoted. */
export const quotedOf = ({ treasuries }: Treasuries): string[] =>
  treasuries
    .filter(({ kind, currency }) => currency !== undefined && (kind === 'company' || kind === 'miner'))
    .map(({ id }) => id)
