import { z } from 'zod'

/** A finite number of dollars or coins, zero or more. */
export const Usd = z.number().nonnegative()
/** The same where a publisher may also write it as a text. */
export const UsdText = z.union([
  Usd,
  z
    .string()
    .regex(/^\d+(\.\d+)?(e[+-]?\d+)?$/i, 'must be a decimal number')
    .transform(Number)
    .pipe(Usd),
])
/** A whole number, zero or more. */
export const Count = z.int().nonnegative()
/** Seconds since 1970, until the year 9999: those beyond have no date of four digits. */
export const Seconds = z.int().nonnegative().max(253_402_300_799)
/** Milliseconds since 1970, of the same time. */
export const Milliseconds = z.number().nonnegative().max(253_402_300_799_999)
/** A point of a chart of DefiLlama: seconds since 1970 and a figure. */
export const Point = z.tuple([Seconds, Usd])
/** Whole numbers that may come as texts. */
export const WholeText = z.union([
  Count.transform(BigInt),
  z.string().regex(/^\d+$/, 'must be a whole number').transform(BigInt),
])
