import type { CatalogDexTokens } from '#catalog/index.ts'
import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { STX_DEX_TABLES } from '../tables/stacksDex.ts'
import { sqlString } from '../types.ts'
import { commentsOf, type View, view } from '../view.ts'

/** The public face of a table that is written down anew where it changes. */
function restatedView(table: Table): View {
  const { run: _, isHeld: __, ...columns } = table.columns
  return view(table.name, {
    doc: table.doc,
    columns: commentsOf(columns),
    sql: `SELECT ${Object.keys(columns).map(snake).join(', ')}
FROM ${BASE_DATABASE}.${table.name} FINAL
WHERE is_held`,
  })
}

const tokensView = (listed: CatalogDexTokens['tokens']): View =>
  view('stx_dex_tokens', {
    doc: 'One row per token on Stacks whose symbol or decimals are known: of the catalog first, else in the token’s own word.',
    columns: {
      token: 'contract of the token; `STX`',
      symbol: 'its symbol; anyone may call a token as they like',
      decimals: 'decimals of a whole token; null where nobody says',
      is_listed: 'of the catalog, from the source of its contract',
    },
    sql: `SELECT token, argMax(k.symbol, k.listed) AS symbol, argMax(tuple(k.decimals), k.listed).1 AS decimals, max(k.listed) AS is_listed
FROM (
  ${
    listed.length === 0
      ? ''
      : `SELECT row.1 AS token, row.2 AS symbol, CAST(row.3 AS Nullable(UInt8)) AS decimals, true AS listed
  FROM (
    SELECT arrayJoin([${listed
      .map(({ token, symbol, decimals }) => `(${sqlString(token)}, ${sqlString(symbol)}, ${decimals})`)
      .join(', ')}]) AS row
  )
  UNION ALL
  `
  }SELECT contract, ifNull(symbol, ''), CAST(decimals AS Nullable(UInt8)), false
  FROM stx_tokens
) AS k
GROUP BY token`,
  })

const swaps = view('stx_dex_swaps', {
  doc: 'One row per swap in a pool of an exchange on Stacks that the catalog reads: a route through three pools has three.',
  columns: {
    protocol: 'exchange: slug of the catalog',
    pool: 'pool: its contract, or `contract#number` where one contract has many',
    height: 'block height',
    block_time: 'time of the block, UTC',
    event_index: 'position of the print in its block',
    txid: 'txid',
    trader: 'who swapped, as the contract says; else who paid in',
    token_in: 'token that came in: its contract; `STX`',
    token_out: 'token that went out',
    amount_in: 'what came in, base units, fees in',
    amount_out: 'what went out, base units',
    lp_fee: 'part of what came in that stays with liquidity providers',
    protocol_fee: 'part of what came in that the exchange takes',
    hop: 'position among the swaps of its transaction, from 1',
    is_route_start: 'it does not swap on what the swap before it gave',
  },
  sql: `SELECT
  protocol, pool, height, block_time, event_index, txid, trader,
  if(side = 'x', token_x, token_y) AS token_in, if(side = 'x', token_y, token_x) AS token_out,
  assumeNotNull(if(side = 'x', amount_x, amount_y)) AS amount_in,
  assumeNotNull(if(side = 'x', amount_y, amount_x)) AS amount_out,
  assumeNotNull(lp_fee) AS lp_fee, assumeNotNull(protocol_fee) AS protocol_fee, hop, is_route_start
FROM stx_dex_events
WHERE kind = 'swap' AND is_read`,
})

const liquidity = view('stx_dex_liquidity', {
  doc: 'One row per time that liquidity was added to or taken from a pool of an exchange on Stacks.',
  columns: {
    protocol: 'exchange: slug of the catalog',
    pool: 'pool: its contract, or `contract#number` where one contract has many',
    kind: '`add`, `remove`, or `create`',
    height: 'block height',
    block_time: 'time of the block, UTC',
    event_index: 'position of the print in its block',
    txid: 'txid',
    provider: 'who did, as the contract says; else who paid in; empty where neither tells',
    token_x: 'token of side x',
    token_y: 'token of side y',
    amount_x: 'moved on side x, base units',
    amount_y: 'moved on side y, base units',
  },
  sql: `SELECT
  protocol, pool, kind, height, block_time, event_index, txid, trader AS provider, token_x, token_y, amount_x, amount_y
FROM stx_dex_events
WHERE kind IN ('add', 'remove', 'create') AND is_read`,
})

/**
 * Swaps, liquidity, pools and prices of exchanges on Stacks, with the tokens that the catalogue lists. They rest on rollups,
 * so these come after them.
 */
export const dexViews = (listed: CatalogDexTokens['tokens']): readonly View[] => [
  tokensView(listed),
  swaps,
  liquidity,
  ...STX_DEX_TABLES.map(restatedView),
]
