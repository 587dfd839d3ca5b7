import type { Catalog } from '#catalog/index.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS } from '../fineFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { stacksState } from '../stacks/common.ts'
import { FIRST_VAULTS_RATIO, ofFirstVaults } from './cdp.ts'
import { fromPrints, fromReads, perPrintDay, READS, referenceOf } from './common.ts'
import { dollarsAtPar, grownBy } from './dollars.ts'
import { HOLDER_COUNT, holdersSql, NO_HOLDERS_RULE, needsHolders, TOP10_SHARE } from './holders.ts'
import { finePegSql, PEG_PUBLISHERS, pegSql, worstPegSql } from './pegs.ts'

const HERMETICA = 'hermetica'
const COINS = [
  {
    id: 'usda',
    protocol: 'arkadiko',
    scale: '1e6',
    asset: 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda',
  },
  {
    id: 'usdh',
    protocol: HERMETICA,
    scale: '1e8',
    asset: 'SPN5AKG35QZSK2M8GAMR4AFX45659RJHDW353HSG.usdh-token-v1::usdh',
  },
] as const
const VAULTS = ['sUSDh', 'hBTC']

/** Figures of dollars that are made on Stacks, and of what they earn. */
export function dollarCoinMetrics({ tokens, protocols }: Catalog): Metric[] {
  return [
    ...COINS.filter(({ id }) => tokens.some(token => token.id === id)).flatMap(ofCoin),
    ...(tokens.some(({ id }) => id === 'usda') ? [backing] : []),
    ...(protocols.some(({ slug }) => slug === HERMETICA) ? ofHermetica() : []),
  ]
}

/** Of USDh nobody publishes what backs it. */
const backing = metric({
  ...ofFirstVaults,
  entityKind: 'token',
  entities: ['usda'],
  id: 'stable.backing_ratio',
  name: 'Backing',
  unit: 'ratio',
  definition:
    'Value of the collateral in the first vaults of Arkadiko over their USDA debt, at the project’s snapshot of a reward cycle.',
  why: 'The value of a USDA if all vaults are closed.',
  how: 'As cdp.ratio: STX and xSTX of all vaults times the close of STX on the day, over their debt.',
  misleads:
    'Unbacked USDA, as after the oracle failure of December 2021, is not anyone’s debt. The vaults since April 2024 publish no such lists.',
  direction: 'up',
  sql: FIRST_VAULTS_RATIO,
})

function ofCoin({ id, protocol, scale, asset }: (typeof COINS)[number]): Metric[] {
  const ofReads = {
    ...fromReads,
    entityKind: 'token',
    entities: [id],
    since: { day: '2021-10-19' },
    references: [referenceOf(protocol)],
  } as const
  const ofRows = {
    ...fromPrints,
    entityKind: 'token',
    entities: [id],
    unit: 'USD',
    aggregate: 'sum',
    references: [referenceOf(protocol)],
  } as const
  const held = [{ key: '', contracts: [asset.split('::')[0] ?? ''] }]
  const ofHolders = {
    ...ofRows,
    calendar: 'reported',
    aggregate: 'last',
    needs: needsHolders('the coin'),
  } as const
  const moved = (action: 'mint' | 'burn') =>
    perPrintDay(
      `SELECT toDate(block_time) AS day, '' AS key, sum(toFloat64(amount)) / ${scale} AS value
    FROM stx_transfers
    WHERE asset = '${asset}' AND action = '${action}'
    GROUP BY day`,
      [''],
    )
  return [
    metric({
      ...ofReads,
      id: 'stable.supply',
      name: 'Supply on Stacks',
      unit: 'USD',
      definition: 'Supply on Stacks when the contract was polled, each coin as one dollar.',
      why: 'How much supply needs backing.',
      how: 'Total supply from the token’s contract.',
      misleads: 'Each coin counts as one dollar, whatever its price. Excludes USDh on other chains.',
      direction: 'up',
      sql: dollarsAtPar('stable.supply', [READS], scale),
    }),
    metric({
      ...ofRows,
      id: 'stable.minted',
      name: 'Minted',
      definition: 'Coins that were made on the UTC day, each as a dollar.',
      why: 'Demand for it.',
      how: 'Mints of the token in blocks of the day.',
      misleads: 'A coin that is minted and burned in one day counts in both.',
      ...figuresSql({ metric: 'stable.minted', type: 'Float64', chain: moved('mint') }),
    }),
    metric({
      ...ofRows,
      id: 'stable.burned',
      name: 'Burned',
      definition: 'Coins that were destroyed on the UTC day, each as a dollar.',
      why: 'Who gives it back.',
      how: 'Burns of the token in blocks of the day.',
      misleads: 'A coin that is minted and burned in one day counts in both.',
      ...figuresSql({ metric: 'stable.burned', type: 'Float64', chain: moved('burn') }),
    }),
    metric({
      ...ofReads,
      id: 'stable.peg_deviation',
      name: 'Peg deviation',
      unit: 'ratio',
      sources: ['stacks.chain', ...PEG_PUBLISHERS],
      needs:
        'No price yet from a deep enough pool or a source. Pools need Stacks blocks, and sources are polled with internet.',
      definition: 'Price of the coin on the UTC day minus one dollar, as a share of a dollar.',
      why: 'Whether it keeps its peg.',
      how: 'The price of the deepest Stacks pool with a priced other side (stx_token_prices), else token.price from the first named source with the day.',
      misleads:
        'One price a day hides intraday extremes, and on a thin market a small sale moves it. Excludes pools below the liquidity floor.',
      direction: 'neither',
      ...pegSql(asset.split('::')[0] ?? '', scale),
      fine: { grains: FINE_GRAINS, sql: finePegSql(asset.split('::')[0] ?? '', scale) },
    }),
    metric({
      ...ofReads,
      id: 'stable.peg_worst',
      name: 'Largest peg deviation, 30 days',
      unit: 'ratio',
      sources: ['stacks.chain', ...PEG_PUBLISHERS],
      needs:
        'No price yet from a deep enough pool or a source. Pools need Stacks blocks, and sources are polled with internet.',
      definition: 'The price farthest from one dollar in the 30 days up to the UTC day, minus one dollar.',
      why: 'A peg is only as good as its worst day.',
      how: 'The value of stable.peg_deviation farthest from zero on those days, with its sign.',
      misleads:
        'Days without a price have no data, so fewer priced days among the 30 make it look milder. The intraday deviation can be larger. stable.peg_deviation has it by hour and block.',
      direction: 'neither',
      sql: worstPegSql(asset.split('::')[0] ?? '', scale),
    }),
    metric({
      ...ofHolders,
      id: 'stable.holders',
      name: 'Holders',
      unit: 'addresses',
      definition: 'Addresses with a balance of the coin on Stacks as of the latest indexed block.',
      why: 'How many rely on its peg.',
      how: `Sums of all movements since the coin was created. ${NO_HOLDERS_RULE}`,
      misleads:
        'Balances in contracts of other applications belong to users there. The day is that of the latest block, with no past days.',
      direction: 'up',
      sql: holdersSql(held, HOLDER_COUNT),
    }),
    metric({
      ...ofHolders,
      id: 'stable.top10',
      name: 'Share of the ten largest holders',
      unit: 'ratio',
      definition:
        'Balance of the ten largest holders ÷ balance of all holders, as of the latest indexed block.',
      why: 'Few hands can end a peg by leaving together.',
      how: NO_HOLDERS_RULE,
      misleads: 'One person can have many addresses, and an exchange address represents many people.',
      sql: holdersSql(held, TOP10_SHARE),
    }),
  ]
}

function ofHermetica(): Metric[] {
  const ofReads = {
    ...fromReads,
    entities: [HERMETICA],
    since: { day: '2024-08-01' },
    references: [referenceOf(HERMETICA)],
  } as const
  const byVault = { breakdown: { name: 'vault', values: VAULTS }, headline: 'sUSDh' } as const
  const grown = (days: number): Pick<Metric, 'id' | 'name' | 'sql' | 'definition'> => ({
    id: `vault.apy_${days}d`,
    name: `Yield as it was, ${days} days`,
    definition: `Growth of the coins per share of each vault over the ${days} days before, as an annual yield.`,
    sql: grownBy('vault.exchange_rate', days),
  })
  return [
    metric({
      ...ofReads,
      id: 'vault.staked',
      name: 'USDh staked',
      unit: 'USD',
      definition: 'USDh in the staking reserve when it was polled, each as one dollar.',
      why: 'The part of the supply that earns the yield.',
      how: 'Balance of the reserve, from the USDh contract.',
      misleads: 'Pending exits are excluded.',
      direction: 'up',
      sql: dollarsAtPar('vault.staked', [READS], '1e8'),
    }),
    metric({
      ...ofReads,
      id: 'vault.staked_share',
      name: 'Share of USDh that is staked',
      unit: 'ratio',
      definition: 'USDh in the staking reserve over the supply on Stacks, when the contracts were polled.',
      why: 'The fewer coins are staked, the more each earns.',
      how: 'Balance of the reserve over the total supply.',
      misleads: 'The supply excludes USDh on other chains.',
      direction: 'neither',
      ...figuresSql({ metric: 'vault.staked_share', type: 'Float64', outside: [READS] }),
    }),
    metric({
      ...ofReads,
      id: 'vault.queue',
      name: 'USDh pending exit',
      unit: 'USD',
      definition: 'USDh of claims in the silo that are cooling down or unclaimed, when it was polled.',
      why: 'What leaves the vault next.',
      how: 'Balance of the silo, from the USDh contract.',
      misleads: 'Does not separate claims that are ready from those that are not.',
      direction: 'neither',
      sql: dollarsAtPar('vault.queue', [READS], '1e8'),
    }),
    metric({
      ...ofReads,
      id: 'vault.btc_held',
      name: 'Bitcoin of hBTC',
      unit: 'sat',
      definition: 'Satoshis that the hBTC contract counts as assets, when it was polled.',
      why: 'The size of the bitcoin vault.',
      how: 'get-total-assets of its state.',
      misleads: 'The contract counts what its keeper reports from other protocols.',
      direction: 'up',
      ...figuresSql({ metric: 'vault.btc_held', type: 'Int64', outside: [READS] }),
    }),
    metric({
      ...ofReads,
      ...byVault,
      sources: ['stacks.chain', READS],
      id: 'vault.exchange_rate',
      name: 'Coins per share',
      unit: 'x',
      definition: 'USDh per sUSDh and bitcoin per hBTC, when the contract was polled or last printed it.',
      why: 'Its growth is the yield paid.',
      how: 'From the contracts. On days with indexed blocks, the latest value printed by a stake, an unstake or a reward.',
      misleads: 'It reflects booked values, so a hedge loss appears once booked.',
      direction: 'up',
      ...figuresSql({
        metric: 'vault.exchange_rate',
        type: 'Float64',
        outside: [READS],
        chain: {
          ctes: [],
          select: `SELECT
      toDate(e.block_time) AS day, e.product AS key,
      argMax(toFloat64(assumeNotNull(e.rate)) / 1e8, (e.height, e.event_index)) AS value,
      ${stacksState('day', 'events')} AS state, 'stacks.chain' AS source,
      toNullable(min(e.height)) AS from_height, toNullable(max(e.height)) AS to_height, max(e.block_time) AS as_of
    FROM stx_vault_events AS e
    WHERE e.protocol = '${HERMETICA}' AND e.rate > 0 AND toDate(e.block_time) BETWEEN {from:Date} AND {to:Date}
    GROUP BY day, key`,
          isRatio: false,
        },
      }),
    }),
    ...[7, 30].map(days =>
      metric({
        ...ofReads,
        ...byVault,
        ...grown(days),
        unit: 'ratio',
        why: 'What stakers actually earned, whatever was promised.',
        how: `(Rate ÷ rate ${days} days before) ^ (365 ÷ days) − 1; an older rate may be up to a week older.`,
        misleads: 'A short window turns one good week into a good year.',
        direction: 'up',
      }),
    ),
    metric({
      ...fromPrints,
      entities: [HERMETICA],
      references: [referenceOf(HERMETICA)],
      id: 'vault.flows',
      name: 'Staked, unstaked, minted, redeemed',
      unit: 'USD',
      breakdown: { name: 'kind', values: ['stake', 'unstake', 'mint', 'redeem'] },
      headline: 'stake',
      definition: 'USDh that were staked, unstaked, minted or redeemed on the UTC day, each as a dollar.',
      why: 'Who comes and who leaves, before the totals show it.',
      how: 'Sum of the amounts that the contracts print.',
      misleads: 'Excludes redemptions by request, which are printed in the asset paid.',
      aggregate: 'sum',
      ...figuresSql({
        metric: 'vault.flows',
        type: 'Float64',
        chain: perPrintDay(
          `SELECT toDate(block_time) AS day, kind AS key, sum(toFloat64(assumeNotNull(amount))) / 1e8 AS value
    FROM stx_vault_events
    WHERE protocol = '${HERMETICA}' AND product IN ('sUSDh', 'USDh') AND kind IN ('stake', 'unstake', 'mint', 'redeem')
    GROUP BY day, key`,
          ['stake', 'unstake', 'mint', 'redeem'],
        ),
      }),
    }),
  ]
}
