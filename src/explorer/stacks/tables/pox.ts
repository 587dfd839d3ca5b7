import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { type StacksTable, stx } from './table.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES

/** The newest Bitcoin block that is indexed and the newest that a Stacks block names: the later one tells the reward cycle. */
export const NEWEST_BURN_BLOCKS = `SELECT height, block_time AS time FROM (SELECT height, block_time FROM btc_blocks ORDER BY height DESC LIMIT 1)
    UNION ALL
    SELECT burn_height, burn_time FROM (SELECT burn_height, burn_time FROM stx_blocks ORDER BY burn_height DESC LIMIT 1)`

/** One row: where the newest Bitcoin block that is known stands in its reward cycle. */
export const clockTable: StacksTable = {
  title: 'Reward cycle progress',
  sub: 'As of the latest Bitcoin block that is indexed or named by a Stacks block',
  empty: 'No Bitcoin block since the start of Stacks is indexed.',
  columns: [
    { key: 'cycle', label: 'Cycle', form: 'count' },
    { key: 'burn_height', label: 'Bitcoin block', form: 'count' },
    { key: 'time', label: 'Its time', form: 'time' },
    { key: 'place', label: `Block of ${LENGTH}`, form: 'count' },
    { key: 'blocks_to_prepare', label: 'Blocks to the prepare phase', form: 'count' },
    { key: 'blocks_to_next', label: 'Blocks to the next cycle', form: 'count' },
    { key: 'next_height', label: 'Next cycle from', form: 'count' },
    { key: 'contract', label: 'Contract', form: 'text' },
  ],
  sql: `WITH
  newest AS (
    ${NEWEST_BURN_BLOCKS}
  )
SELECT
  intDiv(toInt64(height) - ${FIRST}, ${LENGTH}) AS cycle, height AS burn_height, time,
  (toInt64(height) - ${FIRST}) % ${LENGTH} AS place, greatest(2000 - place, 0) AS blocks_to_prepare,
  ${LENGTH} - place AS blocks_to_next, ${FIRST} + ${LENGTH} * (cycle + 1) AS next_height,
  multiIf(height > 960230, 'pox-5', height > 840361, 'pox-4', height > 791551, 'pox-3', height > 781552, 'pox-2', 'pox') AS contract
FROM newest
WHERE height >= ${FIRST}
ORDER BY height DESC
LIMIT 1`,
}

export const signersTable: StacksTable = {
  title: 'Signers and their weights',
  sub: 'The latest reward set fixed by an indexed block. A block needs 70% of the weight, so a share above 30% can stop the chain',
  empty:
    'No indexed block fixes a reward set. A node that posts its events reports it. The public API does not.',
  columns: [
    { key: 'cycle', label: 'Cycle', form: 'count' },
    { key: 'signer', label: 'Public key', form: 'key' },
    { key: 'weight', label: 'Weight', form: 'count' },
    { key: 'share', label: 'Share', form: 'figure', unit: 'ratio' },
    { key: 'cumulative', label: 'With those above', form: 'figure', unit: 'ratio' },
    { key: 'stacked', label: 'Stacked', form: 'amount' },
    { key: 'change', label: 'Since the set before', form: 'amount' },
  ],
  sql: `WITH
  newest AS (SELECT max(cycle) AS cycle FROM stx_signer_weights),
  before AS (
    SELECT signing_key, stacked_ustx
    FROM stx_signer_weights
    WHERE cycle = (SELECT max(cycle) FROM stx_signer_weights WHERE cycle < (SELECT cycle FROM newest))
  )
SELECT
  w.cycle AS cycle, lower(hex(w.signing_key)) AS signer, w.weight AS weight, w.weight_share AS share,
  sum(w.weight_share) OVER (ORDER BY w.weight DESC, w.signing_key ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS cumulative,
  ${stx('w.stacked_ustx', 'stacked')},
  ${stx('toInt64(w.stacked_ustx) - toInt64(b.stacked_ustx)', 'change')}
FROM stx_signer_weights AS w
LEFT JOIN before AS b ON b.signing_key = w.signing_key
WHERE w.cycle = (SELECT cycle FROM newest) AND w.height = (SELECT max(height) FROM stx_signer_weights WHERE cycle = (SELECT cycle FROM newest))
ORDER BY weight DESC, signer`,
}

const CYCLES_SIGNED = `SELECT cycle, sum(blocks) AS blocks
  FROM (SELECT bucket, cycle, any(block_count) AS blocks FROM stx_signer_days GROUP BY bucket, cycle)
  GROUP BY cycle`
const NO_SIGNATURES =
  'No indexed Nakamoto header has its signatures. A node that posts its events reports them. The public API does not.'

export const signingTable: StacksTable = {
  title: 'Participation of signers, cycle by cycle',
  sub: 'Keys recovered from the signatures of each indexed header, matched to the signers of the reward set. A block is sent once 70% of the weight has signed, so it omits later signatures',
  empty: NO_SIGNATURES,
  columns: [
    { key: 'cycle', label: 'Cycle', form: 'count' },
    { key: 'blocks', label: 'Indexed blocks', form: 'count' },
    { key: 'signed', label: 'Keys that signed', form: 'count' },
    {
      key: 'signers',
      label: 'Signers in the set',
      form: 'count',
      title: 'Empty if the reward set of the cycle is not indexed',
    },
    { key: 'mean_signatures', label: 'Signatures a block', form: 'figure', unit: 'n' },
    { key: 'participation', label: 'By heads', form: 'figure', unit: 'ratio' },
    { key: 'weight', label: 'By weight', form: 'figure', unit: 'ratio' },
  ],
  sql: `SELECT
  c.cycle AS cycle, c.blocks AS blocks, k.signed AS signed, w.signers AS signers, k.signatures / c.blocks AS mean_signatures,
  k.known / (c.blocks * w.signers) AS participation, k.weight / (c.blocks * w.weight) AS weight
FROM (${CYCLES_SIGNED}) AS c
INNER JOIN (
  SELECT d.cycle AS cycle, uniqExact(d.signing_key) AS signed, sum(d.signed_count) AS signatures,
    sumIf(d.signed_count, w.weight > 0) AS known, sum(d.signed_count * w.weight) AS weight
  FROM stx_signer_days AS d
  LEFT JOIN (SELECT cycle, signing_key, any(weight) AS weight FROM stx_signer_weights GROUP BY cycle, signing_key) AS w
    ON w.cycle = d.cycle AND w.signing_key = d.signing_key
  GROUP BY cycle
) AS k ON k.cycle = c.cycle
LEFT JOIN (
  SELECT cycle, toNullable(count()) AS signers, toNullable(sum(weight)) AS weight
  FROM (SELECT cycle, signing_key, any(weight) AS weight FROM stx_signer_weights GROUP BY cycle, signing_key)
  GROUP BY cycle
) AS w ON w.cycle = c.cycle
ORDER BY cycle DESC
LIMIT 60`,
}

export const whoSignsTable: StacksTable = {
  title: 'Who signs',
  sub: 'Signers of the latest cycle with indexed blocks, including those that signed none. A miner sends a block at 70% of the weight, so a missing signature is not a refusal',
  empty: NO_SIGNATURES,
  columns: [
    { key: 'cycle', label: 'Cycle', form: 'count' },
    { key: 'signer', label: 'Public key', form: 'key' },
    {
      key: 'weight',
      label: 'Weight',
      form: 'count',
      title: 'Empty if the reward set of the cycle is not indexed, or for a key outside it',
    },
    { key: 'share', label: 'Share', form: 'figure', unit: 'ratio' },
    { key: 'signed', label: 'Blocks signed', form: 'count' },
    { key: 'blocks', label: 'Of', form: 'count' },
    { key: 'participation', label: 'Participation', form: 'figure', unit: 'ratio' },
    { key: 'last_time', label: 'Last signed', form: 'time' },
  ],
  sql: `WITH
  newest AS (SELECT cycle, blocks FROM (${CYCLES_SIGNED}) ORDER BY cycle DESC LIMIT 1),
  keys AS (
    SELECT signing_key, toUInt64(signed_count) AS signed, toNullable(last_time) AS last_time, toNullable(toUInt32(0)) AS weight, toNullable(0.) AS share
    FROM stx_signer_days
    WHERE cycle = (SELECT cycle FROM newest)
    UNION ALL
    SELECT signing_key, 0, NULL, weight, weight_share
    FROM stx_signer_weights
    WHERE cycle = (SELECT cycle FROM newest)
    LIMIT 1 BY signing_key
  )
SELECT
  (SELECT cycle FROM newest) AS cycle, lower(hex(signing_key)) AS signer, nullIf(max(k.weight), 0) AS weight, nullIf(max(k.share), 0) AS share,
  sum(k.signed) AS signed, (SELECT blocks FROM newest) AS blocks, signed / blocks AS participation, max(k.last_time) AS last_time
FROM keys AS k
GROUP BY signing_key
ORDER BY weight DESC NULLS LAST, signer`,
}

export const managersTable: StacksTable = {
  title: 'Signer managers of PoX-5',
  sub: 'Census of contracts with the signer manager trait on 13 August 2026, Stacks block 8,755,381. It does not include stakes',
  empty: 'The census comes with the bundled snapshot, which was not loaded here.',
  columns: [
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'state', label: 'State', form: 'text' },
    { key: 'cycles', label: 'In the set of', form: 'text' },
    { key: 'registered_burn_height', label: 'Registered at Bitcoin block', form: 'count' },
    { key: 'last_topic', label: 'Newest event', form: 'text' },
    { key: 'signer_key', label: 'Public key', form: 'key', isOptional: true },
  ],
  sql: `SELECT
  contract, replaceAll(lifecycle, '-', ' ') AS state,
  multiIf(is_in_cycle141 AND is_in_cycle142, '141 and 142', is_in_cycle141, '141', is_in_cycle142, '142', '') AS cycles,
  registered_burn_height, last_topic, lower(hex(signer_key)) AS signer_key
FROM pox5_signer_managers
ORDER BY cycles DESC, state, registered_burn_height, contract`,
}

export const bondsTable: StacksTable = {
  title: 'Bonds of PoX-5',
  sub: 'Each bond with its terms, its balance from registrations less exits, and its distributions compared with their target',
  empty: 'No indexed block sets up a bond. PoX-5 started at Bitcoin block 960,231.',
  columns: [
    { key: 'bond_index', label: 'Bond', form: 'count' },
    { key: 'first_cycle', label: 'From cycle', form: 'count' },
    { key: 'unlock_cycle', label: 'To cycle', form: 'count' },
    { key: 'target', label: 'Aims at, a year', form: 'figure', unit: 'ratio' },
    {
      key: 'min_stx',
      label: 'STX beside',
      form: 'figure',
      unit: 'ratio',
      title: 'Least value of STX that is staked along, of the bitcoin',
    },
    { key: 'stakers', label: 'Stakers', form: 'count' },
    {
      key: 'allowed',
      label: 'Admitted',
      form: 'amount',
      title: 'The most that those on its list may put in',
    },
    { key: 'registered', label: 'Registered', form: 'amount' },
    { key: 'left_early', label: 'Left early', form: 'amount' },
    { key: 'distributions', label: 'Distributions', form: 'count' },
    { key: 'paid', label: 'Paid', form: 'amount' },
    { key: 'kept', label: 'Paid ÷ aim', form: 'figure', unit: 'ratio' },
  ],
  sql: `SELECT
  b.bond_index AS bond_index, b.first_cycle AS first_cycle, b.unlock_cycle AS unlock_cycle, b.target_rate_bps / 10000 AS target,
  b.min_ustx_ratio_bps / 10000 AS min_stx, r.stakers AS stakers,
  a.sat AS allowed, 8 AS allowed_decimals, 'BTC' AS allowed_symbol,
  r.sat AS registered, 8 AS registered_decimals, 'BTC' AS registered_symbol,
  e.sat AS left_early, 8 AS left_early_decimals, 'BTC' AS left_early_symbol,
  d.distributions AS distributions, d.paid AS paid, 8 AS paid_decimals, 'sBTC' AS paid_symbol, d.paid / nullIf(d.aim, 0) AS kept
FROM stx_bonds AS b
LEFT JOIN (SELECT bond_index, sum(max_sat) AS sat FROM stx_bond_allowances GROUP BY bond_index) AS a ON a.bond_index = b.bond_index
LEFT JOIN (SELECT bond_index, uniqExact(staker) AS stakers, sum(registered_sat) AS sat FROM stx_bond_registrations GROUP BY bond_index) AS r
  ON r.bond_index = b.bond_index
LEFT JOIN (SELECT bond_index, sum(ifNull(withdrawn_sat, 0) + ifNull(released_sat, 0)) AS sat FROM stx_bond_exits GROUP BY bond_index) AS e
  ON e.bond_index = b.bond_index
LEFT JOIN (
  SELECT bond_index, count() AS distributions, sum(rewards_sat) AS paid, sum(target_sat) AS aim
  FROM stx_bond_distributions
  GROUP BY bond_index
) AS d ON d.bond_index = b.bond_index
ORDER BY bond_index DESC`,
}
