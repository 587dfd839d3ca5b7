import { EMPTY_BLOOM } from './bloom.ts'
import type { EvmReceipt } from './receipt.ts'
import type { RlpWriter } from './rlp/writer.ts'

/**
 * The bytes of a receipt that Ethereum's `receiptsRoot` is made of: [type ‖] rlp([status or root, cumulative gas, bloom,
 * logs]). A deposit of the OP Stack ends with nonce and version where it has a version (Canyon).
 */
export function writeReceipt(receipt: EvmReceipt, writer: RlpWriter): Buffer {
  writer.reset()
  if (receipt.type === 0x7e && receipt.depositReceiptVersion !== null) {
    writer.quantity(receipt.depositReceiptVersion)
    writer.quantity(receipt.depositNonce ?? 0n)
  }
  writeLogs(receipt, writer)
  writer.hex(receipt.logsBloom ?? EMPTY_BLOOM)
  writer.quantity(receipt.cumulativeGasUsed)
  if (receipt.isSuccess === null) writer.hex(receipt.root ?? '0x')
  else writer.quantity(receipt.isSuccess ? 1 : 0)
  writer.list(0)
  if (receipt.type !== 0) writer.byte(receipt.type)
  return writer.since(0)
}

/** Rootstock's: rlp([status, cumulative gas, bloom, logs, gas used, status]), a failure being the empty string (rskj TransactionReceipt). */
export function writeRootstockReceipt(receipt: EvmReceipt, writer: RlpWriter): Buffer {
  const status = receipt.isSuccess === true ? '0x01' : '0x'
  writer.reset()
  writer.hex(status)
  writer.quantity(receipt.gasUsed)
  writeLogs(receipt, writer)
  writer.hex(receipt.logsBloom ?? EMPTY_BLOOM)
  writer.quantity(receipt.cumulativeGasUsed)
  writer.hex(status)
  writer.list(0)
  return writer.since(0)
}

function writeLogs({ logs }: EvmReceipt, writer: RlpWriter): void {
  const end = writer.mark
  for (let i = logs.length - 1; i >= 0; i--) {
    const { address, topics, data } = logs[i]!
    const logEnd = writer.mark
    writer.hex(data)
    const topicsEnd = writer.mark
    for (let t = topics.length - 1; t >= 0; t--) writer.hex(topics[t]!)
    writer.list(topicsEnd)
    writer.hex(address)
    writer.list(logEnd)
  }
  writer.list(end)
}
