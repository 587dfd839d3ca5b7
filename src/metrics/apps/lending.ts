import type { Catalog, StacksApp } from '#catalog/index.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { appsWith, fromPrints, fromReads, perPrintDay, READS, referenceOf } from './common.ts'
import { CLOSES, coinsOfAssets, DOLLARS, dollarsByMarket, grownBy, keptInterest, PRICED } from './dollars.ts'

const FLOWS = ['supply', 'withdraw', 'borrow', 'repay', 'liquidate']

/** Applications whose own interface says the same of their markets, in the order of trust after the contracts. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { granite: ['granite.api'] }

const read = (id: string, sources: readonly string[] = [READS]) => ({
  sources,
  ...figuresSql({ metric: id, type: 'Float64', outside: sources }),
})
const AT_PAR =
  'Stablecoin dollars count as dollars and sBTC as bitcoin. Markets without a coin price are excluded.'

/** Events in dollars of their day, by kind. */
const flowsOf = (
  protocol: string,
  kinds: readonly string[],
): string => `SELECT n.day AS day, n.key AS key, sum(n.coins * ${DOLLARS}) AS value
    FROM (
      SELECT toDate(e.block_time) AS day, e.kind AS key, toFloat64(e.amount) / a.scale AS coins, a.closes AS closes
      FROM stx_lend_events AS e
      INNER JOIN assets AS a ON a.asset = e.asset
      WHERE e.protocol = '${protocol}' AND e.kind IN (${kinds.map(kind => `'${kind}'`).join(', ')})
    ) AS n
    ${PRICED}
    GROUP BY day, key`

/** Figures of lenders on Stacks: from answers of their contracts, and from what these print. */
export const lendingMetrics = (catalog: Catalog): Metric[] => appsWith(catalog, 'lend').flatMap(metricsOf)

function metricsOf(app: StacksApp): Metric[] {
  const { protocol, markets } = app
  const ids = markets.map(({ id }) => id)
  const both = [READS, ...(BESIDE[protocol] ?? [])]
  const main = markets.find(({ isMain }) => isMain)?.id ?? ids[0] ?? ''
  const ofReads = {
    ...fromReads,
    entities: [protocol],
    since: { day: '2024-02-23' },
    references: [referenceOf(protocol)],
  } as const
  const byMarket = { ...ofReads, breakdown: { name: 'market', values: ids }, headline: main } as const
  const ofPrints = { ...fromPrints, entities: [protocol], references: [referenceOf(protocol)] } as const
  return [
    metric({
      ...byMarket,
      id: 'lend.supplied',
      name: 'Supplied',
      unit: 'USD',
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars supplied to each market, lent out or not, when its contract was polled.',
      why: 'What there is to borrow, and what is at stake.',
      how: 'Total assets that the contract answers, of Zest v1 cash of its vault and variable debt, times the close of the coin.',
      misleads: `${AT_PAR} Interest since the last activity in a market can be missing.`,
      direction: 'up',
      sources: both,
      ...dollarsByMarket([app], 'lend.supplied', both),
    }),
    metric({
      ...byMarket,
      id: 'lend.borrowed',
      name: 'Borrowed',
      unit: 'USD',
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars owed by borrowers in each market when its contract was polled.',
      why: 'The demand that pays lenders.',
      how: 'Debt that the contract answers, times the close of the coin.',
      misleads: `${AT_PAR} A coin that is lent, supplied again and lent again counts each time.`,
      direction: 'up',
      sources: both,
      ...dollarsByMarket([app], 'lend.borrowed', both),
    }),
    metric({
      ...byMarket,
      id: 'lend.utilisation',
      name: 'Utilization',
      unit: 'ratio',
      definition: 'Debt over debt and cash of each market when its contract was polled.',
      why: 'It sets the rate; near 100 % lenders cannot get out.',
      how: 'As the contract computes it; of Granite open interest over total assets.',
      misleads: 'It moves within a day. One number for the application is that of its main market.',
      direction: 'neither',
      ...read('lend.utilisation', both),
    }),
    metric({
      ...byMarket,
      id: 'lend.borrow_apr',
      name: 'Borrow rate',
      unit: 'ratio',
      definition:
        'Annual rate that borrowers in each market pay at the utilization when its contract was polled.',
      why: 'What a loan costs.',
      how: 'As the contract answers; of Granite its kinked curve, base + slope 1 up to the kink + slope 2 beyond it, from its own parameters.',
      misleads: 'It is of the moment and not compounded; rewards are left out.',
      direction: 'neither',
      ...read('lend.borrow_apr'),
    }),
    metric({
      ...byMarket,
      id: 'lend.supply_apr',
      name: 'Supply rate, as promised',
      unit: 'ratio',
      definition:
        'Annual rate offered to lenders in each market at the utilization when its contract was polled.',
      why: 'What a deposit earns if nothing changes. See lend.realised_apy for actual returns.',
      how: 'Borrow rate × utilization × (1 − share of the protocol).',
      misleads: 'Rewards are left out, and so is what bad debt takes.',
      direction: 'up',
      ...read('lend.supply_apr'),
    }),
    metric({
      ...byMarket,
      id: 'lend.realised_apy',
      name: 'Supply yield, as it was',
      unit: 'ratio',
      definition: 'How a share of each market grew over the 30 days before, as an annual yield.',
      why: 'What lenders really got, beside what the rate promised.',
      how: '(Share price ÷ share price 30 days before) ^ (365 ÷ days) − 1, of the prices that the contracts answered; an older price may be up to a week older.',
      misleads: 'It needs 30 days of answers. Rewards paid outside the share are left out.',
      direction: 'up',
      sql: grownBy('lend.share_price', 30),
    }),
    metric({
      ...byMarket,
      id: 'revenue.apps',
      name: 'Interest kept by the application',
      unit: 'USD',
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars of the interest of a day that goes to the application’s reserve and not to lenders, by market.',
      why: 'Whether the application can live from what it does.',
      how: '(Borrowed × borrow rate − supplied × supply rate) ÷ 365, from the contracts’ last values of the day. DefiLlama’s figure is shown for comparison and can include fees other than interest.',
      misleads: `Uses the rates of one moment for the whole day. Excludes fees of liquidations and flash loans. ${AT_PAR}`,
      direction: 'up',
      aggregate: 'sum',
      sql: keptInterest([app], READS),
      besideSql: figuresSql({ metric: 'revenue.apps', type: 'Float64', outside: ['defillama.fees'] })
        .besideSql,
      sources: [READS, 'defillama.fees'],
    }),
    metric({
      ...ofReads,
      id: 'lend.caps',
      name: 'Caps in use',
      unit: 'ratio',
      breakdown: { name: 'cap', values: ids.flatMap(id => [`${id} supply`, `${id} borrow`]) },
      headline: `${main} supply`,
      definition: 'Supplied or borrowed amount over the protocol’s cap for it, when the contract was polled.',
      why: 'How much more a market takes.',
      how: 'Total assets ÷ supply cap and debt ÷ debt cap, from the contracts. A cap of zero means no cap.',
      misleads: 'Caps are changed by governance from one day to the next.',
      direction: 'neither',
      ...read('lend.caps', both),
    }),
    metric({
      ...ofPrints,
      id: 'lend.flows',
      name: 'Supplied, withdrawn, borrowed, repaid',
      unit: 'USD',
      breakdown: { name: 'kind', values: FLOWS },
      headline: 'borrow',
      definition:
        'Value in US dollars of what was supplied, withdrawn, borrowed, repaid or liquidated on the UTC day.',
      why: 'Who comes and who leaves, in the order in which it happens.',
      how: 'Sum of the amounts that the contracts print, times the close of the coin.',
      misleads: `${AT_PAR} A liquidation of Zest v1 prints the requested repayment, which can exceed the amount taken.`,
      aggregate: 'sum',
      ...figuresSql({
        metric: 'lend.flows',
        type: 'Float64',
        chain: perPrintDay(flowsOf(protocol, FLOWS), FLOWS, [coinsOfAssets([app]), CLOSES]),
      }),
    }),
    metric({
      ...ofPrints,
      id: 'lend.liquidations',
      name: 'Liquidations',
      unit: 'n',
      definition: 'Liquidations of loans on the UTC day.',
      why: 'How often collateral did not hold.',
      how: 'Prints of liquidations in blocks of the day.',
      misleads: 'A loan can be liquidated in several steps, and each counts.',
      aggregate: 'sum',
      direction: 'down',
      ...figuresSql({
        metric: 'lend.liquidations',
        type: 'Int64',
        chain: perPrintDay(
          `SELECT toDate(block_time) AS day, '' AS key, count() AS value
    FROM stx_lend_events
    WHERE protocol = '${protocol}' AND kind = 'liquidate'
    GROUP BY day`,
          [''],
        ),
      }),
    }),
    metric({
      ...ofPrints,
      id: 'lend.bad_debt',
      name: 'Bad debt shared out',
      unit: 'USD',
      definition: 'Value in US dollars of bad debt that lenders lost on the UTC day.',
      why: 'The loss behind a yield.',
      how: 'Sum of what the contracts print as socialized, times the close of the coin.',
      misleads: `Zest v1 prints no such loss. ${AT_PAR}`,
      aggregate: 'sum',
      direction: 'down',
      ...figuresSql({
        metric: 'lend.bad_debt',
        type: 'Float64',
        chain: perPrintDay(
          flowsOf(protocol, ['bad_debt']).replace('e.kind AS key', "'' AS key"),
          [''],
          [coinsOfAssets([app]), CLOSES],
        ),
      }),
    }),
  ]
}
