import { SIP031_ACTIVATION, SIP031_CONTRACT, SIP031_EMISSION } from '#kernel/sip031.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, perHeldStacksDay, sip } from './common.ts'
import { knownSince, stockOfKeys, totalsOf } from './stocks.ts'
import { GENESIS, ofSupply, SUPPLY_CHANGES } from './tokens.ts'

const { height: FIRST_HEIGHT, mintUstx: AT_ONCE } = SIP031_ACTIVATION

const ofEmission = {
  ...fromStacks,
  unit: 'uSTX',
  since: { height: FIRST_HEIGHT },
  references: [
    sip(31, 'Five-year Stacks growth emissions'),
    {
      title: 'stacks-core: boot/sip-031.clar, SIP031_EMISSION_INTERVALS_MAINNET',
      url: 'https://github.com/stacks-network/stacks-core/blob/master/stackslib/src/chainstate/stacks/boot/sip-031.clar',
    },
  ],
} as const

/** SQL: what a tenure of this Bitcoin height mints by the schedule, micro-STX. */
const rateAt = (height: string): string =>
  `multiIf(${SIP031_EMISSION.map(
    ({ fromHeight }, step) => `${height} < ${fromHeight}, ${SIP031_EMISSION[step - 1]?.ustxPerTenure ?? 0}`,
  ).join(', ')}, 0)`

export const sip031Planned = metric({
  ...ofEmission,
  id: 'sip031.planned',
  name: 'SIP-031: emission by the schedule',
  definition: 'STX that the tenures begun on the UTC day mint for SIP-031 by its schedule.',
  why: 'The allowed emission, to compare with actual minting.',
  how: 'Tenures of the day, each at the rate of its Bitcoin height: 475 STX from 907,740, then 1,140, 1,705, 1,305 and 1,155, each for 52,560 Bitcoin blocks. Excludes the 200,000,000 STX of the activation.',
  misleads:
    'A Bitcoin block without a tenure mints nothing, so the maximum of 303,796,800 STX is an upper bound.',
  ...figuresSql({
    metric: 'sip031.planned',
    type: 'Int64',
    chain: perHeldStacksDay({
      rows: `SELECT toDate(block_time) AS day, '' AS key, sum(${rateAt('burn_height')}) AS value
    FROM stx_tenures
    WHERE cause = 'BlockFound' AND toDate(block_time) ${RANGE}
    GROUP BY day`,
    }),
  }),
  aggregate: 'sum',
})

const MINTS = `standard = 'stx' AND action = 'mint' AND recipient = '${SIP031_CONTRACT}'`

export const sip031Emitted = metric({
  ...ofEmission,
  id: 'sip031.emitted',
  name: 'SIP-031: minted',
  breakdown: { name: 'part', values: ['activation', 'tenures'] },
  headline: SUM_OF_KEYS,
  definition: 'STX that the chain minted to the contract of SIP-031 on the UTC day.',
  why: 'Supply added for the endowment.',
  how: 'Mint events with the contract as recipient: 200,000,000 STX at the activation, then one at the start of each tenure.',
  misleads:
    'Minted is not claimed: it waits in the contract, and half of the first 200,000,000 vests over 24 months.',
  ...figuresSql({
    metric: 'sip031.emitted',
    type: 'Int64',
    chain: perHeldStacksDay({
      needs: ['events'],
      keys: ['activation', 'tenures'],
      rows: `SELECT toDate(block_time) AS day, if(amount >= ${AT_ONCE}, 'activation', 'tenures') AS key, sum(amount) AS value
    FROM stx_transfers
    WHERE ${MINTS} AND toDate(block_time) ${RANGE}
    GROUP BY day, key`,
    }),
  }),
  aggregate: 'sum',
})

/** The first block of the activation, where the block before it is held too. */
const ACTIVATION = `SELECT min(a.height) AS height
      FROM stx_blocks AS a
      WHERE a.burn_height >= ${FIRST_HEIGHT}
      HAVING count() > 0
        AND height IN (SELECT height + 1 FROM stx_blocks WHERE burn_height < ${FIRST_HEIGHT})`

export const sip031Vault = metric({
  ...ofEmission,
  id: 'sip031.vault',
  name: 'SIP-031: balance of the contract',
  definition: 'STX in the contract of SIP-031 at the end of the UTC day.',
  why: 'Minted but unclaimed STX, which cannot be sold yet.',
  how: 'Mints to the contract and transfers to it less those from it, since its activation.',
  misleads: 'It resets with each claim. Claimed STX belong to the endowment.',
  ...figuresSql({
    metric: 'sip031.vault',
    type: 'Int64',
    chain: {
      ctes: [
        knownSince(ACTIVATION, 'events'),
        totalsOf(
          'vault',
          `SELECT toDate(block_time) AS day, '' AS key,
        if(ifNull(recipient, '') = '${SIP031_CONTRACT}', toInt256(amount), 0) - if(ifNull(sender, '') = '${SIP031_CONTRACT}', toInt256(amount), 0) AS change
      FROM stx_transfers
      WHERE standard = 'stx' AND (recipient = '${SIP031_CONTRACT}' OR sender = '${SIP031_CONTRACT}')`,
        ),
      ],
      select: stockOfKeys('vault', [''], 'stacks.chain'),
      isRatio: false,
    },
  }),
  aggregate: 'last',
  needs:
    'Requires every Stacks block from Bitcoin height 907,739 on. Run “assay backfill --chain stacks --from … --to …” to load them from the public API or a node.',
})

const WITHOUT = totalsOf(
  'supply',
  `${SUPPLY_CHANGES}
      UNION ALL
      SELECT toDate(block_time), '', -toInt256(amount) FROM stx_transfers WHERE ${MINTS}`,
)

export const supplyCounterfactual = metric({
  ...ofSupply,
  id: 'supply.counterfactual',
  name: 'STX in being without SIP-031',
  definition: 'supply.liquid at the end of the UTC day less all that was minted to the contract of SIP-031.',
  why: 'The difference between the two is the supply added by the proposal.',
  how: 'The same sum over all blocks since genesis without these mints.',
  misleads: 'Subtracts only the mints. How miners, holders and prices would have reacted is unknown.',
  ...figuresSql({
    metric: 'supply.counterfactual',
    type: 'Int64',
    chain: {
      ctes: [knownSince(GENESIS, 'events', 'miner_rewards'), WITHOUT],
      select: stockOfKeys('supply', [''], 'stacks.chain'),
      isRatio: false,
    },
  }),
  references: [...ofSupply.references, sip(31, 'Five-year Stacks growth emissions')],
})

export const stacksInflation = metric({
  ...ofSupply,
  id: 'supply.inflation',
  name: 'New STX of a year',
  unit: 'ratio',
  breakdown: { name: 'with', values: ['all', 'without SIP-031'] },
  headline: 'all',
  definition: 'STX that came into being in the trailing 365 days ÷ STX in being at the end of the UTC day.',
  why: 'How fast holders are diluted, and how much of that is due to SIP-031.',
  how: 'supply.liquid less that of 365 days before, ÷ supply.liquid; the same of supply.counterfactual.',
  misleads: 'Includes the 200,000,000 STX of the activation for one year, after which they drop out at once.',
  sql: `WITH
  ${knownSince(GENESIS, 'events', 'miner_rewards')},
  ${totalsOf('supply', SUPPLY_CHANGES).replaceAll("'' AS key", "'all' AS key").replaceAll("SELECT bucket, ''", "SELECT bucket, 'all'")},
  ${WITHOUT.replace('supply AS', 'without AS')
    .replaceAll("'' AS key", "'without SIP-031' AS key")
    .replaceAll("SELECT bucket, ''", "SELECT bucket, 'without SIP-031'")
    .replaceAll("toDate(block_time), ''", "toDate(block_time), 'without SIP-031'")},
  totals AS (SELECT day, key, total FROM supply UNION ALL SELECT day, key, total FROM without)
SELECT
  k.day AS day, k.key AS key,
  toFloat64(now.total - before.total) / toFloat64(now.total) AS value,
  toFloat64(now.total - before.total) AS numerator, toFloat64(now.total) AS denominator,
  k.state AS state, 'stacks.chain' AS source, k.from_height AS from_height, k.to_height AS to_height, k.as_of AS as_of
FROM (SELECT *, day - 365 AS year_before, arrayJoin(['all', 'without SIP-031']) AS key FROM known) AS k
ASOF INNER JOIN totals AS now ON now.key = k.key AND now.day <= k.day
ASOF INNER JOIN totals AS before ON before.key = k.key AND before.day <= k.year_before
WHERE k.day ${RANGE}
ORDER BY day, key`,
  aggregate: 'last',
})

export const SIP031_METRICS = [
  sip031Planned,
  sip031Emitted,
  sip031Vault,
  supplyCounterfactual,
  stacksInflation,
] as const
