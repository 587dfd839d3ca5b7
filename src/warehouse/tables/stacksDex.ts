import { bool, bytes, date, nullable, oneOf, table, text, time, u8, u32, u64, u128 } from '#kernel/table.ts'

/** What happens in a pool; `unread`: a print of a known exchange that no rule here reads. */
export const DEX_EVENT_KINDS = ['swap', 'add', 'remove', 'create', 'unread'] as const
/** The side that comes in; empty where nothing is swapped. */
export const POOL_SIDES = ['', 'x', 'y'] as const
/** How a pool finds its price. */
export const POOL_CURVES = ['product', 'power', 'stable', 'bins'] as const

export const stxDexEvents = table('stx_dex_events', {
  doc: 'One row per swap, and per liquidity added or removed, in a pool of an exchange on Stacks that the catalogue reads, as its print and the transfers before it tell.',
  columns: {
    run: u64(
      'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
    ),
    bucket: date('UTC day, by block time'),
    protocol: text('exchange: slug of the catalogue'),
    source: text('generation of its contracts, in the catalogue’s word'),
    contract: text('contract that printed it'),
    pool: text('pool: its contract, or `contract#number` where one contract has many'),
    curve: oneOf(POOL_CURVES, 'how the pool finds its price'),
    kind: oneOf(DEX_EVENT_KINDS, 'what happened; `unread`: a print that no rule reads'),
    isRead: bool('all that the figures need was there and fits together; false: counted, and in no figure'),
    height: u32('block height'),
    blockTime: time('time of the block, UTC'),
    eventIndex: u32('position of the print in its block'),
    txid: bytes(32, 'txid'),
    trader: text('who swapped, as the contract says; else who paid in'),
    side: oneOf(POOL_SIDES, 'side that came in; empty where nothing was swapped'),
    tokenX: text('token of side x: its contract, `STX`; wrappers of STX are STX; empty where not known'),
    tokenY: text('token of side y'),
    amountX: nullable(u128('what moved on side x, base units of the token, fees in')),
    amountY: nullable(u128('what moved on side y, base units of the token, fees in')),
    lpFee: nullable(
      u128('part of what came in that stays with liquidity providers, base units; null where not known'),
    ),
    protocolFee: nullable(
      u128('part of what came in that the exchange takes, base units; null where not known'),
    ),
    reserveX: nullable(u128('reserve of side x after it; null where the print does not say')),
    reserveY: nullable(u128('reserve of side y after it; null likewise')),
    reserveDecimals: nullable(
      u8('reserves count in this many decimals of a whole token; null: in base units of the token'),
    ),
    shares: nullable(u128('shares of the pool after it; null where the print does not say')),
    amplification: nullable(u128('amplification of a stable pool; null where the print does not say')),
    hop: u32('position among the swaps of its transaction, from 1; 0 where it is none'),
    isRouteStart: bool('it does not swap on what the swap before it in the transaction gave'),
  },
  orderBy: ['bucket', 'protocol', 'pool', 'height', 'event_index'],
})
