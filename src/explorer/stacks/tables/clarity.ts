import { CLARITY_DEFAULTS, CLARITY_WORDS, COST_BUDGETS } from '#kernel/clarityWords.ts'
import { CLARITY_VERSIONS } from '#kernel/stacks.ts'
import type { StacksTable } from './table.ts'

/** SQL: the version of Clarity of the contract that a row of calls is about, by the join `m`. */
const CALLED_VERSION = "if(m.clarity_version = '', 'unknown', m.clarity_version)"
/** SQL: an hour of the newest seven days with blocks: callers of single days do not add up. */
const IN_NEWEST = `h.chain = 'stacks'
    AND h.hour > (SELECT max(hour) FROM call_hours WHERE chain = 'stacks') - INTERVAL 7 DAY`
/** SQL: a count that is 0 only where a block is held since which the version exists; unknown before. */
const since = (version: string, count: string): string =>
  `if(${count} > 0 OR (SELECT max(burn_height) FROM stx_blocks) >= transform(${version}, [${CLARITY_DEFAULTS.map(one => `'${one.version}'`).join(', ')}], [${CLARITY_DEFAULTS.map(({ burnHeight }) => burnHeight).join(', ')}], 0), ${count}, NULL)`
const quoted = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ')

/** What is built and used, by version of the language. */
export const versionsTable: StacksTable = {
  title: 'Contracts and calls by version of Clarity',
  sub: 'Over all indexed blocks, unknown if they end before the version. Callers over the latest 7 days of them',
  empty: 'None in the indexed blocks.',
  columns: [
    { key: 'version', label: 'Clarity', form: 'text' },
    { key: 'contracts', label: 'Contracts', form: 'count' },
    { key: 'deployers', label: 'Deployers', form: 'count' },
    { key: 'first_day', label: 'First indexed', form: 'day' },
    { key: 'calls', label: 'Calls', form: 'count' },
    { key: 'share', label: 'Of all calls', form: 'figure', unit: 'ratio' },
    { key: 'failed_share', label: 'Failed', form: 'figure', unit: 'ratio' },
    { key: 'callers', label: 'Callers, 7 days', form: 'count', title: 'Distinct senders of calls' },
  ],
  sql: `WITH
  made AS (
    SELECT
      clarity_version AS version, count() AS contracts, uniqExact(deployer) AS deployers,
      min(bucket) AS first_day
    FROM stx_made_contracts
    GROUP BY version
  ),
  called AS (
    SELECT ${CALLED_VERSION} AS version, sum(d.call_count) AS calls, sum(d.failed_call_count) AS failed
    FROM stx_call_days AS d
    LEFT JOIN stx_made_contracts AS m ON m.contract = d.contract
    GROUP BY version
  ),
  callers AS (
    SELECT ${CALLED_VERSION} AS version, uniqExact(h.caller) AS callers
    FROM call_hours AS h
    LEFT JOIN stx_made_contracts AS m ON m.contract = h.contract
    WHERE ${IN_NEWEST}
    GROUP BY version
  )
SELECT
  if(v.version = 'unknown', 'not known', v.version) AS version,
  ${since('v.version', 'm.contracts')} AS contracts, if(contracts IS NULL, NULL, m.deployers) AS deployers,
  if(m.contracts = 0, NULL, m.first_day) AS first_day, ${since('v.version', 'c.calls')} AS calls,
  calls / nullIf((SELECT sum(calls) FROM called), 0) AS share,
  c.failed / nullIf(c.calls, 0) AS failed_share, if(calls IS NULL, NULL, u.callers) AS callers
FROM (SELECT arrayJoin([${quoted([...CLARITY_VERSIONS.map(String), 'unknown'])}]) AS version) AS v
LEFT JOIN made AS m ON m.version = v.version
LEFT JOIN called AS c ON c.version = v.version
LEFT JOIN callers AS u ON u.version = v.version
WHERE (SELECT count() FROM stx_block_days) > 0
ORDER BY v.version`,
}

/** Who uses the new words. */
export const wordsTable: StacksTable = {
  title: 'Use of each new word',
  sub: 'Contracts whose source uses it, and calls to these contracts, over all indexed blocks. Unknown if they end before the word',
  empty: 'None in the indexed blocks.',
  columns: [
    { key: 'word', label: 'Word', form: 'text' },
    { key: 'since', label: 'Clarity', form: 'count' },
    { key: 'contracts', label: 'Contracts', form: 'count' },
    { key: 'deployers', label: 'Deployers', form: 'count' },
    {
      key: 'calls',
      label: 'Calls to them',
      form: 'count',
      title: 'Calls of any function of these contracts: which of them runs the word is not seen',
    },
    { key: 'callers', label: 'Callers, 7 days', form: 'count' },
    { key: 'first_contract', label: 'First indexed contract', form: 'principal' },
    { key: 'first_day', label: 'Made on', form: 'day' },
  ],
  sql: `WITH
  used AS (
    SELECT
      toString(w.word) AS word, count() AS contracts, uniqExact(m.deployer) AS deployers,
      argMin(w.contract, (m.height, m.tx_index)) AS first_contract, min(m.bucket) AS first_day
    FROM stx_source_words AS w
    INNER JOIN stx_made_contracts AS m ON m.contract = w.contract
    GROUP BY word
  ),
  called AS (
    SELECT toString(w.word) AS word, sum(d.call_count) AS calls
    FROM stx_call_days AS d
    INNER JOIN stx_source_words AS w ON w.contract = d.contract
    GROUP BY word
  ),
  callers AS (
    SELECT toString(w.word) AS word, uniqExact(h.caller) AS callers
    FROM call_hours AS h
    INNER JOIN stx_source_words AS w ON w.contract = h.contract
    WHERE ${IN_NEWEST}
    GROUP BY word
  )
SELECT
  k.word AS word, k.since AS since, ${since('toString(k.since)', 'u.contracts')} AS contracts,
  if(contracts IS NULL, NULL, u.deployers) AS deployers, if(contracts IS NULL, NULL, c.calls) AS calls,
  if(contracts IS NULL, NULL, r.callers) AS callers, nullIf(u.first_contract, '') AS first_contract,
  if(u.contracts = 0, NULL, u.first_day) AS first_day
FROM (
  SELECT pair.1 AS word, pair.2 AS since, pair.3 AS place
  FROM (SELECT arrayJoin([${CLARITY_WORDS.map(({ word, from }, place) => `('${word}', ${from}, ${place})`).join(', ')}]) AS pair)
) AS k
LEFT JOIN used AS u ON u.word = k.word
LEFT JOIN called AS c ON c.word = k.word
LEFT JOIN callers AS r ON r.word = k.word
WHERE (SELECT count() FROM stx_block_days) > 0
ORDER BY k.place`,
}

const median = (budget: string): string =>
  `quantileExactWeightedIf(0.5)(share_ppm, call_count, budget = '${budget}') / 1000000 AS ${budget}`

/** What calls cost before and after. */
export const costsTable: StacksTable = {
  title: 'What a call costs, before and after',
  sub: 'Median share of each budget of a block (from Nakamoto on, of a tenure); 90 days before 11 November 2025, and the latest 90 days since',
  empty:
    'No indexed block in this range has a source that reports call costs. With internet, the latest come from the public API. Load older ones with “assay backfill --chain stacks --from … --to …”.',
  columns: [
    { key: 'period', label: 'When', form: 'text' },
    { key: 'version', label: 'Clarity', form: 'text' },
    { key: 'calls', label: 'Calls', form: 'count' },
    {
      key: 'tightest',
      label: 'Tightest',
      form: 'figure',
      unit: 'ratio',
      title: 'The budget, of five, that a call uses most',
    },
    { key: 'runtime', label: 'Running time', form: 'figure', unit: 'ratio' },
    { key: 'read_count', label: 'Reads', form: 'figure', unit: 'ratio' },
    { key: 'read_length', label: 'Bytes read', form: 'figure', unit: 'ratio' },
    { key: 'write_count', label: 'Writes', form: 'figure', unit: 'ratio' },
    { key: 'write_length', label: 'Bytes written', form: 'figure', unit: 'ratio' },
  ],
  sql: `WITH
  periods AS (
    SELECT
      if(d.bucket < '2025-11-11', 'before', 'since') AS period,
      arrayJoin(['all', ${CALLED_VERSION}]) AS version, d.budget AS budget, d.share_ppm AS share_ppm,
      d.call_count AS call_count
    FROM stx_cost_days AS d
    LEFT JOIN stx_made_contracts AS m ON m.contract = d.contract
    WHERE d.bucket BETWEEN toDate('2025-11-11') - 90 AND toDate('2025-11-10')
      OR d.bucket > greatest((SELECT max(bucket) FROM stx_cost_days) - 90, toDate('2025-11-12'))
  )
SELECT
  p.period AS period, if(p.version = 'unknown', 'not known', p.version) AS version,
  sumIf(call_count, budget = 'tightest') AS calls,
  ${['tightest', ...COST_BUDGETS].map(median).join(',\n  ')}
FROM periods AS p
GROUP BY p.period, p.version
ORDER BY p.period, p.version != 'all', p.version`,
}

/** Who was first. */
export const firstDeployersTable: StacksTable = {
  title: 'Who deployed first',
  sub: 'First contract in Clarity 4 or later of each deployer in the indexed blocks, oldest first',
  empty: 'No indexed contracts in Clarity 4 or later.',
  columns: [
    { key: 'deployer', label: 'Deployer', form: 'principal' },
    { key: 'contract', label: 'First contract', form: 'principal' },
    { key: 'version', label: 'Clarity', form: 'count' },
    { key: 'made', label: 'Made', form: 'time' },
    { key: 'words', label: 'New words used', form: 'text' },
    { key: 'contracts', label: 'Contracts since', form: 'count' },
    { key: 'calls', label: 'Calls to them', form: 'count' },
  ],
  sql: `WITH
  newer AS (
    SELECT height, tx_index, block_time, contract, deployer, toUInt8OrZero(clarity_version) AS version
    FROM stx_made_contracts
    WHERE clarity_version IN ('4', '5', '6')
  ),
  firsts AS (
    SELECT height, tx_index, block_time, contract, deployer, version
    FROM newer
    ORDER BY height, tx_index
    LIMIT 1 BY deployer
    LIMIT 100
  ),
  totals AS (
    SELECT n.deployer AS deployer, uniqExact(n.contract) AS contracts, sum(d.calls) AS calls
    FROM newer AS n
    LEFT JOIN (
      SELECT contract, sum(call_count) AS calls FROM stx_call_days GROUP BY contract
    ) AS d ON d.contract = n.contract
    WHERE n.deployer IN (SELECT deployer FROM firsts)
    GROUP BY n.deployer
  )
SELECT
  f.deployer AS deployer, f.contract AS contract, f.version AS version,
  formatDateTime(f.block_time, '%Y-%m-%dT%H:%i:%SZ') AS made, w.words AS words, t.contracts AS contracts,
  t.calls AS calls
FROM firsts AS f
LEFT JOIN totals AS t ON t.deployer = f.deployer
LEFT JOIN (
  SELECT contract, arrayStringConcat(arraySort(groupArray(toString(word))), ', ') AS words
  FROM stx_source_words
  GROUP BY contract
) AS w ON w.contract = f.contract
ORDER BY f.height, f.tx_index`,
}

/** What the rider SIP-034 made possible. */
export const extendsTable: StacksTable = {
  title: 'Tenure extensions by what they reset',
  sub: 'Tenure changes in the indexed blocks that extend a tenure. Single-dimension extensions came with SIP-034',
  empty: 'No indexed tenure extensions.',
  columns: [
    { key: 'resets', label: 'Resets', form: 'text' },
    { key: 'extensions', label: 'Extensions', form: 'count' },
    { key: 'share', label: 'Share', form: 'figure', unit: 'ratio' },
    { key: 'first', label: 'First indexed', form: 'time' },
    { key: 'last', label: 'Last indexed', form: 'time' },
  ],
  sql: `SELECT
  transform(
    toString(cause),
    ['Extended', 'ExtendedRuntime', 'ExtendedReadCount', 'ExtendedReadLength', 'ExtendedWriteCount', 'ExtendedWriteLength'],
    ['all five budgets', 'running time', 'reads', 'bytes read', 'writes', 'bytes written'],
    toString(cause)
  ) AS resets, count() AS extensions, count() / sum(count()) OVER () AS share, min(block_time) AS first, max(block_time) AS last
FROM stx_tenures
WHERE cause != 'BlockFound'
GROUP BY cause
ORDER BY extensions DESC, resets`,
}
