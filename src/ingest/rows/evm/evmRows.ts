import {
  bridgeMoveOf,
  type ContractCreation,
  type EventIndex,
  type EvmBlock,
  type EvmCodec,
  type EvmFee,
  type EvmLog,
  type EvmReceipt,
  type EvmTransaction,
  feeOf,
  type Hex,
  isUnsigned,
  l1AttributesOf,
  lendingOf,
  type Proofs,
  swapOf,
  transfersOf,
} from '#chains/evm/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { ColumnsOf } from '#kernel/table.ts'
import {
  evmBlocks,
  evmBridges,
  evmContracts,
  evmLending,
  evmLogs,
  evmSwaps,
  evmTransfers,
  evmTxs,
} from '#warehouse/tables/evm.ts'
import { openColumns } from '../columns.ts'

/** A block that was read and recomputed, with what its traces told of contracts; null where its node offers none. */
export type EvmBlockToStore = {
  readonly block: EvmBlock
  readonly proofs: Proofs
  readonly creations: readonly ContractCreation[] | null
}

/** Rows of many blocks of one layer, column by column. */
export type EvmColumns = {
  readonly blocks: ColumnsOf<typeof evmBlocks>
  readonly txs: ColumnsOf<typeof evmTxs>
  readonly logs: ColumnsOf<typeof evmLogs>
  readonly transfers: ColumnsOf<typeof evmTransfers>
  readonly swaps: ColumnsOf<typeof evmSwaps>
  readonly lending: ColumnsOf<typeof evmLending>
  readonly contracts: ColumnsOf<typeof evmContracts>
  readonly bridges: ColumnsOf<typeof evmBridges>
}

export type EvmRows = {
  /** Adds the rows of one block to those that `take` gives. */
  add(batch: number, stored: EvmBlockToStore): void
  readonly logCount: number
  take(): EvmColumns
}

/** Turns the blocks of one layer into rows. */
export function openEvmRows(chain: EvmLayer, codec: EvmCodec, events: EventIndex): EvmRows {
  const blocks = openColumns(evmBlocks)
  const txs = openColumns(evmTxs)
  const logs = openColumns(evmLogs)
  const transfers = openColumns(evmTransfers)
  const swaps = openColumns(evmSwaps)
  const lending = openColumns(evmLending)
  const contracts = openColumns(evmContracts)
  const bridges = openColumns(evmBridges)

  function addTx(place: Place, tx: EvmTransaction, receipt: EvmReceipt | null, fee: EvmFee | null): void {
    txs.add({
      ...place,
      txIndex: tx.transactionIndex,
      txHash: tx.hash,
      kind: isUnsigned(tx) ? 'unsigned' : tx.kind,
      type: tx.type & 0xff,
      sender: tx.from,
      recipient: tx.to,
      contract: tx.to === null && receipt?.isSuccess !== false ? (receipt?.contractAddress ?? null) : null,
      nonce: tx.kind === 'deposit' ? (receipt?.depositNonce ?? tx.nonce) : tx.nonce,
      valueWei: tx.value,
      mintWei: tx.deposit?.mint ?? null,
      gasLimit: tx.gasLimit,
      gasUsed: receipt?.gasUsed ?? null,
      gasPriceWei: receipt?.effectiveGasPrice ?? tx.gasPrice,
      maxFeeWei: tx.maxFeePerGas,
      priorityFeeWei: tx.maxPriorityFeePerGas,
      feeWei: fee?.totalWei ?? null,
      l1FeeWei: fee?.l1Wei ?? 0n,
      operatorFeeWei: fee?.operatorWei ?? 0n,
      isSuccess: receipt?.isSuccess ?? null,
      method: tx.to !== null && tx.input.length >= 10 ? (tx.input.slice(0, 10) as Hex) : null,
      input: tx.input,
      logCount: receipt?.logs.length ?? 0,
      authorizationCount: tx.authorizations.length,
      raw: tx.raw ?? '',
    })
  }

  function addLog(place: Place, log: EvmLog): void {
    const event = events.decode(log)
    const { transactionIndex: txIndex, transactionHash: txHash, logIndex } = log
    const at = { ...place, txIndex, logIndex, txHash }
    const [topic0 = null, topic1 = null, topic2 = null, topic3 = null] = log.topics
    logs.add({
      ...at,
      emitter: log.address,
      topic0,
      topic1,
      topic2,
      topic3,
      data: log.data,
      event: event?.id ?? '',
    })
    if (event === null) return
    for (const [item, { from, to, ...moved }] of transfersOf(event).entries())
      transfers.add({ ...at, item, ...moved, sender: from, recipient: to })
    const swap = swapOf(event)
    if (swap !== null) swaps.add({ ...at, event: event.id, ...swap })
    const action = lendingOf(event)
    if (action !== null) lending.add({ ...at, event: event.id, ...action })
    const move = bridgeMoveOf(event)
    if (move !== null) bridges.add({ ...at, event: event.id, ...move })
  }

  function addContracts(place: Place, { block, creations }: EvmBlockToStore): void {
    for (const { transactionIndex, path, kind, creator, address, codeHash } of creations ??
      directCreations(block))
      contracts.add({
        ...place,
        txIndex: transactionIndex,
        txHash: block.transactions[transactionIndex]!.hash,
        contract: address,
        kind,
        creator,
        codeHash,
        path: path.join('.'),
      })
  }

  return {
    get logCount() {
      return logs.rowCount
    },
    add(batch, stored) {
      const { block, proofs } = stored
      const { header, transactions, receipts } = block
      const place = { batch, chain, height: header.number, blockTime: header.timeS }
      const fees = transactions.map((tx, i) => (receipts === null ? null : feeOf(tx, receipts[i]!)))
      for (const [i, tx] of transactions.entries()) addTx(place, tx, receipts?.[i] ?? null, fees[i]!)
      for (const receipt of receipts ?? []) for (const log of receipt.logs) addLog(place, log)
      addContracts(place, stored)
      const [first] = transactions
      const l1 = first === undefined ? null : l1AttributesOf(first)
      const mining = codec.mergedMining(block)
      blocks.add({
        ...place,
        hash: header.hash,
        prevHash: header.parentHash,
        miner: header.miner,
        txCount: transactions.length,
        systemTxCount: countOf(
          transactions,
          tx => tx.kind === 'deposit' || tx.kind === 'remasc' || isUnsigned(tx),
        ),
        failedTxCount:
          receipts === null || receipts.some(({ isSuccess }) => isSuccess === null)
            ? null
            : countOf(receipts, ({ isSuccess }) => isSuccess === false),
        unknownTxCount: countOf(transactions, ({ kind }) => kind === 'unknown'),
        logCount: receipts?.reduce((sum, one) => sum + one.logs.length, 0) ?? 0,
        gasUsed: header.gasUsed,
        gasLimit: header.gasLimit,
        baseFeeWei: header.form === 'standard' ? header.baseFeePerGas : null,
        feeWei: fees.some(fee => fee === null) ? null : sumOf(fees, fee => fee!.totalWei),
        l1FeeWei: sumOf(fees, fee => fee?.l1Wei ?? 0n),
        difficulty: header.difficulty,
        sizeBytes: block.sizeBytes,
        uncleCount: block.uncles.length,
        isHashProved: proofs.hash,
        isTxsProved: proofs.transactions,
        isReceiptsProved: proofs.receipts,
        isTraced: stored.creations !== null,
        l1Height: l1 && BigInt(l1.number),
        l1Hash: l1?.hash ?? null,
        bitcoinHash: mining && `0x${mining.bitcoinHash}`,
        isBitcoinTagged: mining?.isTagged ?? null,
        minimumGasPriceWei: header.form === 'rootstock' ? header.minimumGasPrice : null,
      })
    },
    take: () => ({
      blocks: blocks.take(),
      txs: txs.take(),
      logs: logs.take(),
      transfers: transfers.take(),
      swaps: swaps.take(),
      lending: lending.take(),
      contracts: contracts.take(),
      bridges: bridges.take(),
    }),
  }
}

type Place = {
  readonly batch: number
  readonly chain: EvmLayer
  readonly height: number
  readonly blockTime: number
}

/** Contracts that transactions made themselves: what receipts tell without traces. */
function directCreations({ transactions, receipts }: EvmBlock): ContractCreation[] {
  return transactions.flatMap((tx, i): ContractCreation[] => {
    const address = receipts?.[i]?.contractAddress
    if (tx.to !== null || !address || receipts?.[i]?.isSuccess === false) return []
    return [{ transactionIndex: i, path: [], kind: 'transaction', creator: tx.from, address, codeHash: null }]
  })
}

const countOf = <T>(items: readonly T[], is: (item: T) => boolean): number =>
  items.reduce((count, item) => count + (is(item) ? 1 : 0), 0)

const sumOf = <T>(items: readonly T[], of: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + of(item), 0n)
