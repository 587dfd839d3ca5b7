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
const NEW_VAULTS = 'vaults since April 2024'

const ofReads = {
  ...fromReads,
  entities: [ARKADIKO],
  since: { day: '2021-10-19' },
  references: [referenceOf(ARKADIKO)],
} as const
const ofPrints = { ...fromPrints, entities: [ARKADIKO], references: [referenceOf(ARKADIKO)] } as const
const byToken = { breakdown: { name: 'collateral', values: KEYS }, headline: 'STX' } as const

const ratioOf = (id: string) => figuresSql({ metric: id, type: 'Float64', outside: [READS] })

/** Figures of debts against collateral: Arkadiko. */
export function cdpMetrics({ protocols }: Catalog): Metric[] {
  if (!protocols.some(({ slug }) => slug === ARKADIKO)) return []
  return [
    metric({
      ...ofReads,
      ...byToken,
      headline: SUM_OF_KEYS,
      id: 'cdp.debt',
      name: 'Debt of vaults',
      unit: 'USD',
      definition: 'USDA that all vaults of a collateral owe when the contract was asked, a USDA as a dollar.',
      why: 'What backs USDA has to cover it.',
      how: `Total debt that the contract of the ${NEW_VAULTS} answers, by collateral.`,
      misleads:
        'Stability fees that are not booked yet are left out, and so are the vaults before April 2024.',
      direction: 'neither',
      sql: dollarsAtPar('cdp.debt', [READS], '1e6'),
    }),
    metric({
      ...ofReads,
      ...byToken,
      id: 'cdp.debt_cap_used',
      name: 'Debt cap in use',
      unit: 'ratio',
      definition:
        'Debt of the vaults of a collateral over the most that they may owe, when the contract was asked.',
      why: 'Whether new vaults can be opened.',
      how: 'Total debt over max-debt, as the contracts answer.',
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
      misleads: 'Governance may change it, and vaults that were safe are not any more.',
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
      definition: `STX in the ${NEW_VAULTS} at the end of the UTC day.`,
      why: 'What stands behind USDA.',
      how: 'The newest state that each vault printed, summed; on days up to whose end everything since the contract was made is held.',
      misleads: 'Other collateral is left out, as are the vaults before April 2024.',
      aggregate: 'last',
      ...figuresSql({
        metric: 'cdp.collateral',
        type: 'Int64',
        chain: {
          ctes: [
            knownSince(madeAt(`'${DATA}'`), 'events'),
            totalsOf(
              'held',
              `SELECT toDate(block_time) AS day, '' AS key, toInt64(collateral) - before AS change
      FROM (
        SELECT
          block_time, assumeNotNull(e.collateral) AS collateral,
          lagInFrame(toInt64(assumeNotNull(e.collateral)), 1, 0) OVER (PARTITION BY e.owner ORDER BY e.height, e.event_index ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
        FROM stx_cdp_events AS e
        WHERE e.protocol = '${ARKADIKO}' AND e.version = 'v2' AND e.kind = 'set' AND endsWith(e.token, '.wstx-token')
      )`,
            ),
          ],
          select: stockOfKeys('held', [''], 'stacks.chain'),
          isRatio: false,
        },
      }),
    }),
    metric({
      ...ofPrints,
      id: 'cdp.liquidations',
      name: 'Vaults liquidated',
      unit: 'n',
      definition: 'Vaults that were liquidated on the UTC day, of both generations.',
      why: 'How often collateral did not hold.',
      how: `Prints of a liquidation by the first vaults, and of the state ${LIQUIDATED} by the ${NEW_VAULTS}.`,
      misleads: 'A vault that is closed by redemption is none.',
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
