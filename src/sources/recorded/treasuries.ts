import { decimal, parseCsv } from '../csv.ts'
import { dayBefore } from '../dayBefore.ts'
import type { Recording } from '../recording.ts'
import type { SourceDeclaration } from '../source.ts'

/** Recordings of holders of bitcoin: their rows are tables of their own, metrics follow from those. */
const records = { rank: 20, cadenceSeconds: null, licence: 'none stated' } as const

export const treasuryStatements: Recording = {
  ...records,
  id: 'treasuries.statements',
  name: 'Holdings, shares, debt and cash of companies by date (Sashamine/dat-tracker-next)',
  url: 'https://github.com/Sashamine/dat-tracker-next',
  about:
    'What 26 companies said that they held, with shares, debt, preferred stock and cash where they said it, 2020-12-04 to 2026-03-08, in `treasury_statements`. Shares are basic for most and as the tracker counts them for some; those of Strategy include class B. One company is listed under two tickers and taken once.',
  file: 'treasury-statements.csv',
  recordedOn: '2026-03-15',
}

/** What files of the catalogue say themselves that holders have, each statement with where it stands. */
export const treasurySaid: SourceDeclaration = {
  id: 'treasuries.said',
  name: 'Statements of holdings kept in the catalog',
  url: 'https://www.sec.gov/search-filings',
  licence: 'facts',
  rank: 19,
  cadenceSeconds: null,
  about:
    'What a file of catalog/treasuries says that its holder has on a day, by which evidence, in `treasury_statements`: of four US funds what their quarterly reports of 2026-06-30 state.',
}

/** What published addresses hold by our own rows of Bitcoin: nobody is asked. */
export const treasuryAddresses: SourceDeclaration = {
  id: 'treasuries.addresses',
  name: 'Balances of published addresses, from blocks held here',
  url: 'https://developer.bitcoin.org/reference/transactions.html',
  licence: 'public chain data',
  rank: 1,
  cadenceSeconds: null,
  about:
    'What lies at the end of a UTC day on all addresses that a holder has published, in `treasury_address_balances`: on days on which they moved and on the newest one, once every block since genesis is held and counted here.',
}

export const treasuryEvents: Recording = {
  ...records,
  id: 'treasuries.events',
  name: 'Purchases and sales of companies (Sashamine/dat-tracker-next; kittycapital/strategy)',
  url: 'https://github.com/Sashamine/dat-tracker-next',
  about:
    'Purchases, sales and changes of holdings of 26 companies, 2020-08-11 to 2026-06-15, in `treasury_events`. Of Strategy, rows without a filing come from an aggregator; its running total has five small steps that no event explains. The sale of 2022-12-22 is listed without a price. Four purchases of Nakamoto before its merger are left out: no filing has them.',
  file: 'treasury-events.csv',
  recordedOn: '2026-07-24',
}

export const treasuryGovernments: Recording = {
  ...records,
  id: 'treasuries.governments',
  name: 'Governments’ bitcoin as the press reports it',
  url: 'https://www.ccn.com/news/crypto/bhutan-top-crypto-nations-full-list-of-countries/',
  about:
    'What news pages of 2025 say that eleven governments hold, in `treasury_statements`: estimates of analysts, most of them of seizures. Where a page gives a month, its first day stands.',
  file: 'treasury-governments.csv',
  recordedOn: '2025-09-01',
}

export const treasuryShares: Recording = {
  ...records,
  id: 'stocks.closes',
  name: 'Daily closes of treasury companies’ shares (Sashamine/dat-tracker-next; kittycapital/strategy)',
  url: 'https://github.com/Sashamine/dat-tracker-next',
  about:
    'Closes in the currency of the exchange, adjusted for splits, in `share_closes`: Strategy to 2026-07-23, the others to 2026-02-05. Weekends and holidays have none.',
  file: 'share-closes.csv',
  recordedOn: '2026-07-24',
}

export const treasuryList: Recording = {
  ...records,
  id: 'treasuries.list',
  name: 'Public companies with bitcoin on 2025-07-08 (aljazceru/bitcoin-treasury-premiums)',
  url: 'https://github.com/aljazceru/bitcoin-treasury-premiums',
  about:
    '142 companies as a treasuries site listed them on one day, in `treasury_list`: bitcoin, market cap, enterprise value and cost, rounded to millions of dollars; names and tickers stand together as in the source.',
  file: 'treasury-list.csv',
  recordedOn: '2025-07-08',
}

/** Currencies of exchanges in which bitcoin's close is recorded: beside the close in dollars they give a day's exchange rate. */
const QUOTES = ['EUR', 'GBP', 'JPY', 'BRL'] as const

export const fiatCloses: Recording = {
  id: 'btcfiat.typedcypher',
  name: 'Bitcoin in euros, pounds, yen and reais (typedcypher/historical-bitcoin-prices)',
  url: 'https://github.com/typedcypher/historical-bitcoin-prices',
  licence: 'GPL-3.0 (prices are facts)',
  rank: 11,
  cadenceSeconds: null,
  about:
    'Daily closes from 2020-07-31 to 2026-08-21; the recording dates a close by the 00:00 UTC at which it was taken, here it stands at the day that ended then. Against the close in dollars of the same feed they give exchange rates, good to some tenths of a percent.',
  file: 'btc-other-fiat-daily.csv',
  pair: { asset: 'BTC', quote: 'EUR' },
  recordedOn: '2026-08-22',
  *price(text) {
    const columns = QUOTES.map(quote => `price_${quote.toLowerCase() as Lowercase<typeof quote>}` as const)
    for (const row of parseCsv(text, ['date', ...columns], this.file)) {
      for (const [index, quote] of QUOTES.entries()) {
        const close = decimal(row[columns[index]!], this.file)
        if (close !== null && close > 0)
          yield { quote, day: dayBefore(row.date), open: null, high: null, low: null, close }
      }
    }
  },
}

export const TREASURY_RECORDINGS: readonly Recording[] = [
  treasuryStatements,
  treasuryEvents,
  treasuryGovernments,
  treasuryShares,
  treasuryList,
  fiatCloses,
]
