import { z } from 'zod'
import { Day, Origin, Slug, Words } from './facts.ts'

/** What kind of holder it is. Kinds overlap in what they hold for others: they are never added without saying so. */
export const TREASURY_KINDS = ['company', 'miner', 'etf', 'government', 'private', 'defi'] as const
export type TreasuryKind = (typeof TREASURY_KINDS)[number]

export const INSTRUMENT_KINDS = [
  'convertible',
  'warrant',
  'option',
  'preferred',
  'free-shares',
  'rsu',
] as const

/** What may become shares of the company: how many, at which strike, from when until when. */
const Instrument = z.strictObject({
  kind: z.enum(INSTRUMENT_KINDS),
  /** US dollars a share. */
  strikeUsd: z.number().nonnegative().optional(),
  shares: z.int().nonnegative(),
  /** Absent where nobody says: it counts from the beginning. */
  issued: Day.optional(),
  /** The day from which it no longer counts. */
  expires: Day.optional(),
  /** What a convertible owes if it is not converted, whole US dollars. */
  faceUsd: z.int().nonnegative().optional(),
})

/** A to E: address, filing, announcement or list, press, inferred. */
export const EVIDENCE_GRADES = ['A', 'B', 'C', 'D', 'E'] as const

/** A dated statement of what is held, by whose word, and where it stands: `sec:` with an accession number, or a page. */
const Said = z.strictObject({
  day: Day,
  /** Satoshis. */
  heldSat: z.int().nonnegative(),
  grade: z.enum(EVIDENCE_GRADES),
  ref: z.union([
    z.url(),
    z.string().regex(/^sec:\d{10}-\d{2}-\d{6}$/, 'must be `sec:` with an accession number'),
  ]),
})

/** Whoever holds bitcoin: who it is, what may dilute its shares, which addresses it has published. */
export const Treasury = z
  .strictObject({
    id: Slug,
    name: Words,
    kind: z.enum(TREASURY_KINDS),
    country: z.string().regex(/^[A-Z]{2}$/, 'must be a country of ISO 3166: two capitals'),
    ticker: Words.optional(),
    /** In which its shares are quoted, ISO 4217. */
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217: three capitals')
      .optional(),
    /** Market identifier, ISO 10383. */
    exchange: z
      .string()
      .regex(/^[A-Z0-9]{4}$/)
      .optional(),
    secCik: z
      .string()
      .regex(/^\d{10}$/)
      .optional(),
    /** Of a fund: who manages it. */
    issuer: Words.optional(),
    website: z.url().optional(),
    /** First day with bitcoin. */
    start: Day.optional(),
    /** What a bitcoin cost it on average by its own word, US dollars, and the day of that word. */
    costAverageUsd: z.number().positive().optional(),
    costDay: Day.optional(),
    note: Words.optional(),
    /** What it lives on by its filings where that is not holding bitcoin: its shares are priced for that too, so mNAV is grey. */
    mainBusiness: Words.optional(),
    /** Why its share count and its share's price do not belong together: no mNAV is computed. */
    noMnav: Words.optional(),
    instruments: z.array(Instrument).default([]),
    /** What it said that it holds, beside what recordings and filings hold of it. */
    said: z.array(Said).default([]),
    /** Bitcoin addresses that it has published as its holding, all of them: what lies on them is evidence of grade A. */
    addresses: z.array(Words).default([]),
    addressesOrigin: Origin.optional(),
    origin: Origin,
  })
  .refine(({ kind, mainBusiness }) => kind !== 'miner' || mainBusiness !== undefined, {
    path: ['mainBusiness'],
    message: 'must be said of a miner',
  })
export type CatalogTreasury = z.infer<typeof Treasury>
