import { APP_TABLES, type AppEvents, type StacksApp } from '#catalog/index.ts'
import { isLiveSql } from '../batchFamily.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { STACKS } from '../families.ts'
import { sqlString } from '../types.ts'
import { type View, view } from '../view.ts'
import { PRINT_PLACE } from './prints.ts'

type Table = (typeof APP_TABLES)[number]
type Column = { readonly type: 'number' | 'text'; readonly doc: string }
const number = (doc: string): Column => ({ type: 'number', doc })
const text = (doc: string): Column => ({ type: 'text', doc })

const ACCOUNT = text('whose it is; empty where the print does not say: then the sender of the transaction')

/** Columns that a declaration may fill, by table; those that a print does not have are null or empty. */
const COLUMNS: Readonly<
  Record<Table, { readonly doc: string; readonly columns: Readonly<Record<string, Column>> }>
> = {
  lend: {
    doc: 'One row per supply, withdrawal, loan, repayment, change of collateral, liquidation or loss of a lender on Stacks, from what its contracts print.',
    columns: {
      account: ACCOUNT,
      counterparty: text('who paid for it, got it or liquidated, where that is told'),
      asset: text('contract of what is supplied or lent; of a liquidation the debt'),
      amount: number('base units of the asset; of a liquidation by Zest v1 what it was asked to repay'),
      shares: number('shares of the supply or of the debt that it made or ended'),
      debt_shares: number('shares of debt that the account has afterwards, where the print says so'),
      asset_id: number('number of the asset in the registry of the contracts; null where prints name it'),
      collateral_asset: text('contract of the collateral; empty where there is none'),
      collateral_amount: number('base units of the collateral that came, went or was seized'),
      collateral_balance: number('collateral of the account afterwards, where the print says so'),
    },
  },
  cdp: {
    doc: 'One row per change of a vault of a collateralized debt on Stacks, with its state afterwards, from what its contracts print.',
    columns: {
      vault: number('number of the vault; null where a vault is told by owner and token'),
      owner: text('whose vault'),
      token: text('collateral: its contract, of the first vaults its symbol'),
      collateral: number('base units of the collateral afterwards'),
      debt: number('micro-USDA owed afterwards, without fees that are not booked yet'),
      status: number('101 active, 201 closed by liquidation, 202 by redemption; null for the first vaults'),
    },
  },
  lst: {
    doc: 'One row per deposit, request, withdrawal, reward or new exchange rate of liquid staking on Stacks, from what its contracts print.',
    columns: {
      account: ACCOUNT,
      amount: number('micro-STX; of `reward_sbtc` satoshis of sBTC; of `rate` the STX behind all shares'),
      shares: number('staked tokens for it, base units; of `rate` all shares'),
      request: number('number of the request, where it has one'),
      cycle: number('reward cycle that a reward is of'),
    },
  },
  vault: {
    doc: 'One row per stake, claim, mint, redemption or new share price of a yield-bearing dollar or bitcoin on Stacks, from what its contracts print.',
    columns: {
      account: ACCOUNT,
      amount: number(
        'base units of the coin that came, went or waits; of `rate` all that is held where told',
      ),
      shares: number('shares for it, base units'),
      rate: number('coins per share, 1e8ths'),
      request: number('number of the claim or request, where it has one'),
    },
  },
}

type Group = AppEvents & { readonly protocol: string }
const list = (texts: readonly string[]): string => texts.map(sqlString).join(', ')
const tuples = (rows: readonly (readonly string[])[]): string => rows.map(row => `(${list(row)})`).join(', ')

/** SQL: the value of the field that a declaration puts into a column, of the print at hand. */
function columnSql(groups: readonly Group[], column: string, { type }: Column): string {
  const fields = groups.flatMap(({ contracts, kinds, assets }) =>
    kinds.flatMap(({ event, fields }) => {
      const path = fields[column]
      return path === undefined || (column === 'asset' && assets)
        ? []
        : contracts.map(contract => [contract, event, path])
    }),
  )
  const none = type === 'number' ? 'CAST(NULL AS Nullable(UInt128))' : "''"
  if (fields.length === 0) return none
  const value = type === 'number' ? 'f.uint_value' : 'f.text_value'
  const found = `anyIf(${value}, (f.contract, f.event, f.path) IN (${tuples(fields)}))`
  const given = groups.flatMap(({ assets = {} }) => Object.entries(assets))
  if (column !== 'asset' || given.length === 0) return found
  return `transform(f.contract, [${list(given.map(([contract]) => contract))}], [${list(given.map(([, asset]) => asset))}], ${found})`
}

/** SQL: what a print is: a kind, `unknown` where it is not of the shape that is declared, empty where it is of no interest. */
function kindSql(groups: readonly Group[], columns: Readonly<Record<string, Column>>): string {
  const cases = groups.flatMap(({ contracts, kinds, others = [] }) => {
    const of = `f.contract IN (${list(contracts)})`
    const named = kinds.map(({ event, kind, has, fields }) => {
      const told = Object.entries(fields).map(([column, path]) => {
        const value = columns[column]?.type === 'number' ? 'isNotNull(f.uint_value)' : "f.text_value != ''"
        return `countIf(f.path = ${sqlString(path)} AND ${value}) = 1`
      })
      const where = has === undefined ? '' : ` AND countIf(f.path = ${sqlString(has)}) > 0`
      return `${of} AND f.event = ${sqlString(event)}${where}, if(${told.join(' AND ')}, ${sqlString(kind)}, 'unknown')`
    })
    return [...named, `${of} AND f.event IN (${list(['', ...others])}), ''`]
  })
  return `multiIf(\n    ${cases.join(',\n    ')},\n    'unknown'\n  )`
}

/** Names of a group as SQL by contract: `transform` of the contract. */
const byContract = (groups: readonly Group[], value: (group: Group) => string): string => {
  const pairs = groups.flatMap(group => group.contracts.map(contract => [contract, value(group)] as const))
  return `transform(f.contract, [${list(pairs.map(([contract]) => contract))}], [${list(pairs.map(([, name]) => name))}], '')`
}

/**
 * What applications print as typed tables, driven by `catalog/stacks/apps`: one pass over the fields of their contracts. A
 * print that has no longer the shape which is declared is a row of the kind `unknown`, without figures.
 */
function appView(table: Table, all: readonly Group[]): View {
  const groups = all.filter(group => group.table === table)
  const { doc, columns } = COLUMNS[table]
  const names = Object.keys(columns)
  return view(`stx_${table}_events`, {
    doc,
    columns: {
      protocol: 'application, as its file in the catalog is named',
      version: 'which generation of its contracts',
      product: 'what it is about, where an application has several; empty otherwise',
      kind: 'what happened; `unknown`: a print of a shape that is not declared, counted and without figures',
      ...PRINT_PLACE,
      ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.doc])),
    },
    types: {
      protocol: 'String',
      version: 'String',
      product: 'String',
      kind: 'String',
      contract: 'String',
      event: 'String',
      height: 'UInt32',
      block_time: "DateTime('UTC')",
      event_index: 'UInt32',
      txid: 'FixedString(32)',
      ...Object.fromEntries(
        Object.entries(columns).map(([name, { type }]) => [
          name,
          type === 'number' ? 'Nullable(UInt128)' : 'String',
        ]),
      ),
    },
    sql:
      groups.length === 0
        ? emptySql(columns)
        : `SELECT
  protocol, version, product, kind, contract, event, height, block_time, event_index, txid,
  ${names.map(name => (columns[name]?.type === 'number' ? `if(kind = 'unknown', NULL, ${name}_found) AS ${name}` : `if(kind = 'unknown', '', ${name}_found) AS ${name}`)).join(',\n  ')}
FROM (
  SELECT
    ${byContract(groups, ({ protocol }) => protocol)} AS protocol,
    ${byContract(groups, ({ version }) => version)} AS version,
    ${byContract(groups, ({ product = '' }) => product)} AS product,
    ${kindSql(groups, columns)} AS kind,
    f.contract AS contract, f.event AS event, f.height AS height, any(f.block_time) AS block_time,
    f.event_index AS event_index, any(f.txid) AS txid,
    ${Object.entries(columns)
      .map(([name, column]) => `${columnSql(groups, name, column)} AS ${name}_found`)
      .join(',\n    ')}
  FROM ${BASE_DATABASE}.stx_print_fields AS f
  WHERE ${isLiveSql(STACKS, 'f')}
    AND f.contract IN (${list([...new Set(groups.flatMap(({ contracts }) => contracts))])})
  GROUP BY f.contract, f.event, f.height, f.event_index
)
WHERE kind != ''`,
  })
}

/** The view of a table that no application prints anything for. */
const emptySql = (columns: Readonly<Record<string, Column>>): string => `SELECT
  '' AS protocol, '' AS version, '' AS product, '' AS kind, contract, event, height, block_time, event_index, txid,
  ${Object.entries(columns)
    .map(([name, { type }]) => `${type === 'number' ? 'CAST(NULL AS Nullable(UInt128))' : "''"} AS ${name}`)
    .join(', ')}
FROM ${BASE_DATABASE}.stx_print_fields
WHERE false`

/** Views of what these applications print. */
export function appViews(apps: readonly StacksApp[]): View[] {
  const groups = apps.flatMap(({ protocol, events }) => events.map(group => ({ ...group, protocol })))
  return APP_TABLES.map(table => appView(table, groups))
}
