/** Metrics that are the ratio of two others: where these are shown beside it, it is of their day. */
export const RATIO_PARTS: Readonly<Record<string, { readonly of: string; readonly by: string }>> = {
  'peg.ratio': { of: 'peg.reserve', by: 'peg.supply' },
  'token.mcap_tvl': { of: 'token.mcap', by: 'tvl.total' },
  'users.fees_per_user': { of: 'rev.total', by: 'addresses.senders' },
  'users.tx_per_user': { of: 'tx.count', by: 'addresses.senders' },
  'tvl.per_user': { of: 'tvl.total', by: 'addresses.senders' },
  'tvl.turnover': { of: 'dex.volume', by: 'tvl.total' },
}
