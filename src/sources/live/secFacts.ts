import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'

/** A figure of a filing: what it is of, and which filing says it when. */
const Fact = z.object({
  end: z.iso.date(),
  val: z.number().nonnegative(),
  accn: z.string().regex(/^\d{10}-\d{2}-\d{6}$/, 'must be an accession number'),
  filed: z.iso.date(),
})
const Facts = z.object({
  cik: z.union([z.int().positive(), z.string().regex(/^\d+$/).transform(Number)]),
  facts: z.object({
    'us-gaap': z
      .object({
        CryptoAssetNumberOfUnits: z.object({ units: z.record(z.string(), z.array(Fact)) }).optional(),
      })
      .optional(),
  }),
})
/** Filers name the unit themselves; a unit of another name may be another coin, or thousands. */
const IN_BITCOIN = /^(btc|bitcoins?)$/i
const COIN = 100_000_000

/** What holders of bitcoin told the SEC of it in reports, as marked by themselves for machines. */
export const secFacts: LiveSource = {
  id: 'sec.facts',
  name: 'SEC EDGAR: company facts',
  url: 'https://www.sec.gov/search-filings/edgar-application-programming-interfaces',
  licence: 'public domain',
  rank: 9,
  cadenceSeconds: 21_600,
  requestsPerMinute: 60,
  maxBytes: 60_000_000,
  mayBeEmpty: true,
  key: {
    variable: 'SEC_CONTACT',
    header: 'user-agent',
    isDemanded: true,
    what: 'name and mail address of whoever asks',
  },
  about:
    'Bitcoin that companies and funds stated in quarterly and annual reports (us-gaap:CryptoAssetNumberOfUnits), each with the accession number of the filing; of a day that several filings name, the one filed last. Only figures in a unit called bitcoin are taken: others may be other coins, or thousands. Amounts that filers break down by coin are not in this interface, and announcements (8-K) carry no such figures. The SEC answers only who says how to be reached.',
  requests: ({ treasuries }) =>
    treasuries.flatMap(({ id, secCik }) =>
      secCik === undefined
        ? []
        : [{ about: id, url: `https://data.sec.gov/api/xbrl/companyfacts/CIK${secCik}.json` }],
    ),
  read: ({ about }, json) => {
    const { facts } = shaped(Facts, json, 'Company facts')
    const { units = {} } = facts['us-gaap']?.CryptoAssetNumberOfUnits ?? {}
    const latest = new Map<string, z.infer<typeof Fact>>()
    for (const fact of Object.entries(units).flatMap(([unit, list]) => (IN_BITCOIN.test(unit) ? list : []))) {
      const known = latest.get(fact.end)
      if (known === undefined || known.filed < fact.filed) latest.set(fact.end, fact)
    }
    const observations = [...latest.values()].map(
      ({ end, val, accn }): EntityFigure => ({
        metric: 'btc.held',
        entity: about,
        day: end,
        key: `sec:${accn}`,
        amount: BigInt(Math.round(val * COIN)),
      }),
    )
    return { observations, prices: [] }
  },
}
