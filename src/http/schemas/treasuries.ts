import { z } from 'zod'
import { INSTRUMENT_KINDS, TREASURY_KINDS } from '#catalog/index.ts'

export const treasuryId = z
  .string()
  .regex(/^[a-z0-9-]{1,60}$/)
  .describe('holder, as in the catalog')

export const treasury = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(TREASURY_KINDS),
    country: z.string().describe('ISO 3166'),
    ticker: z.string().nullable(),
    currency: z.string().nullable().describe('in which its shares are quoted, ISO 4217'),
    issuer: z.string().nullable(),
    website: z.string().nullable(),
    start: z.string().nullable().describe('first UTC day with bitcoin'),
    costAverageUsd: z.number().nullable().describe('self-reported, US dollars'),
    costDay: z.string().nullable(),
    note: z.string().nullable(),
    noMnav: z.string().nullable().describe('why no mNAV is computed; null where one is'),
    mainBusiness: z
      .string()
      .nullable()
      .describe('what it lives on where that is not holding bitcoin: its mNAV is gray'),
    instruments: z.array(
      z.strictObject({
        kind: z.enum(INSTRUMENT_KINDS),
        strikeUsd: z.number().nullable(),
        shares: z.number(),
        issued: z.string().nullable(),
        expires: z.string().nullable(),
        faceUsd: z.number().nullable(),
      }),
    ),
    addresses: z.array(z.string()),
  })
  .meta({ id: 'Treasury', description: 'A holder of bitcoin, as the catalog has it.' })

export const treasuryList = z.strictObject({ items: z.array(treasury) })
