import {
  BLOCK_BUDGETS,
  CLARITY_DEFAULTS,
  CLARITY_WORDS,
  COST_BUDGETS,
  type WordKind,
} from '#kernel/clarityWords.ts'
import { stxCostDays, stxMadeContracts, stxSourceWords } from '#warehouse/tables/stacksRollups.ts'
import type { Rollup } from './rollup.ts'
import { BLOCKS, daily, IN_DAYS, RANGE } from './stacksBlocks.ts'

/** Contracts that were made on the days asked for, as `c`, with their blocks as `b`. */
export const MADE = `stx_contracts AS c
INNER JOIN blocks AS b ON b.height = c.height
WHERE c.${RANGE}`

/**
 * SQL: the version of Clarity of `c`. Who deploys on the main network without a version gets that of the epoch, so it is known
 * from the Bitcoin height; test networks have epochs of their own.
 */
export const madeVersion = `multiIf(
    isNotNull(c.clarity_version), toString(assumeNotNull(c.clarity_version)),
    NOT match(c.contract, '^S[PM]'), 'unknown',
${CLARITY_DEFAULTS.slice(0, -1)
  .map(({ burnHeight, version }) => `    b.burn_height >= ${burnHeight}, '${version}',`)
  .join('\n')}
    '${CLARITY_DEFAULTS.at(-1)?.version}'
  )`

const stacksMadeContracts: Rollup = {
  ...daily,
  table: stxMadeContracts,
  select: () => `WITH
  ${BLOCKS}
SELECT {run:UInt64}, b.bucket, c.height, c.tx_index, c.txid, c.block_time, c.contract, c.deployer, ${madeVersion}
FROM ${MADE}`,
}

/**
 * A regular expression (RE2) of one token of Clarity: a string with its escapes, a comment, a bracket or separator, or
 * anything else up to the next of these: a name, a number, a principal with the name of its contract, `<a-trait>`. Clarity
 * has no nested comments, so its tokens are a regular language.
 */
const TOKEN = String.raw`(?s)u?"(?:[^"\\\\]|\\\\.)*"?|;[^\\n]*|[(){},:]|[^\\s(){},:;"]+`

const list = (values: readonly (string | number)[]): string =>
  `[${values.map(value => (typeof value === 'number' ? value : `'${value}'`)).join(', ')}]`
const wordsOf = (...kinds: readonly WordKind[]): string =>
  list(CLARITY_WORDS.filter(({ kind }) => kinds.includes(kind)).map(({ word }) => word))
const ALL_WORDS = list(CLARITY_WORDS.map(({ word }) => word))
const boundsOf = (bounds: readonly number[]): string => `transform(t.2, ${ALL_WORDS}, ${list(bounds)}, 0)`

/**
 * Functions and allowances count where they are called, or are named to `map`, `filter` or `fold`; keywords where they stand
 * for a value: the name of a field or of another contract’s function is none. A contract in an older version may give the
 * same name to a thing of its own. Each token is looked at with the two before it and the one behind it.
 */
const stacksSourceWords: Rollup = {
  ...daily,
  table: stxSourceWords,
  select: () => `WITH
  ${BLOCKS},
  sources AS (
    SELECT
      b.bucket AS bucket, c.contract AS contract, toUInt8OrZero(${madeVersion}) AS version,
      arrayConcat(
        ['', ''], arrayFilter(token -> NOT startsWith(token, ';'), extractAll(c.source_code, '${TOKEN}')), ['']
      ) AS tokens
    FROM ${MADE} AND multiSearchAny(c.source_code, ${ALL_WORDS}) AND version >= 4
  )
SELECT {run:UInt64}, bucket, contract, t.2 AS word, count()
FROM sources
ARRAY JOIN arrayZip(
  arraySlice(tokens, 2, length(tokens) - 3), arraySlice(tokens, 3, length(tokens) - 3),
  arraySlice(tokens, 4, length(tokens) - 3), arraySlice(tokens, 1, length(tokens) - 3)
) AS t
WHERE version BETWEEN ${boundsOf(CLARITY_WORDS.map(({ from }) => from))} AND ${boundsOf(CLARITY_WORDS.map(({ to }) => to ?? 255))}
  AND (
    (has(${wordsOf('function', 'allowance')}, t.2) AND t.1 IN ('(', 'map', 'filter', 'fold'))
    OR (has(${wordsOf('keyword')}, t.2) AND t.1 NOT IN ('(', 'get') AND t.3 != ':' AND t.4 != 'contract-call?')
  )
GROUP BY bucket, contract, word`,
}

const limitOf = (budget: (typeof COST_BUDGETS)[number]): string =>
  `multiIf(${BLOCK_BUDGETS.slice(0, -1)
    .map(limits => `b.burn_height >= ${limits.burnHeight}, ${limits[budget]}, `)
    .join('')}${BLOCK_BUDGETS.at(-1)?.[budget]})`

const stacksCostDays: Rollup = {
  ...daily,
  table: stxCostDays,
  select: () => `WITH
  ${BLOCKS},
  calls AS (
    SELECT
      b.bucket AS bucket, assumeNotNull(t.contract) AS contract,
      [
${COST_BUDGETS.map(budget => `        intDiv(assumeNotNull(t.${budget}) * 1000000, ${limitOf(budget)})`).join(',\n')}
      ] AS shares
    FROM (
      SELECT height, contract, ${COST_BUDGETS.join(', ')}
      FROM stx_txs
      WHERE ${IN_DAYS} AND kind = 'contract_call' AND isNotNull(contract) AND isNotNull(runtime)
    ) AS t
    INNER JOIN blocks AS b ON b.height = t.height
  )
SELECT {run:UInt64}, bucket, budget, contract, share, count()
FROM calls
ARRAY JOIN arrayPushFront(shares, arrayMax(shares)) AS share, ['tightest', ${COST_BUDGETS.map(name => `'${name}'`).join(', ')}] AS budget
GROUP BY bucket, budget, contract, share`,
}

export const CLARITY_ROLLUPS: readonly Rollup[] = [stacksMadeContracts, stacksSourceWords, stacksCostDays]
