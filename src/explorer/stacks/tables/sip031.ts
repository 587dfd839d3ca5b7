import { emissionSteps, SIP031_ACTIVATION } from '#kernel/sip031.ts'
import { ENDOWMENT } from '#sources/recorded/stacksRecords.ts'
import { type StacksTable, stx } from './table.ts'

const BUNDLED = 'The recorded movements come with the bundled snapshot, which was not loaded here.'

/** Rows of the schedule, from its first Bitcoin height on. */
const STEPS = emissionSteps()
  .map(
    ({ fromHeight, toHeight, blocks, ustxPerTenure, mostUstx }) =>
      `(${fromHeight}, ${toHeight}, ${blocks}, ${ustxPerTenure}, ${mostUstx})`,
  )
  .join(', ')

export const emissionTable: StacksTable = {
  title: 'The schedule, step by step',
  sub: 'Mint rate per tenure by Bitcoin height, the maximum of each step, and the result for indexed tenures. Planned is rate × tenures, minted is from mint events',
  empty: 'The schedule is part of the program.',
  columns: [
    { key: 'from_height', label: 'From Bitcoin block', form: 'count' },
    { key: 'to_height', label: 'To', form: 'count' },
    { key: 'rate', label: 'A tenure', form: 'amount' },
    { key: 'most', label: 'At most', form: 'amount', title: 'A tenure in every Bitcoin block' },
    { key: 'tenures', label: 'Indexed tenures', form: 'count' },
    { key: 'planned', label: 'Planned for them', form: 'amount' },
    { key: 'minted', label: 'Minted in indexed blocks', form: 'amount' },
  ],
  sql: `WITH
  steps AS (
    SELECT s.1 AS from_height, s.2 AS to_height, s.4 AS rate, s.5 AS most, 1 AS one
    FROM (SELECT arrayJoin([${STEPS}]) AS s)
  ),
  tenures AS (
    SELECT s.from_height AS from_height, count() AS tenures
    FROM (SELECT burn_height, 1 AS one FROM stx_tenures WHERE cause = 'BlockFound' AND burn_height >= 907740) AS t
    ASOF INNER JOIN steps AS s ON s.one = t.one AND s.from_height <= t.burn_height
    GROUP BY from_height
  ),
  mints AS (
    SELECT s.from_height AS from_height, sum(m.amount) AS minted
    FROM (
      SELECT t.amount AS amount, b.burn_height AS burn_height, 1 AS one
      FROM stx_transfers AS t
      INNER JOIN (SELECT height, burn_height FROM stx_blocks WHERE burn_height >= 907740) AS b ON b.height = t.height
      WHERE t.standard = 'stx' AND t.action = 'mint' AND t.recipient = 'SP000000000000000000002Q6VF78.sip-031'
        AND t.amount < 200000000000000
    ) AS m
    ASOF INNER JOIN steps AS s ON s.one = m.one AND s.from_height <= m.burn_height
    GROUP BY from_height
  )
SELECT
  s.from_height AS from_height, s.to_height AS to_height,
  ${stx('s.rate', 'rate')}, ${stx('s.most', 'most')}, t.tenures AS tenures,
  ${stx('s.rate * t.tenures', 'planned')}, ${stx('m.minted', 'minted')}
FROM steps AS s
LEFT JOIN tenures AS t ON t.from_height = s.from_height
LEFT JOIN mints AS m ON m.from_height = s.from_height
ORDER BY from_height`,
}

const { height: ACTIVATED, mintUstx, vestingUstx, vestingMonths, vestingStepBlocks } = SIP031_ACTIVATION

export const unlocksTable: StacksTable = {
  title: 'What unlocks of the first 200 million',
  sub: 'Half at activation, the other half in 24 parts, one each 4,383 Bitcoin blocks: the amount claimable from then on, whether or not it was claimed',
  empty: 'The steps are part of the program.',
  columns: [
    { key: 'step', label: 'Step', form: 'count' },
    { key: 'burn_height', label: 'Bitcoin block', form: 'count' },
    {
      key: 'state',
      label: 'State',
      form: 'text',
      title: 'As of the latest Bitcoin block that is indexed or named',
    },
    { key: 'time', label: 'Reached', form: 'time', title: 'Time of that Bitcoin block, if indexed' },
    { key: 'unlocked', label: 'Unlocks', form: 'amount' },
    { key: 'total', label: 'In all', form: 'amount' },
  ],
  sql: `WITH
  steps AS (
    SELECT
      number AS step, toUInt32(${ACTIVATED} + number * ${vestingStepBlocks}) AS burn_height,
      toUInt64(${mintUstx - vestingUstx}) + if(number = ${vestingMonths}, toUInt64(${vestingUstx}), number * intDiv(toUInt64(${vestingUstx}), ${vestingMonths})) AS total
    FROM numbers(${vestingMonths + 1})
  ),
  newest AS (
    SELECT greatest((SELECT max(height) FROM btc_blocks), (SELECT max(burn_height) FROM stx_blocks)) AS height
  ),
  reached AS (
    SELECT height, toNullable(min(time)) AS time
    FROM (
      SELECT height, block_time AS time FROM btc_blocks WHERE height IN (SELECT burn_height FROM steps)
      UNION ALL
      SELECT burn_height, burn_time FROM stx_blocks WHERE burn_height IN (SELECT burn_height FROM steps)
    )
    GROUP BY height
  )
SELECT
  s.step AS step, s.burn_height AS burn_height, if(s.burn_height <= (SELECT height FROM newest), 'unlocked', 'ahead') AS state,
  r.time AS time,
  ${stx('toInt64(s.total) - toInt64(lagInFrame(s.total) OVER (ORDER BY s.step ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))', 'unlocked')},
  ${stx('s.total', 'total')}
FROM steps AS s
LEFT JOIN reached AS r ON r.height = s.burn_height
ORDER BY step`,
}

const ACCOUNTS = 'SELECT DISTINCT account FROM sip031_flows'

export const accountsTable: StacksTable = {
  title: 'Where the coins went, address by address',
  sub: 'STX only, from the wallet histories of the endowment’s address and eight accounts that it funded, 13 May to 25 November 2025. Transfers out of the set count as spent, transfers within it do not',
  empty: BUNDLED,
  columns: [
    { key: 'account', label: 'Account', form: 'principal' },
    { key: 'role', label: 'Role', form: 'text' },
    { key: 'claimed', label: 'From the contract', form: 'amount' },
    { key: 'from_set', label: 'From the set', form: 'amount', title: 'From another account of the nine' },
    { key: 'from_others', label: 'From others', form: 'amount' },
    { key: 'to_set', label: 'To the set', form: 'amount' },
    { key: 'to_others', label: 'To others', form: 'amount', title: 'Sent to an address outside the nine' },
    {
      key: 'by_calls',
      label: 'Into contracts',
      form: 'amount',
      title: 'STX that went out by a contract call: swaps, deposits, supplies',
    },
    { key: 'rest', label: 'In less out', form: 'amount', title: 'Fees left out' },
  ],
  sql: `SELECT
  account, if(account = '${ENDOWMENT}', 'endowment', 'funded account') AS role,
  ${stx("sumIf(in_amount, in_asset = 'STX' AND detail = 'claim')", 'claimed')},
  ${stx(`sumIf(in_amount, in_asset = 'STX' AND sender IN (${ACCOUNTS}))`, 'from_set')},
  ${stx(`sumIf(in_amount, in_asset = 'STX' AND detail != 'claim' AND sender NOT IN (${ACCOUNTS}))`, 'from_others')},
  ${stx(`sumIf(out_amount, out_asset = 'STX' AND recipient IN (${ACCOUNTS}))`, 'to_set')},
  ${stx(`sumIf(out_amount, out_asset = 'STX' AND recipient != '' AND recipient NOT IN (${ACCOUNTS}))`, 'to_others')},
  ${stx("sumIf(out_amount, out_asset = 'STX' AND recipient = '')", 'by_calls')},
  ${stx("toInt128(sumIf(in_amount, in_asset = 'STX')) - toInt128(sumIf(out_amount, out_asset = 'STX'))", 'rest')}
FROM sip031_flows
GROUP BY account
ORDER BY role, toInt128(from_set) DESC, account`,
}

export const outflowsTable: StacksTable = {
  title: 'Every outflow of STX',
  sub: 'From the endowment and the accounts that it funded, newest first, with the purpose in the history: the called function or the memo',
  empty: BUNDLED,
  columns: [
    { key: 'at', label: 'Time', form: 'time' },
    { key: 'account', label: 'From', form: 'principal' },
    { key: 'amount', label: 'Amount', form: 'amount' },
    { key: 'recipient', label: 'To', form: 'principal' },
    { key: 'direction', label: 'Leaves the set', form: 'text' },
    { key: 'kind', label: 'Kind', form: 'text' },
    { key: 'purpose', label: 'Function or memo', form: 'text' },
    { key: 'got', label: 'Got for it', form: 'text', isOptional: true },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: `SELECT
  at, account, ${stx('out_amount', 'amount')}, recipient,
  multiIf(recipient IN (${ACCOUNTS}), 'no', recipient = '', 'into a contract', 'yes') AS direction,
  kind, trim(BOTH '''' FROM detail) AS purpose, in_asset AS got, lower(hex(txid)) AS txid
FROM sip031_flows
WHERE out_asset = 'STX' AND out_amount > 0
ORDER BY at DESC, position DESC
LIMIT 400`,
}

export const assetsTable: StacksTable = {
  title: 'What else passed through',
  sub: 'Other coins at the same nine accounts, by their symbol in the list, including unsolicited tokens',
  empty: BUNDLED,
  columns: [
    { key: 'asset', label: 'Coin', form: 'text' },
    { key: 'movements', label: 'Movements', form: 'count' },
    { key: 'accounts', label: 'Accounts', form: 'count' },
    { key: 'came', label: 'In, base units', form: 'count' },
    { key: 'went', label: 'Out, base units', form: 'count' },
    { key: 'first', label: 'First', form: 'time' },
    { key: 'last', label: 'Last', form: 'time' },
  ],
  sql: `SELECT
  asset, count() AS movements, uniqExact(account) AS accounts, toString(sum(came)) AS came, toString(sum(went)) AS went,
  min(at) AS first, max(at) AS last
FROM (
  SELECT at, account, in_asset AS asset, in_amount AS came, toUInt128(0) AS went FROM sip031_flows WHERE in_asset NOT IN ('', 'STX')
  UNION ALL
  SELECT at, account, out_asset, toUInt128(0), out_amount FROM sip031_flows WHERE out_asset NOT IN ('', 'STX')
)
GROUP BY asset
ORDER BY movements DESC, asset`,
}
