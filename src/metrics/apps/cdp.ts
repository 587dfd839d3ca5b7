import type { Catalog } from '#catalog/index.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { knownSince, madeAt, stockOfKeys, totalsOf } from '../stacks/stocks.ts'
import { fromPrints, fromReads, perPrintDay, READS, referenceOf } from './common.ts'
import { dollarsAtPar } from './dollars.ts'

const ARKADIKO = 'arkadiko'
const DATA = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.arkadiko-vaults-data-v1-1'
/** Status of a vault that a liquidation closed. */
const LIQUIDATED = 201
const KEYS = ['STX', 'stSTX', 'sBTC']
/** Totals of the vaults before April 2024, at the snapshots of the project. */
const RECORDED = 'arkadiko.vaults'
const FIRST_VAULTS = 'first vaults'
const NEW_VAULTS = 'vaults since April 2024'

const ofReads = {
  ...fromReads,
  entities: [ARKADIKO],
  since: { day: '2021-10-19' },
  references: [referenceOf(ARKADIKO)],
} as const
const ofPrints = { ...fromPrints, entities: [ARKADIKO], references: [referenceOf(ARKADIKO)] } as const
export const ofFirstVaults = {
  entityKind: 'protocol',
  entities: [ARKADIKO],
  sources: [RECORDED],
  cadence: 'recorded',
  calendar: 'reported',
  aggregate: 'last',
  since: { day: '2021-11-21' },
  references: [referenceOf(ARKADIKO)],
} as const
const byToken = { breakdown: { name: 'collateral', values: KEYS }, headline: 'STX' } as const

/** Value of all collateral of the first vaults over their debt, by the day on which a recorded cycle began. */
export const FIRST_VAULTS_RATIO = `WITH
  totals AS (
    SELECT
      o.day AS day,
      sumIf(toFloat64(o.amount), o.metric = 'cdp.collateral') / 1e6 AS collateral,
      sumIf(toFloat64(o.amount), o.metric = 'cdp.debt') / 1e6 AS debt, max(o.observed_at) AS as_of
    FROM latest_observations AS o
    WHERE o.metric IN ('cdp.collateral', 'cdp.debt') AND o.entity = '${ARKADIKO}' AND o.source = '${RECORDED}'
      AND o.day BETWEEN {from:Date} AND {to:Date}
    GROUP BY o.day
  )
SELECT
  t.day AS day, '' AS key, t.collateral * p.close / t.debt AS value, 'whole' AS state, '${RECORDED}' AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, t.as_of AS as_of
FROM totals AS t
INNER JOIN usd_closes AS p ON p.asset = 'STX' AND p.day = t.day
WHERE t.debt > 0
ORDER BY day`

const ratioOf = (id: string) => figuresSql({ metric: id, type: 'Float64', outside: [READS] })

/** Figures of debts against collateral: Arkadiko. */
export function cdpMetrics({ protocols }: Catalog): Metric[] {
  if (!protocols.some(({ slug }) => slug === ARKADIKO)) return []
  return [
    metric({
      ...ofReads,
      breakdown: { name: 'collateral', values: [...KEYS, FIRST_VAULTS] },
      headline: SUM_OF_KEYS,
      sources: [READS, RECORDED],
      id: 'cdp.debt',
      name: 'Debt of vaults',
      unit: 'USD',
      definition:
        'USDA owed by all vaults of a collateral when the contract was polled, or at the project’s snapshot of a reward cycle, with one USDA as one dollar.',
      why: 'What backs USDA has to cover it.',
      how: `Total debt from the contract of the ${NEW_VAULTS}, by collateral. Before, the sum over the project’s published vault lists by cycle.`,
      misleads:
        'Stability fees not yet booked are excluded. The first vaults are excluded after March 2024, when their remaining debt was moved or closed.',
      direction: 'neither',
      sql: dollarsAtPar(
        'cdp.debt',
        [READS, RECORDED],
        '1e6',
        `if(o.source = '${RECORDED}', '${FIRST_VAULTS}', o.key)`,
      ),
    }),
    metric({
      ...ofReads,
      ...byToken,
      id: 'cdp.debt_cap_used',
      name: 'Debt cap in use',
      unit: 'ratio',
      definition: 'Vault debt of a collateral over its debt ceiling, when the contract was polled.',
      why: 'Whether new vaults can be opened.',
      how: 'Total debt ÷ max-debt, from the contracts.',
      misleads: 'Governance may change the cap at any time.',
      direction: 'neither',
      ...ratioOf('cdp.debt_cap_used'),
    }),
    metric({
      ...ofReads,
      ...byToken,
      id: 'cdp.liquidation_ratio',
      name: 'Liquidation ratio',
      unit: 'ratio',
      definition: 'Collateral over debt below which a vault of the collateral may be liquidated.',
      why: 'How far a price may fall.',
      how: 'As the contract of collateral terms answers.',
      misleads: 'Governance can change it, which can make safe vaults unsafe.',
      direction: 'neither',
      ...ratioOf('cdp.liquidation_ratio'),
    }),
    metric({
      ...ofReads,
      ...byToken,
      id: 'cdp.stability_fee',
      name: 'Stability fee',
      unit: 'ratio',
      definition: 'Annual fee on the debt of a vault of the collateral.',
      why: 'What borrowing USDA costs.',
      how: 'As the contract of collateral terms answers.',
      misleads: 'It is booked when a vault is touched.',
      direction: 'neither',
      ...ratioOf('cdp.stability_fee'),
    }),
    metric({
      ...ofPrints,
      id: 'cdp.collateral',
      name: 'Collateral of vaults',
      unit: 'uSTX',
      sources: ['stacks.chain', RECORDED],
      calendar: 'reported',
      breakdown: { name: 'collateral', values: ['STX', 'xSTX'] },
      headline: SUM_OF_KEYS,
      definition:
        'STX in vaults at the end of the UTC day, or at the project’s snapshot of a reward cycle; xSTX is STX that was left of liquidations.',
      why: 'The backing of USDA.',
      how: `Sum of the latest printed state of each of the ${NEW_VAULTS}, for days with all blocks since their contract was deployed indexed. Before that, the project’s lists.`,
      misleads: 'Excludes other collateral. Recorded days are starts of cycles, two weeks or more apart.',
      aggregate: 'last',
      ...figuresSql({
        metric: 'cdp.collateral',
        type: 'Int64',
        outside: [RECORDED],
        chain: {
          ctes: [
            knownSince(madeAt(`'${DATA}'`), 'events'),
            totalsOf(
              'held',
              `SELECT toDate(block_time) AS day, 'STX' AS key, toInt64(collateral) - before AS change
      FROM (
        SELECT
          block_time, assumeNotNull(e.collateral) AS collateral,
          lagInFrame(toInt64(assumeNotNull(e.collateral)), 1, 0) OVER (PARTITION BY e.owner ORDER BY e.height, e.event_index ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
        FROM stx_cdp_events AS e
        WHERE e.protocol = '${ARKADIKO}' AND e.version = 'v2' AND e.kind = 'set' AND endsWith(e.token, '.wstx-token')
      )`,
            ),
          ],
          select: stockOfKeys('held', ['STX'], 'stacks.chain'),
          isRatio: false,
        },
      }),
    }),
    metric({
      ...ofFirstVaults,
      id: 'cdp.ratio',
      name: 'Collateral over debt',
      unit: 'ratio',
      definition:
        'Value of all collateral of the first vaults over their debt, at the project’s snapshot of a reward cycle.',
      why: 'How far STX can fall before USDA exceeds its backing.',
      how: 'STX and xSTX of all vaults times the close of STX on the day, over USDA owed.',
      misleads:
        'A mean over all vaults. Some are far closer to liquidation. The day’s close is not the price at the snapshot.',
      direction: 'up',
      sql: FIRST_VAULTS_RATIO,
    }),
    ...[
      ['cdp.vaults', 'Vaults', 'n', 'Vaults', 'How many depend on one price.'],
      [
        'cdp.owners',
        'Owners of vaults',
        'addresses',
        'Addresses that own a vault',
        'How many people use it.',
      ],
    ].map(([id = '', name = '', unit = '', what = '', why = '']) =>
      metric({
        ...ofFirstVaults,
        id,
        name,
        unit,
        definition: `${what} of the first generation, at the project’s snapshot of a reward cycle.`,
        why,
        how: 'Counted in the lists of vaults that the project published by cycle.',
        misleads: 'Includes empty vaults. The vaults since April 2024 have no such list.',
        direction: 'up',
        ...figuresSql({ metric: id, type: 'Int64', outside: [RECORDED] }),
      }),
    ),
    metric({
      ...ofPrints,
      id: 'cdp.liquidations',
      name: 'Vaults liquidated',
      unit: 'n',
      definition: 'Vaults that were liquidated on the UTC day, of both generations.',
      why: 'How often collateral was insufficient.',
      how: `Prints of a liquidation by the first vaults, and of the state ${LIQUIDATED} by the ${NEW_VAULTS}.`,
      misleads: 'A vault closed by redemption does not count.',
      aggregate: 'sum',
      direction: 'down',
      ...figuresSql({
        metric: 'cdp.liquidations',
        type: 'Int64',
        chain: perPrintDay(
          `SELECT toDate(block_time) AS day, '' AS key, count() AS value
    FROM stx_cdp_events
    WHERE protocol = '${ARKADIKO}' AND (kind = 'liquidate' OR status = ${LIQUIDATED})
    GROUP BY day`,
          [''],
        ),
      }),
    }),
  ]
}
