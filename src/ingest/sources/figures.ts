import type { Catalog } from '#catalog/index.ts'

type Kind = 'layer' | 'token' | 'protocol' | 'treasury' | 'pool' | 'bitcoin'

/** What may be said of whom, and how it is kept. */
export type FigureRule = {
  readonly of: readonly Kind[]
  /** `amount` for whole numbers, `value` for USD, prices, ratios, grades. */
  readonly kept: 'amount' | 'value'
  /**
   * Least figure whose hundredfold is strange: below it a small thing may well grow or vanish in a day. Undefined where a
   * step of any size is in the nature of the figure.
   */
  readonly jumpFrom?: number
}

const MILLION = 1_000_000
const usd = (...of: Kind[]): FigureRule => ({ of, kept: 'value', jumpFrom: 10 * MILLION })
const COIN = 100_000_000

/** The figures that publishers who are asked again and again may give. One of any other name is refused. */
export const FIGURES: Readonly<Record<string, FigureRule>> = {
  'tvl.total': usd('layer', 'protocol'),
  'tvl.by_protocol': { of: ['layer'], kept: 'value' },
  'tvl.parts': { of: ['layer'], kept: 'value' },
  'stables.cap': usd('layer'),
  'stables.by_token': { of: ['layer'], kept: 'value' },
  'dex.volume': usd('layer', 'protocol'),
  'dex.liquidity': usd('protocol'),
  'dex.volume_24h': usd('protocol'),
  'dex.fees_24h': { of: ['protocol'], kept: 'value', jumpFrom: MILLION },
  'dex.bins_liquidity': usd('protocol'),
  'dex.bins_volume_24h': usd('protocol'),
  'dex.bins_fees_24h': { of: ['protocol'], kept: 'value', jumpFrom: MILLION },
  'dex.by_protocol': { of: ['layer'], kept: 'value' },
  'fees.chain_usd': { of: ['layer'], kept: 'value', jumpFrom: MILLION },
  'revenue.chain': { of: ['layer'], kept: 'value', jumpFrom: MILLION },
  'revenue.apps': { of: ['layer', 'protocol'], kept: 'value', jumpFrom: MILLION },
  'revenue.holders': { of: ['layer'], kept: 'value', jumpFrom: MILLION },
  'btc.bridged': { of: ['layer'], kept: 'amount', jumpFrom: 100 * COIN },
  'btc.by_token': { of: ['layer'], kept: 'amount' },
  'btc.held': { of: ['treasury'], kept: 'amount' },
  'tvs.total': usd('layer'),
  'tx.count': { of: ['layer'], kept: 'amount', jumpFrom: MILLION },
  'addresses.senders': { of: ['layer'], kept: 'amount', jumpFrom: 100_000 },
  'stake.btc': { of: ['layer'], kept: 'amount', jumpFrom: 100 * COIN },
  'token.price': { of: ['token'], kept: 'value', jumpFrom: 0 },
  'token.mcap': usd('token'),
  'token.fdv': usd('token'),
  'token.volume': usd('token'),
  'token.supply': { of: ['token'], kept: 'value', jumpFrom: 0 },
  'pox.stacked': { of: ['layer'], kept: 'amount', jumpFrom: 0 },
  'pox.accepted_weight': { of: ['layer'], kept: 'value' },
  'pox.refused_weight': { of: ['layer'], kept: 'value' },
  'pox.response_time': { of: ['layer'], kept: 'value' },
  'supply.liquid': { of: ['layer'], kept: 'amount', jumpFrom: 0 },
  'lend.supplied': { of: ['protocol'], kept: 'amount' },
  'lend.borrowed': { of: ['protocol'], kept: 'amount' },
  'lend.utilisation': { of: ['protocol'], kept: 'value' },
  'lend.borrow_apr': { of: ['protocol'], kept: 'value' },
  'lend.supply_apr': { of: ['protocol'], kept: 'value' },
  'lend.caps': { of: ['protocol'], kept: 'value' },
  'lend.share_price': { of: ['protocol'], kept: 'value' },
  'lend.debt_share_price': { of: ['protocol'], kept: 'value' },
  'lend.curve': { of: ['protocol'], kept: 'value' },
  'lend.curve_at': { of: ['protocol'], kept: 'value' },
  'lend.liquidation_ltv': { of: ['protocol'], kept: 'value' },
  'lend.reserve_factor': { of: ['protocol'], kept: 'value' },
  'cdp.debt': { of: ['protocol'], kept: 'amount' },
  'cdp.liquidation_ratio': { of: ['protocol'], kept: 'value' },
  'cdp.stability_fee': { of: ['protocol'], kept: 'value' },
  'cdp.debt_cap_used': { of: ['protocol'], kept: 'value' },
  'stable.supply': { of: ['token'], kept: 'amount' },
  'lst.staked': { of: ['protocol'], kept: 'amount' },
  'lst.stacking': { of: ['protocol'], kept: 'amount' },
  'lst.supply': { of: ['protocol'], kept: 'amount' },
  'lst.queue': { of: ['protocol'], kept: 'amount' },
  'lst.mint_queue': { of: ['protocol'], kept: 'amount' },
  'lst.apy_stated': { of: ['protocol'], kept: 'value' },
  'lst.exchange_rate': { of: ['protocol'], kept: 'value', jumpFrom: 0 },
  'vault.staked': { of: ['protocol'], kept: 'amount' },
  'vault.btc_held': { of: ['protocol'], kept: 'amount' },
  'vault.queue': { of: ['protocol'], kept: 'amount' },
  'vault.staked_share': { of: ['protocol'], kept: 'value' },
  'vault.exchange_rate': { of: ['protocol'], kept: 'value', jumpFrom: 0 },
  'lightning.capacity': { of: ['bitcoin'], kept: 'amount', jumpFrom: 0 },
  'lightning.channels': { of: ['bitcoin'], kept: 'amount', jumpFrom: 0 },
  'lightning.nodes': { of: ['bitcoin'], kept: 'amount', jumpFrom: 0 },
  'mempool.count': { of: ['bitcoin'], kept: 'amount' },
  'mempool.vbytes': { of: ['bitcoin'], kept: 'amount' },
  'mempool.fee_ladder': { of: ['bitcoin'], kept: 'value' },
  'yield.tvl': usd('pool'),
  'yield.apy_base': { of: ['pool'], kept: 'value' },
  'yield.apy_reward': { of: ['pool'], kept: 'value' },
  'risk.custody': { of: ['layer'], kept: 'value' },
  'risk.data': { of: ['layer'], kept: 'value' },
  'risk.operators': { of: ['layer'], kept: 'value' },
  'risk.finality': { of: ['layer'], kept: 'value' },
}

export type KnownEntities = Readonly<Record<Kind, ReadonlySet<string>>>

export const knownEntities = ({
  layers,
  tokens,
  protocols,
  treasuries,
  opportunities,
}: Catalog): KnownEntities => ({
  layer: new Set(layers.map(({ slug }) => slug)),
  token: new Set(tokens.map(({ id }) => id)),
  protocol: new Set(protocols.map(({ slug }) => slug)),
  treasury: new Set(treasuries.map(({ id }) => id)),
  pool: new Set(opportunities.map(({ id }) => id)),
  bitcoin: new Set(['bitcoin']),
})
