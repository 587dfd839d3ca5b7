import { asKnownOn } from '#warehouse/index.ts'
import { ApiError, problemOf } from './apiError.ts'

/** Parameter of every address whose answer follows from the data: the UTC day on which it was known. */
export const KNOWN = 'known'

/** Before the first block nothing was known. */
const FIRST_DAY = '2009-01-03'

/** A UTC day between the first block and today, as `2026-01-31`. */
export function isKnownDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(text) &&
    text >= FIRST_DAY &&
    time <= Date.now()
  )
}

/** The day that a query names, apart from its other parameters. Throws `http.parameter` where it is none. */
export function knownOf(query: unknown): { readonly on: string | undefined; readonly rest: unknown } {
  if (typeof query !== 'object' || query === null || !(KNOWN in query)) return { on: undefined, rest: query }
  const { [KNOWN]: on, ...rest } = query as Record<string, unknown>
  if (typeof on === 'string' && isKnownDay(on)) return { on, rest }
  const message = `must be a UTC day from ${FIRST_DAY} to today, as 2026-01-31`
  throw new ApiError(
    problemOf('http.parameter', `\`${KNOWN}\` in the query: ${message}.`, {
      errors: [{ parameter: KNOWN, message }],
    }),
  )
}

/** Makes an answer as it was known on that day; without one as it is known today. */
export const heeding = <T>(on: string | undefined, make: () => T): T =>
  on === undefined ? make() : asKnownOn(on, make)
