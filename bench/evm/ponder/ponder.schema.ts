import { onchainTable } from 'ponder'

export const block = onchainTable('block', t => ({
  height: t.integer().primaryKey(),
  hash: t.hex(),
  timeS: t.integer(),
  gasUsed: t.bigint(),
}))

export const transfer = onchainTable('transfer', t => ({
  id: t.text().primaryKey(),
  height: t.integer(),
  logIndex: t.integer(),
  sender: t.hex(),
  recipient: t.hex(),
  amount: t.bigint(),
  txHash: t.hex(),
}))
