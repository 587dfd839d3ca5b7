import type { SourceDeclaration } from './source.ts'

/** Sources that figures of the catalogue need and that nobody has recorded: they stand as never reached. */
export const UNRECORDED: readonly SourceDeclaration[] = [
  {
    id: 'etf.issuers',
    name: 'Issuers of US spot Bitcoin funds',
    url: 'https://www.ishares.com/us/products/333011/ishares-bitcoin-trust-etf',
    licence: 'none stated',
    rank: 20,
    cadenceSeconds: null,
    about: 'Coins held by each fund, as its issuer publishes them. No recording is bundled.',
  },
  {
    id: 'bitcoin.mempool',
    name: 'Mempool of a node',
    url: 'https://developer.bitcoin.org/reference/rpc/getrawmempool.html',
    licence: 'public chain data',
    rank: 1,
    cadenceSeconds: null,
    about: 'When each transaction began to wait. No recording is bundled, and no node’s mempool is watched.',
  },
]
