import { blob, date, f64, i64, nullable, oneOf, table, text, time, u16, u32, u64 } from '#kernel/table.ts'

/**
 * Who holds bitcoin, and by whose word. Nothing is ever changed: a corrected statement or event is a further row with a
 * later `recordedAt`, and the old one stays beside it.
 */
const entity = text('holder, as in `treasury_holders`')
const source = text('source id, as in `sources`')
const recordedAt = time('when it was recorded, UTC; of the same statement the latest holds')
const GRADES = ['A', 'B', 'C', 'D', 'E'] as const
const grade = oneOf(
  GRADES,
  'evidence: A address proved or published by the holder, B filing, C announcement or list, D press, E inferred from two totals',
)
const ref = text(
  'where it stands: an address of a page, `sec:` with an accession number, or a note; empty without',
)

const holders = table('treasury_holder_loads', {
  doc: 'One row per holder of bitcoin of the catalog and loading of it.',
  columns: {
    entity: text('id, as in the catalog'),
    name: text('name'),
    kind: text('`company`, `miner`, `etf`, `government`, `private` or `defi`'),
    country: text('ISO 3166, two capitals'),
    ticker: text('on its main exchange; empty without shares'),
    currency: text('in which its shares are quoted, ISO 4217; empty without'),
    issuer: text('of a fund: who manages it; empty elsewhere'),
    website: text('its own page; empty where none is known'),
    secCik: text('its number at the SEC, ten digits; empty without'),
    startDay: nullable(date('first UTC day with bitcoin; null where it is not known')),
    costAverageUsd: nullable(
      f64('what a bitcoin cost it on average by its own word, US dollars; null where it does not say'),
    ),
    costDay: nullable(date('day of that word; null without')),
    note: text('what a reader must know of it; empty without'),
    noMnav: text(
      'why share count and share price do not belong together, so that no mNAV is computed; empty where they do',
    ),
    mainBusiness: text(
      'what it lives on where that is not holding bitcoin, so that its mNAV is gray; empty where it is',
    ),
    catalogHash: text('SHA-256 of what the catalog said of all holders'),
    loadedAt: time('when the catalog was loaded, UTC: the latest load holds'),
  },
  orderBy: ['loaded_at', 'entity'],
})

const instruments = table('treasury_instrument_loads', {
  doc: 'One row per instrument that may become shares of a holder, and loading of the catalog.',
  columns: {
    entity,
    position: u16('place in its file, from 0'),
    kind: text('`convertible`, `warrant`, `option`, `preferred`, `free-shares` or `rsu`'),
    strikeUsd: nullable(f64('US dollars a share; null where nobody says')),
    shares: u64('shares that it may become'),
    issuedDay: nullable(date('from when it counts; null where nobody says: from the beginning')),
    expiresDay: nullable(date('the day from which it no longer counts; null without')),
    faceUsd: nullable(
      u64('what is owed if it is not converted, whole US dollars; null of others than convertibles'),
    ),
    loadedAt: time('when the catalog was loaded, UTC'),
  },
  orderBy: ['loaded_at', 'entity', 'position'],
})

const said = table('treasury_said_loads', {
  doc: 'One row per statement of the catalog of what a holder has, and loading of the catalog.',
  columns: {
    entity,
    position: u16('place in its file, from 0'),
    day: date('UTC day that it speaks of'),
    heldSat: u64('bitcoin held, satoshis'),
    grade,
    ref,
    loadedAt: time('when the catalog was loaded, UTC'),
  },
  orderBy: ['loaded_at', 'entity', 'position'],
})

const addresses = table('treasury_address_loads', {
  doc: 'One row per Bitcoin address that a holder has published, and loading of the catalog.',
  columns: {
    entity,
    address: text('Bitcoin address'),
    script: blob('its output script'),
    loadedAt: time('when the catalog was loaded, UTC'),
  },
  orderBy: ['loaded_at', 'entity', 'address'],
})

export const treasuryLoads = { holders, instruments, said, addresses } as const

export const treasuryStatementsTable = table('treasury_statement_rows', {
  doc: 'One row per statement of what a holder has on a day, as it was said, corrections beside what they correct.',
  columns: {
    entity,
    day: date('UTC day that it speaks of'),
    heldSat: nullable(u64('bitcoin held, satoshis; null where it does not say')),
    shares: nullable(
      u64('shares outstanding, basic unless its source says otherwise; null where it does not say'),
    ),
    debtUsd: nullable(u64('debt, whole US dollars; null likewise')),
    preferredUsd: nullable(u64('preferred stock, whole US dollars; null likewise')),
    cashUsd: nullable(u64('cash, whole US dollars; null likewise')),
    grade,
    ref,
    said: text('in the words of the recording; empty without'),
    position: u32('place in the recording, from 0'),
    source,
    recordedAt,
  },
  orderBy: ['entity', 'day', 'position'],
})

export const treasuryEventsTable = table('treasury_event_rows', {
  doc: 'One row per purchase, sale or change of holdings as it was recorded, corrections beside what they correct.',
  columns: {
    entity,
    day: date('UTC day'),
    kind: oneOf(
      ['purchase', 'sale', 'holdings-change'],
      'what it was; a change is the difference of two totals',
    ),
    deltaSat: i64('change of what is held, satoshis'),
    costUsd: nullable(u64('paid or got, whole US dollars; null where it is not said')),
    priceUsd: nullable(f64('US dollars a bitcoin; null where it is not said')),
    afterSat: nullable(u64('held after it, satoshis; null where it is not said')),
    grade,
    ref,
    list: text('which list it is from'),
    position: u32('place in the recording, from 0'),
    source,
    recordedAt,
  },
  orderBy: ['entity', 'day', 'position'],
})

export const shareCloses = table('share_closes', {
  doc: 'One row per holder with shares and trading day: the close in the currency of its exchange, adjusted for splits.',
  columns: {
    entity,
    day: date('trading day'),
    close: f64('last price of the day'),
    currency: text('ISO 4217'),
    source,
  },
  orderBy: ['entity', 'day'],
})

export const treasuryListTable = table('treasury_list', {
  doc: 'One row per public company that a treasuries site listed on 2025-07-08.',
  columns: {
    place: u16('its rank in the list'),
    country: text('ISO 3166'),
    name: text('name and ticker, written together as in the list'),
    heldSat: u64('bitcoin held, satoshis'),
    valueUsd: nullable(u64('what that was worth, US dollars to the million; null where the list has none')),
    capUsd: nullable(u64('market cap, US dollars to the million; null likewise')),
    enterpriseUsd: nullable(
      i64(
        'enterprise value, US dollars to the million, below zero where cash is more than the rest; null likewise',
      ),
    ),
    costUsd: nullable(u64('what the bitcoin cost, US dollars to the million; null likewise')),
    source,
  },
  orderBy: ['place'],
})

export const TREASURY_TABLES = [
  holders,
  instruments,
  said,
  addresses,
  treasuryStatementsTable,
  treasuryEventsTable,
  shareCloses,
  treasuryListTable,
] as const

const run = u64('computation that this row is of: readers see the newest one alone')

/** What lies on published addresses (`treasury_balance_days`), kept whole after each change of blocks or addresses. */
const balances = table('treasury_balance_rows', {
  doc: 'One row per computation, holder with published addresses and UTC day on which they moved, and its newest whole day.',
  columns: {
    run,
    entity,
    day: date('UTC day'),
    heldSat: i64('on all its published addresses at the end of the day, satoshis'),
    asOf: time('latest header time up to the end of the day, UTC'),
  },
  orderBy: ['run', 'entity', 'day'],
})

const balanceRuns = table('treasury_balance_runs', {
  doc: 'One row per computation of the balances of published addresses; written last, so that a computation is whole or absent.',
  columns: {
    run,
    mark: text('what it was computed from: the statement, addresses, blocks and days counted by address'),
    computedAt: time('when, UTC'),
  },
  orderBy: ['run'],
})

export const treasuryKept = { balances, runs: balanceRuns } as const
export const TREASURY_KEPT_TABLES = [balances, balanceRuns] as const
