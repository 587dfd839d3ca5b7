import { bytes, type RowOf, table, text, time, u32 } from '#kernel/table.ts'

/** Outside the batches: an answer is of its block, which it names. */
export const stxReads = table('stx_reads', {
  doc: 'One row per answer of a contract on Stacks to a read-only call, with the block as of which it was asked.',
  columns: {
    contract: text('contract that was asked, as `address.name`'),
    functionName: text('its function'),
    args: text('the arguments, as JSON'),
    height: u32('block as of which it was asked'),
    blockHash: bytes(
      32,
      'index block hash of that block: no longer of the best chain where a reorg took it back',
    ),
    answer: text('the answer as JSON, numbers as texts; empty where it refused'),
    askedAt: time('when it was asked, UTC'),
  },
  orderBy: ['contract', 'function_name', 'asked_at'],
})

export type StxReadAnswer = RowOf<typeof stxReads>
