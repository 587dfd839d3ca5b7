import type { CatalogTreasury } from '#catalog/index.ts'
import { Treasury } from '#catalog/treasury.ts'
import { addressOf } from '#chains/bitcoin/index.ts'
import type { RowOf } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { prices, sources } from '#warehouse/tables/observations.ts'
import { shareCloses, treasuryStatementsTable } from '#warehouse/tables/treasuries.ts'
import { COIN, DAY_S, type MadeBlock, type MadeTx, madeScript } from '../madeChain.testing.ts'

export const secondOf = (day: string) => Date.parse(day) / 1000
export const dayAfter = (day: string, days: number) =>
  new Date((secondOf(day) + days * DAY_S) * 1000).toISOString().slice(0, 10)

/** A company whose business is holding bitcoin, unless said otherwise. */
export const madeHolder = (more: object): CatalogTreasury =>
  Treasury.parse({
    id: 'made',
    name: 'Made',
    kind: 'company',
    country: 'US',
    ticker: 'MADE',
    currency: 'USD',
    origin: { url: 'https://example.org' },
    ...more,
  })

type Statement = RowOf<typeof treasuryStatementsTable>

export const insertStatements = (warehouse: Warehouse, rows: readonly Partial<Statement>[]): Promise<void> =>
  warehouse.insertRows(
    treasuryStatementsTable,
    rows.map(
      (row): Statement => ({
        entity: 'made',
        day: '2026-01-05',
        heldSat: null,
        shares: null,
        debtUsd: null,
        preferredUsd: null,
        cashUsd: null,
        grade: 'B',
        ref: 'test',
        said: '',
        position: 0,
        source: 'made.statements',
        recordedAt: secondOf('2026-02-01'),
        ...row,
      }),
    ),
  )

/** A figure of each of so many days. */
export const everyDay = (from: string, days: number, figure: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: days }, (_, place) => [dayAfter(from, place), figure]))

/** Closes of bitcoin as a feed tells them. */
export async function insertBitcoinCloses(
  { insertRows }: Warehouse,
  closes: Readonly<Record<string, number>>,
  { quote, source } = { quote: 'USD', source: 'btcusd.typedcypher' },
): Promise<void> {
  const feed = { id: source, name: source, url: '', licence: '', rank: 10n, about: '' }
  await insertRows(sources, [{ ...feed, cadenceSeconds: null, recordedAt: null }])
  await insertRows(
    prices,
    Object.entries(closes).map(([day, close]) => ({
      asset: 'BTC',
      quote,
      day,
      open: null,
      high: null,
      low: null,
      close,
      source,
      observedAt: secondOf('2026-06-01'),
    })),
  )
}

/** Closes of its share. */
export const insertShareCloses = (
  warehouse: Warehouse,
  closes: Readonly<Record<string, number>>,
  { entity = 'made', currency = 'USD' } = {},
): Promise<void> =>
  warehouse.insertRows(
    shareCloses,
    Object.entries(closes).map(([day, close]) => ({ entity, day, close, currency, source: 'stocks.closes' })),
  )

export const CHAIN_START = '2026-01-01'
/** Two addresses that a holder has published. */
export const PUBLISHED = ['treasury a', 'treasury b'].map(to => addressOf(madeScript(to), 'mainnet'))
/** On the first day 40 BTC come to the first of them; on the second 15 go on to the other one, 25 to somebody else. */
export const PAYMENTS: Readonly<Record<number, MadeTx>> = {
  5: {
    name: 'in',
    spends: [['coinbase 1', 0]],
    outputs: [
      { to: 'treasury a', sat: 40n * COIN },
      { to: 'miner 1', sat: 10n * COIN },
    ],
  },
  15: {
    name: 'out',
    spends: [['in', 0]],
    outputs: [
      { to: 'treasury b', sat: 15n * COIN },
      { to: 'somebody', sat: 25n * COIN },
    ],
  },
}

/** Twelve blocks a day; `also` stands behind the coinbase of a height. */
export const madeDays = (days: number, also: Readonly<Record<number, MadeTx>> = {}): MadeBlock[] =>
  Array.from({ length: days * 12 }, (_, height) => {
    const coinbase = { name: `coinbase ${height}`, outputs: [{ to: `miner ${height}`, sat: 50n * COIN }] }
    const more = also[height]
    return {
      timeS: secondOf(CHAIN_START) + height * 7200,
      txs: more === undefined ? [coinbase] : [coinbase, more],
    }
  })
