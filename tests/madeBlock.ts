import type { DecodedBlock } from '#chains/bitcoin/block.ts'
import { type BitcoinCodec, openBitcoinCodec } from '#chains/bitcoin/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { type TransactionParts, transactionBytes, varint } from './encodeBlock.ts'

export type MadeBlock = {
  readonly network?: Network
  /** Pushed by the coinbase as BIP-34 asks. */
  readonly height?: number
  readonly timeS?: number
  readonly coinbaseOutputs?: TransactionParts['outputs']
  readonly txs?: readonly Partial<TransactionParts>[]
}

const codecs = new Map<Network, BitcoinCodec>()

/** A codec takes a while to open: one a network serves all tests of a file. */
function codecOf(network: Network): BitcoinCodec {
  const codec = codecs.get(network) ?? openBitcoinCodec({ network })
  codecs.set(network, codec)
  return codec
}

const INPUT = { txid: '11'.repeat(32), vout: 0 }
export const P2PKH = `76a914${'22'.repeat(20)}88ac`

/** A decoded block of made transactions after a coinbase. It proves nothing: no work, no merkle root. */
export function madeBlock({
  network = 'mainnet',
  height = 900_000,
  timeS,
  coinbaseOutputs,
  txs = [],
}: MadeBlock) {
  const header = Buffer.alloc(80)
  header.writeInt32LE(0x20000000, 0)
  header.writeUInt32LE(timeS ?? 1_750_000_000, 68)
  const coinbase: TransactionParts = {
    inputs: [{ txid: '00'.repeat(32), vout: 0xffffffff, scriptSig: heightPush(height) }],
    outputs: coinbaseOutputs ?? [{ script: P2PKH, valueSat: 312_500_000n }],
  }
  const transactions = [
    coinbase,
    ...txs.map(tx => ({ inputs: [INPUT], outputs: [{ script: P2PKH, valueSat: 1_000n }], ...tx })),
  ]
  const bytes = Buffer.concat([header, varint(transactions.length), ...transactions.map(transactionBytes)])
  return codecOf(network).decodeBlock(bytes)
}

/** The script `OP_RETURN <data>`, data in hex. */
export function dataScript(data: string): string {
  const length = data.length / 2
  const size = length.toString(16).padStart(2, '0')
  return `6a${length < 0x4c ? size : `4c${size}`}${data}`
}

/** A block that holds one transaction given as raw bytes behind its coinbase. */
export function blockWith(raw: Buffer, more: Omit<MadeBlock, 'txs'> = {}): DecodedBlock {
  const { bytes, txs } = madeBlock(more)
  const whole = Buffer.concat([bytes.subarray(0, 80), varint(2), bytes.subarray(txs.offset[0]!), raw])
  return codecOf(more.network ?? 'mainnet').decodeBlock(whole)
}

function heightPush(height: number): string {
  const bytes: number[] = []
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  if (bytes.at(-1)! >= 0x80) bytes.push(0)
  return Buffer.from([bytes.length, ...bytes]).toString('hex')
}
