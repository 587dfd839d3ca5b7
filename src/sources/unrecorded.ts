import type { SourceDeclaration } from './source.ts'

/** Sources that figures of the catalogue need and that nobody has recorded: they stand as never reached. */
export const UNRECORDED: readonly SourceDeclaration[] = [
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
