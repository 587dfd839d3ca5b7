import { readFileSync } from 'node:fs'
import type { Network } from '#kernel/bitcoin.ts'
import { shared } from './shared.ts'

/** Figures as listed beside the recorded blocks; a list names only what its source gave. */
export type ListedBlock = {
  readonly file: string
  readonly network?: Network
  readonly height: number | null
  readonly hash: string
  readonly time: number
  readonly version?: number
  readonly bits?: string
  readonly prevHash?: string
  readonly size: number
  readonly strippedSize?: number
  readonly weight?: number
  readonly txCount: number
  readonly inputCount?: number
  readonly outputCount?: number
  readonly outputSum: number | string
  readonly coinbaseValue?: number
  /** Without the coinbase. */
  readonly segwitTxs?: number
  readonly taprootOutputs?: number
  readonly opReturnOutputs?: number
}

export const BLOCK_LISTS = ['blocks.json', 'reorg/stale-blocks.json', 'blocks-testnet/blocks.json'] as const

/** The listed blocks with their bytes, one at a time. */
export function* recordedBlocks(
  list: (typeof BLOCK_LISTS)[number],
): Generator<ListedBlock & { bytes: Buffer<ArrayBuffer> }> {
  const listed: ListedBlock[] = JSON.parse(readFileSync(shared(`data/bitcoin/${list}`), 'utf8'))
  for (const figures of listed)
    yield { ...figures, bytes: readFileSync(shared(`data/bitcoin/${figures.file}`)) }
}

/** Bytes of one of the recorded main-chain blocks, by the name of its file without the ending. */
export const recordedBlock = (name: string): Buffer<ArrayBuffer> =>
  readFileSync(shared(`data/bitcoin/blocks/${name}.bin`))

/** The blocks of a recorded `blk` file in the order they stand: magic, length, block. */
export function* recordedRun(file = 'runs/blk-0-4312.dat'): Generator<Buffer<ArrayBuffer>> {
  const whole = readFileSync(shared(`data/bitcoin/${file}`))
  for (let at = 0; at + 8 <= whole.length; ) {
    const length = whole.readUInt32LE(at + 4)
    yield whole.subarray(at + 8, at + 8 + length)
    at += 8 + length
  }
}

/** Rows of a recorded CSV file without quoted fields, by column name. */
export function csvRows(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\n')
  const names = head.trim().split(',')
  return lines.map(line => {
    const values = line.trim().split(',')
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
  })
}
