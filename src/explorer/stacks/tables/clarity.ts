import { NO_BLOCKS, type StacksTable } from './table.ts'

const FIRST = 923_222

export const wordsTable: StacksTable = {
  title: 'Use of each new function',
  sub: 'Contracts among the blocks held whose source uses a word of Clarity 4 or 6, remarks and texts taken out, and calls to these contracts',
  empty: `No contract of Clarity 4 or later is held. ${NO_BLOCKS}`,
  columns: [
    { key: 'word', label: 'Word', form: 'text' },
    { key: 'since_version', label: 'Clarity', form: 'count' },
    { key: 'contracts', label: 'Contracts', form: 'count' },
    { key: 'deployers', label: 'Deployers', form: 'count' },
    { key: 'calls', label: 'Calls', form: 'count' },
    { key: 'first_contract', label: 'First held', form: 'principal' },
    { key: 'first_time', label: 'Made', form: 'time' },
  ],
  sql: () => `SELECT
  w.word AS word, any(w.since_version) AS since_version, count() AS contracts, uniqExact(w.deployer) AS deployers,
  sum(c.calls) AS calls, argMin(w.contract, w.height) AS first_contract, min(w.block_time) AS first_time
FROM stx_clarity_words AS w
LEFT JOIN (SELECT contract, sum(call_count) AS calls FROM stx_call_days GROUP BY contract) AS c ON c.contract = w.contract
GROUP BY word
ORDER BY contracts DESC, word`,
}

export const firstDeployersTable: StacksTable = {
  title: 'Who deployed first',
  sub: 'First contracts in Clarity 4 or later among the blocks held, one row a deployer',
  empty: `No contract of Clarity 4 or later is held. ${NO_BLOCKS}`,
  columns: [
    { key: 'deployer', label: 'Deployer', form: 'principal' },
    { key: 'contract', label: 'Its first', form: 'principal' },
    { key: 'clarity_version', label: 'Clarity', form: 'count' },
    { key: 'made', label: 'Made', form: 'time' },
    { key: 'contracts', label: 'Contracts since', form: 'count' },
    { key: 'words', label: 'New words in them', form: 'text' },
  ],
  sql: () => `SELECT
  c.deployer AS deployer, argMin(c.contract, c.height) AS contract, argMin(assumeNotNull(c.clarity_version), c.height) AS clarity_version,
  min(c.block_time) AS made, count() AS contracts, arrayStringConcat(arraySort(any(w.words)), ', ') AS words
FROM stx_contracts AS c
LEFT JOIN (SELECT deployer, groupUniqArray(word) AS words FROM stx_clarity_words GROUP BY deployer) AS w ON w.deployer = c.deployer
WHERE c.clarity_version >= 4
GROUP BY c.deployer
ORDER BY made, deployer
LIMIT 50`,
}

const DIMENSIONS = [
  ['read_count', 'reads'],
  ['read_length', 'bytes read'],
  ['write_count', 'writes'],
  ['write_length', 'bytes written'],
  ['runtime', 'running time'],
] as const

export const costsTable: StacksTable = {
  title: 'Execution cost of a call, before and after',
  sub: `Contract calls in the 4,320 Bitcoin blocks (a month) before and after block ${FIRST.toLocaleString('en-US')}, as far as they are held: median and mean of each dimension of cost`,
  empty: `No call near block ${FIRST.toLocaleString('en-US')} is held. ${NO_BLOCKS}`,
  columns: [
    { key: 'dimension', label: 'Dimension', form: 'text' },
    { key: 'calls_before', label: 'Calls before', form: 'count' },
    { key: 'calls_after', label: 'Calls after', form: 'count' },
    { key: 'median_before', label: 'Median before', form: 'count' },
    { key: 'median_after', label: 'Median after', form: 'count' },
    { key: 'mean_before', label: 'Mean before', form: 'count' },
    { key: 'mean_after', label: 'Mean after', form: 'count' },
    { key: 'change', label: 'Median, change', form: 'figure', unit: 'ratio' },
  ],
  sql: () => `WITH
  near AS (
    SELECT height, burn_height >= ${FIRST} AS is_after
    FROM stx_blocks
    WHERE burn_height BETWEEN ${FIRST - 4320} AND ${FIRST + 4319}
  ),
  costs AS (
    SELECT
      n.is_after AS is_after,
      arrayJoin([${DIMENSIONS.map(([column, name]) => `('${name}', t.${column})`).join(', ')}]) AS part
    FROM stx_txs AS t
    INNER JOIN near AS n ON n.height = t.height
    WHERE t.kind = 'contract_call' AND t.runtime IS NOT NULL
  )
SELECT
  part.1 AS dimension, countIf(NOT is_after) AS calls_before, countIf(is_after) AS calls_after,
  quantileExactLowIf(0.5)(assumeNotNull(part.2), NOT is_after) AS median_before,
  quantileExactLowIf(0.5)(assumeNotNull(part.2), is_after) AS median_after,
  toUInt64(ifNotFinite(round(avgIf(part.2, NOT is_after)), 0)) AS mean_before,
  toUInt64(ifNotFinite(round(avgIf(part.2, is_after)), 0)) AS mean_after,
  if(calls_before = 0 OR calls_after = 0 OR median_before = 0, NULL, median_after / median_before - 1) AS change
FROM costs
GROUP BY dimension
ORDER BY dimension`,
}

export const extendsTable: StacksTable = {
  title: 'Tenure extensions by what they reset',
  sub: 'Changes of tenure among the blocks held that extend one; those of a single dimension came with SIP-034',
  empty: `No extension of a tenure is held. ${NO_BLOCKS}`,
  columns: [
    { key: 'cause', label: 'Resets', form: 'text' },
    { key: 'extensions', label: 'Extensions', form: 'count' },
    { key: 'share', label: 'Share', form: 'figure', unit: 'ratio' },
    { key: 'first', label: 'First held', form: 'time' },
    { key: 'last', label: 'Last held', form: 'time' },
  ],
  sql: () => `SELECT
  toString(cause) AS cause, count() AS extensions, count() / sum(count()) OVER () AS share, min(block_time) AS first, max(block_time) AS last
FROM stx_tenures
WHERE cause != 'BlockFound'
GROUP BY cause
ORDER BY extensions DESC, cause`,
}
