import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Samples } from './samples.ts'
import { type ChainShape, synthesise } from './synthesise.ts'

export type ChainFiles = {
  /** Holds `blk00000.dat` and so on, in chain order. */
  readonly blocksDir: string
  /** The last blocks, one file of the same kind each. */
  readonly tipFiles: readonly string[]
  readonly tipHashes: readonly string[]
  /** Of the `blk*.dat` alone. */
  readonly blockCount: number
  readonly txCount: number
  readonly inputCount: number
  readonly outputCount: number
  readonly byteCount: number
  readonly lastHash: string
}

const REGTEST_MAGIC = Uint8Array.of(0xfa, 0xbf, 0xb5, 0xda)
/** As large as Bitcoin Core makes them (MAX_BLOCKFILE_SIZE). */
const FILE_BYTES = 128 * 2 ** 20

/** Writes a synthetic chain as a node keeps it; its full last blocks lie apart. */
export async function writeChain(samples: Samples, shape: ChainShape, folder: string): Promise<ChainFiles> {
  const blocksDir = join(folder, 'blocks')
  await mkdir(blocksDir, { recursive: true })
  const sums = { blockCount: 0, txCount: 0, inputCount: 0, outputCount: 0, byteCount: 0 }
  const tipFiles: string[] = []
  const tipHashes: string[] = []
  let lastHash = ''
  let file: WriteStream | undefined
  let fileNumber = 0
  let fileBytes = 0
  for (const block of synthesise(samples, shape)) {
    if (block.height > shape.endHeight - shape.tip.count) {
      const path = join(folder, `tip-${block.height}.dat`)
      await writeFile(path, recordOf(block.bytes))
      tipFiles.push(path)
      tipHashes.push(block.hash)
      continue
    }
    if (file === undefined || fileBytes + block.bytes.length > FILE_BYTES) {
      await closed(file)
      file = createWriteStream(join(blocksDir, `blk${String(fileNumber++).padStart(5, '0')}.dat`))
      fileBytes = 0
    }
    const record = recordOf(block.bytes)
    if (!file.write(record)) await once(file, 'drain')
    fileBytes += record.length
    lastHash = block.hash
    sums.blockCount += 1
    sums.txCount += block.txCount
    sums.inputCount += block.inputCount
    sums.outputCount += block.outputCount
    sums.byteCount += block.bytes.length
  }
  await closed(file)
  return { blocksDir, tipFiles, tipHashes, lastHash, ...sums }
}

/** A block as it lies in a `blk*.dat` file; a copy, since the block's own bytes are overwritten by the next one. */
function recordOf(block: Uint8Array): Buffer {
  const record = Buffer.alloc(8 + block.length)
  record.set(REGTEST_MAGIC)
  record.writeUInt32LE(block.length, 4)
  record.set(block, 8)
  return record
}

async function closed(file: WriteStream | undefined): Promise<void> {
  if (file === undefined) return
  file.end()
  await once(file, 'close')
}
