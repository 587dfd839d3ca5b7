import {
  type EventIndex,
  type EvmBlock,
  type EvmCodec,
  type EvmLog,
  type EvmReceipt,
  type EvmTransaction,
  feeOf,
  type Hex,
  l1AttributesOf,
  type TransactionBody,
} from '#chains/evm/index.ts'

/** What the forms of `assay decode evm` are made with. Amounts in them are bigints, in wei. */
export type EvmTools = {
  readonly codec: EvmCodec
  readonly events: EventIndex
  /** Print a block's transactions, with their receipts and events. */
  readonly withTransactions: boolean
  /** Recover senders from signatures. */
  readonly withSenders: boolean
}

/** A block as a node answers it, with what of it was proved. Throws `DecodeError`, or `CheckError` for what contradicts. */
export function blockJson(answer: unknown, receipts: unknown, tools: EvmTools): unknown {
  const { codec, withTransactions, withSenders } = tools
  const block = codec.readBlock({ block: answer, receipts })
  const proofs = codec.checkBlock(block, { senders: withSenders })
  const { header, transactions, uncles, withdrawals } = block
  const { logsBloom, ...fields } = header
  const [first] = transactions
  const l1 = first === undefined ? null : l1AttributesOf(first)
  const mining = codec.mergedMining(block)
  return {
    ...fields,
    miner: codec.checksum(header.miner),
    transactionCount: transactions.length,
    kinds: countsOf(transactions.map(({ kind }) => kind)),
    logCount: block.receipts?.reduce((sum, { logs }) => sum + logs.length, 0) ?? null,
    feesWei: feesOf(block),
    uncles,
    withdrawalCount: withdrawals?.length ?? null,
    ...(l1 && { l1 }),
    ...(mining && { mergedMining: mining }),
    proved: {
      hash: proofs.hash,
      transactions: proofs.transactions,
      receipts: proofs.receipts,
      senders: proofs.senderCount,
      ...(proofs.unsignedCount > 0 && { unsigned: proofs.unsignedCount }),
    },
    ...(withTransactions && {
      transactions: transactions.map((tx, i) => txJson(tx, block.receipts?.[i] ?? null, tools)),
    }),
  }
}

/** A transaction of a block, with its receipt where there is one. */
export function txJson(tx: EvmTransaction, receipt: EvmReceipt | null, tools: EvmTools): unknown {
  const { blockHash, blockNumber, transactionIndex, ...body } = tx
  return {
    ...bodyJson(body, tools),
    transactionIndex,
    ...(receipt && { fee: feeOf(tx, receipt), receipt: receiptJson(receipt, tools) }),
  }
}

/** A raw transaction; its sender is recovered from its signature. Throws `DecodeError` with the offset. */
export const rawTransactionJson = (bytes: Uint8Array, tools: EvmTools): unknown =>
  bodyJson(tools.codec.decodeTransaction(bytes), tools)

function bodyJson(body: TransactionBody, { codec }: EvmTools): object {
  const { raw, deposit, signature, accessList, blobVersionedHashes, authorizations, ...fields } = body
  return {
    ...fields,
    from: codec.checksum(body.from),
    to: body.to && codec.checksum(body.to),
    ...(accessList.length > 0 && { accessList }),
    ...(blobVersionedHashes.length > 0 && { blobVersionedHashes }),
    ...(authorizations.length > 0 && {
      authorizations: authorizations.map(one => ({ ...one, authority: codec.recoverAuthority(one) })),
    }),
    ...(signature && { signature }),
    ...(deposit && { deposit }),
    ...(raw !== null && { raw: JSON.parse(raw) }),
  }
}

export function receiptJson(receipt: EvmReceipt, tools: EvmTools): unknown {
  const { logsBloom, logs, blockHash, blockNumber, l1, ...fields } = receipt
  const { checksum } = tools.codec
  return {
    ...fields,
    from: checksum(receipt.from),
    to: receipt.to && checksum(receipt.to),
    contractAddress: receipt.contractAddress && checksum(receipt.contractAddress),
    ...(l1 && { l1 }),
    logs: logs.map(log => logJson(log, tools)),
  }
}

function logJson({ address, topics, data, logIndex }: EvmLog, { codec, events }: EvmTools): unknown {
  const event = events.decode({ address, topics, data })
  const emitter: Hex = codec.checksum(address)
  if (event === null) return { logIndex, address: emitter, topics, data }
  return { logIndex, address: emitter, event: event.id, kind: event.kind, args: event.args }
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** null without receipts, and where one of them does not say what was paid. */
function feesOf({ transactions, receipts }: EvmBlock): bigint | null {
  if (receipts === null) return null
  let sum = 0n
  for (const [i, tx] of transactions.entries()) {
    const fee = feeOf(tx, receipts[i]!)
    if (fee === null) return null
    sum += fee.totalWei
  }
  return sum
}
