import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts, pathOf } from '../parts.ts'
import { shaped } from '../shaped.ts'

/** More than there will ever be is no amount of bitcoin. */
const MOST_BITCOIN = 21_000_000
/** A figure of a filing: what it is of, and which filing says it when. */
const Fact = z.object({
  end: z.iso.date(),
  val: z.number().nonnegative().max(MOST_BITCOIN),
  accn: z.string().regex(/^\d{10}-\d{2}-\d{6}$/, 'must be an accession number'),
  filed: z.iso.date(),
  form: z.string().optional(),
})
type Filed = z.infer<typeof Fact>
const Ended = Fact.pick({ end: true })
const FiledOn = Fact.pick({ filed: true })
/** After every day that a filing may bear. */
const NEVER = '9999-12-31'
const Facts = z.object({
  cik: z.union([z.int().positive(), z.string().regex(/^\d+$/).transform(Number)]),
  facts: z.object({
    'us-gaap': z
      .object({
        CryptoAssetNumberOfUnits: z.object({ units: z.record(z.string(), z.unknown()) }).optional(),
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
    const latest = new Map<string, Filed>()
    const isUnsure = new Set<string>()
    const unsureUntil: string[] = []
    const parts = createParts('Company facts')
    for (const [unit, list] of Object.entries(units)) {
      if (!IN_BITCOIN.test(unit)) continue
      const facts = parts.read(z.array(z.unknown()), list, pathOf(UNITS, unit)) ?? []
      for (const [i, json] of facts.entries()) {
        const fact = parts.read(Fact, json, pathOf(UNITS, unit, i))
        if (fact === undefined) {
          // It may be what corrects another of its day: without a day any that was not filed later.
          const { data } = Ended.safeParse(json)
          if (data !== undefined) isUnsure.add(data.end)
          else unsureUntil.push(FiledOn.safeParse(json).data?.filed ?? NEVER)
          continue
        }
        const known = latest.get(fact.end)
        if (known === undefined || isFiledAfter(fact, known)) latest.set(fact.end, fact)
      }
    }
    const observations = [...latest.values()]
      .filter(({ end, filed }) => !isUnsure.has(end) && unsureUntil.every(day => filed > day))
      .map(
        ({ end, val, accn }): EntityFigure => ({
          metric: 'btc.held',
          entity: about,
          day: end,
          key: `sec:${accn}`,
          amount: BigInt(Math.round(val * COIN)),
        }),
      )
    return parts.answer({ observations, prices: [] })
  },
}

const UNITS = 'facts.us-gaap.CryptoAssetNumberOfUnits.units'

/**
 * Whether a filing came after another. Within a day by the accession number, which rises with each filing that the same
 * filer or agent sends (its first ten digits); of two that different ones sent, an amendment counts as the later.
 */
function isFiledAfter(one: Filed, other: Filed): boolean {
  if (one.filed !== other.filed) return one.filed > other.filed
  if (one.accn.slice(0, 10) === other.accn.slice(0, 10)) return one.accn > other.accn
  const isAmended = ({ form = '' }: Filed): boolean => form.endsWith('/A')
  return isAmended(one) === isAmended(other) ? one.accn > other.accn : isAmended(one)
}
