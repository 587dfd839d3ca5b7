import {
  bool,
  bytes,
  date,
  f64,
  nullable,
  oneOf,
  table,
  text,
  time,
  u8,
  u32,
  u64,
  u128,
  u256,
} from '#kernel/table.ts'

/** What happens in a pool; `unread`: a print of a known exchange that no rule here reads; `set`: a term of the pool is another. */
export const DEX_EVENT_KINDS = ['swap', 'add', 'remove', 'create', 'unread', 'set'] as const
/** The side that comes in; empty where nothing is swapped. */
export const POOL_SIDES = ['', 'x', 'y'] as const
/** How a pool finds its price. */
export const POOL_CURVES = ['product', 'power', 'stable', 'bins'] as const

/** What a curve needs beside the amplification. */
const TERMS = {
  factor: nullable(
    u128(
      'factor of a pool of ALEX, in 10⁻⁸: of its creation, else of the call that went through it; null where neither says',
    ),
  ),
  midpointOver: nullable(u128('price at which a stable pool is balanced, numerator; null where it has none')),
  midpointUnder: nullable(u128('its denominator')),
} as const

export const stxDexEvents = table('stx_dex_events', {
  doc: 'One row per swap, and per liquidity added or removed, in a pool of an exchange on Stacks that the catalog reads, as its print and the transfers before it tell.',
  columns: {
    run: u64(
      'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
    ),
    bucket: date('UTC day, by block time'),
    protocol: text('exchange: slug of the catalog'),
    source: text('generation of its contracts, in the catalog’s word'),
    contract: text('contract that printed it'),
    pool: text('pool: its contract, or `contract#number` where one contract has many'),
    curve: oneOf(POOL_CURVES, 'how the pool finds its price'),
    kind: oneOf(
      DEX_EVENT_KINDS,
      'what happened; `unread`: a print that no rule reads; `set`: nothing moved, a term of the pool is another',
    ),
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
    ...TERMS,
    binPrice: nullable(
      u128('price of the bin of a concentrated pool, base units of y for one of x, in 10⁻⁸'),
    ),
    minted: nullable(u128('shares made; null where the print does not say')),
    burned: nullable(u128('shares destroyed; null likewise')),
  },
  orderBy: ['bucket', 'protocol', 'pool', 'height', 'event_index'],
})

export const stxDexPoolDays = table('stx_dex_pool_days', {
  doc: 'One row per UTC day and pool of an exchange on Stacks in which something happened: what was swapped, what it earned, and how the pool stood at the end.',
  columns: {
    run: u64(
      'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
    ),
    bucket: date('UTC day, by block time'),
    protocol: text('exchange: slug of the catalog'),
    pool: text('pool: its contract, or `contract#number` where one contract has many'),
    source: text('generation of its contracts, in the catalog’s word'),
    curve: oneOf(POOL_CURVES, 'how the pool finds its price'),
    tokenX: text('token of side x; empty where nothing of the day tells'),
    tokenY: text('token of side y; empty likewise'),
    swapCount: u32('swaps that count'),
    unreadCount: u32('prints of the pool that no rule reads, or that do not fit together'),
    traderCount: u32('distinct traders of the day'),
    swappedX: u128('what swaps moved on side x, in and out, base units'),
    swappedY: u128('what swaps moved on side y, in and out, base units'),
    routedX: u128('of side x, by swaps that begin a route'),
    routedY: u128('of side y, by swaps that begin a route'),
    lpFeeX: u128('fees taken in token x that stay with liquidity providers, base units'),
    lpFeeY: u128('fees taken in token y that stay with liquidity providers'),
    protocolFeeX: u128('fees taken in token x that the exchange keeps'),
    protocolFeeY: u128('fees taken in token y that the exchange keeps'),
    cameX: u128(
      'what came into the pool on side x: paid in, swapped in, less the exchange’s part; base units',
    ),
    leftX: u128('what left the pool on side x'),
    cameY: u128('what came into the pool on side y'),
    leftY: u128('what left the pool on side y'),
    isCreated: bool('the pool was created on the day'),
    reserveX: nullable(u128('reserve of side x after the last event that tells it; null where none does')),
    reserveY: nullable(u128('reserve of side y likewise')),
    reserveDecimals: nullable(
      u8('reserves count in this many decimals of a whole token; null: in base units'),
    ),
    shares: nullable(u128('shares of the pool after the last event that tells them')),
    amplification: nullable(u128('amplification of a stable pool, as last told')),
    price: nullable(
      f64(
        'base units of y for one of x: median over the hours of the day of the price at the hour’s last event; null without one',
      ),
    ),
    ...TERMS,
    minted: u128('shares made, where prints say how many'),
    burned: u128('shares destroyed'),
  },
  orderBy: ['bucket', 'protocol', 'pool'],
})

export const stxDexBinDays = table('stx_dex_bin_days', {
  doc: 'One row per UTC day and bin of a concentrated pool on Stacks of which a print of the day tells: how it stood at the end.',
  columns: {
    run: u64(
      'the refresh that computed the row; rows of a run that is not the newest valid one do not exist for readers',
    ),
    bucket: date('UTC day, by block time'),
    protocol: text('exchange: slug of the catalog'),
    pool: text('pool: its contract'),
    bin: u32('number of the bin, unsigned: prices rise with it'),
    x: u128('what lies in it on side x, base units'),
    y: u128('what lies in it on side y'),
    shares: nullable(u128('its shares, as last told; null where no print of the day says')),
    price: nullable(u128('base units of y for one of x, in 10⁻⁸; null likewise')),
    step: nullable(u128('basis points between two bins of the pool; null likewise')),
    activeBin: nullable(u32('active bin of the pool after the last print of this bin that says it')),
    activeHeight: u32('block height of that print; 0 without one'),
    activeIndex: u32('its position in the block'),
  },
  orderBy: ['bucket', 'protocol', 'pool', 'bin'],
})

/** What is written down anew where it has changed: a row of a newer run takes the place of an older one, also by saying that there is none. */
const restated = {
  run: u64('the refresh that wrote the row'),
  isHeld: bool('false: it was so, and is no more'),
  day: date('UTC day'),
}
const pool = text('pool: its contract, or `contract#number` where one contract has many')

export const stxPoolReserves = table('stx_pool_reserves', {
  doc: 'One row per pool and UTC day on which something happened in it: how it stood at the end, in base units of its tokens.',
  columns: {
    ...restated,
    pool,
    protocol: text('exchange: slug of the catalog'),
    curve: oneOf(POOL_CURVES, 'how the pool finds its price'),
    tokenX: text('token of side x'),
    tokenY: text('token of side y'),
    reserveX: nullable(
      u256(
        'reserve of side x: as printed, else all that came less all that left since it was created; null where neither is known',
      ),
    ),
    reserveY: nullable(u256('reserve of side y likewise')),
    price: nullable(f64('base units of y for one of x; null on a day that does not tell')),
    shares: nullable(u128('shares of the pool; null where no print tells them')),
    amplification: nullable(u128('amplification of a stable pool, as last told')),
    ...TERMS,
  },
  orderBy: ['day', 'pool'],
  engine: 'ReplacingMergeTree(run)',
})

export const stxTokenPrices = table('stx_token_prices', {
  doc: 'One row per UTC day and token on Stacks that pools or publishers price: by pools whose other side holds enough of a token that has a price.',
  columns: {
    ...restated,
    token: text('contract of the token; `STX`'),
    usd: f64('US dollars for one base unit'),
    decimals: nullable(
      u8('decimals of a whole token, of the catalog, else in the token’s own word; null where nobody says'),
    ),
    liquidityUsd: f64('value of the other side of the pool that gave the price; of an anchor 0'),
    pool: text('pool that gave the price; of an anchor empty'),
    steps: u8('pools between the token and an anchor: 0 for an anchor, 1 or 2'),
  },
  orderBy: ['day', 'token'],
  engine: 'ReplacingMergeTree(run)',
})

export const stxPoolValues = table('stx_pool_values', {
  doc: 'One row per UTC day and pool of an exchange on Stacks, from its first event that is held: what was swapped, earned and held, in US dollars of the day.',
  columns: {
    ...restated,
    protocol: text('exchange: slug of the catalog'),
    pool,
    curve: oneOf(POOL_CURVES, 'how the pool finds its price'),
    tokenX: text('token of side x'),
    tokenY: text('token of side y'),
    swapCount: u32('swaps'),
    unreadCount: u32('prints of the pool that no rule reads'),
    traderCount: u32('distinct traders'),
    volumeUsd: nullable(f64('value of one side of each swap; null where neither token has a price')),
    routedUsd: nullable(f64('the same of swaps that begin a route')),
    lpFeeUsd: nullable(f64('fees that stay with liquidity providers')),
    protocolFeeUsd: nullable(f64('fees that the exchange takes')),
    reserveX: nullable(f64('reserve of side x, whole tokens; base units where nobody says the decimals')),
    reserveY: nullable(f64('reserve of side y likewise')),
    valueX: nullable(f64('value of the reserve of side x; null where the token has no price')),
    valueY: nullable(f64('value of the reserve of side y')),
    tvlUsd: nullable(
      f64(
        'value of both; where one side alone has a price of its own, twice that of a constant-product pool',
      ),
    ),
    price: nullable(f64('base units of y for one of x, as last known')),
    shares: nullable(u128('shares of the pool, as last known')),
    amplification: nullable(u128('amplification of a stable pool, as last told')),
  },
  orderBy: ['day', 'protocol', 'pool'],
  engine: 'ReplacingMergeTree(run)',
})

export const stxPoolDepths = table('stx_pool_depths', {
  doc: 'One row per UTC day and pool on Stacks whose curve is known: what moves its price by one and two percent at the end of the day, and what the move of the price over 30 days costs those who provide.',
  columns: {
    ...restated,
    protocol: text('exchange: slug of the catalog'),
    pool,
    in1X: u256('what, swapped in on side x, lets its price fall by 1 %, fee left out; base units'),
    in1Y: u256('the same of side y'),
    in2X: u256('what, swapped in on side x, lets its price fall by 2 %'),
    in2Y: u256('the same of side y'),
    depth1Usd: nullable(f64('value of the first two: their mean, or the one that has a price')),
    depth2Usd: nullable(f64('value of those of 2 % likewise')),
    loss30: nullable(
      f64(
        'what the pool’s curve makes of the move of the price over 30 days, against keeping its tokens; null where a day or a price is missing',
      ),
    ),
    against30: nullable(
      f64(
        'value of the shares of 30 days before ÷ what they stood for then, at the prices of the day, less one; null likewise',
      ),
    ),
  },
  orderBy: ['day', 'protocol', 'pool'],
  engine: 'ReplacingMergeTree(run)',
})

export const STX_DEX_TABLES = [stxPoolReserves, stxTokenPrices, stxPoolValues, stxPoolDepths] as const
