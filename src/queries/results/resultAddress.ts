import { createHash } from 'node:crypto'
import type { QueryRole } from '../execute.ts'
import { readStatement } from '../statement.ts'

/** Functions whose value changes even if the data does not. */
const BY_ITSELF =
  /^(?:now|now64|nowinblock|nowinblock64|today|yesterday|current_?date|current_?timestamp|curdate|utc_?timestamp|rand|rand32|rand64|randconstant|canonicalrand|rand(?:uniform|normal|lognormal|exponential|chisquared|studentt|fisherf|bernoulli|binomial|negativebinomial|poisson)|random\w*|generate\w*|fuzz\w*|rownumberinallblocks)$/i

/** Whether a query can return different results on the same data. */
export const changesByItself = (sql: string): boolean =>
  readStatement(sql).tokens.some(({ kind, value }) => kind === 'word' && BY_ITSELF.test(value))

/** SHA-256 in hex of everything that determines a result. */
export function addressOf(facts: {
  sql: string
  parameters: Readonly<Record<string, string>>
  role: QueryRole
  dataVersion: string
  /** Versions of the uploads that it reads. */
  uploads?: readonly string[]
  run?: string
}): string {
  const parameters = Object.entries(facts.parameters).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(
      JSON.stringify([
        facts.sql,
        parameters,
        facts.role,
        facts.dataVersion,
        facts.run ?? '',
        ...[...(facts.uploads ?? [])].sort(),
      ]),
    )
    .digest('hex')
}
