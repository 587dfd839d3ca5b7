import { RANGE } from '../chainFigures.ts'
import { quotedList } from '../rollups/sqlText.ts'
import { knownSince, madeAt } from '../stacks/stocks.ts'

/** Burned coins are nobody’s; contracts hold for others. */
const NO_HOLDERS = quotedList(['SP000000000000000000002Q6VF78'])

/** Who is no holder, in words. */
export const NO_HOLDERS_RULE =
  'Excludes contracts (pools, vaults, lockers and markets hold for others) and burned tokens. Includes exchange addresses, because no public list of them exists for Stacks.'

/** What entries about holders need, by the symbols of the tokens. */
export const needsHolders = (symbols: string): string =>
  `Needs every block of Stacks since the contract of ${symbols} was made: load an archive of events, or let a node that starts at genesis post its events.`

/** A token, or several that count as one, by their contracts. */
export type HeldToken = { readonly key: string; readonly contracts: readonly string[] }

/** What is counted over holders: SQL over `size`, `place` from the smallest and `total`, the number of all. */
export const HOLDER_COUNT = 'toInt64(count())'
export const TOP10_SHARE = 'sumIf(size, place > total - 10) / sum(size)'
export const GINI = 'sum((2 * toFloat64(place) - total - 1) * size) / (any(total) * sum(size))'

/**
 * A figure over the holders of each token on the day of the newest block held, where everything since its contract was made
 * is held. Nobody holds: a count is 0, a share null.
 */
export function holdersSql(tokens: readonly HeldToken[], value: string): string {
  const all = tokens.flatMap(({ contracts }) => contracts)
  const keys = tokens.flatMap(({ key, contracts }) => contracts.map(() => key))
  return `WITH
  ${knownSince(madeAt(quotedList(all)), 'events')},
  newest AS (SELECT day, from_height, to_height, as_of, state FROM known ORDER BY day DESC LIMIT 1),
  held AS (
    SELECT key, holder, size, row_number() OVER (PARTITION BY key ORDER BY size, holder) AS place, count() OVER (PARTITION BY key) AS total
    FROM (
      SELECT
        transform(splitByString('::', asset)[1], [${quotedList(all)}], [${quotedList(keys)}], '') AS key, holder,
        toFloat64(sum(balance)) AS size
      FROM stx_balances
      WHERE splitByString('::', asset)[1] IN (${quotedList(all)}) AND position(holder, '.') = 0 AND holder NOT IN (${NO_HOLDERS})
      GROUP BY key, holder
      HAVING size > 0
    )
  ),
  counted AS (SELECT key, toNullable(${value}) AS value FROM held GROUP BY key)
SELECT
  n.day AS day, n.key AS key, ${value === HOLDER_COUNT ? 'ifNull(c.value, 0)' : 'c.value'} AS value, n.state AS state, 'stacks.chain' AS source,
  n.from_height AS from_height, n.to_height AS to_height, n.as_of AS as_of
FROM (SELECT *, arrayJoin([${quotedList(tokens.map(({ key }) => key))}]) AS key FROM newest) AS n
LEFT JOIN counted AS c ON c.key = n.key
WHERE n.day ${RANGE}
ORDER BY day, key`
}
