import { blob, bytes, table, u32 } from '#kernel/table.ts'

/** Outside the batches: who signed follows from the block itself, so a row holds whichever chain is canonical. */
export const stxBlockSigners = table('stx_block_signers', {
  doc: 'One row per Nakamoto block: the keys that signed it, recovered from the signatures of its header.',
  columns: {
    height: u32('height of the block'),
    hash: bytes(32, 'index block hash of the block'),
    signers: blob('public keys, compressed, 33 bytes each'),
  },
  orderBy: ['height', 'hash'],
  partitionBy: 'intDiv(height, 1000000)',
  engine: 'ReplacingMergeTree',
})
