import { type FileHandle, open, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Network } from '#kernel/bitcoin.ts'
import { NodeError } from '../../node/errors.ts'
import { HEADER_BYTES } from './header.ts'
import { NETWORK_MARKS, networkBy } from './networks.ts'

/** A block's place in its file and its first 80 bytes. `offset` is where the block itself begins. */
export type BlkRecord = { readonly offset: number; readonly sizeBytes: number; readonly header: Buffer }

/** A stretch that is no whole record: reported, skipped, never guessed at. */
export type BlkDefect = { readonly offset: number; readonly reason: string }

/** Magic and size, in front of each block. */
export const PREFIX_BYTES = 8
/** Bitcoin Core's MAX_BLOCK_SERIALIZED_SIZE. */
const MAX_BLOCK_BYTES = 4_000_000
const WINDOW_BYTES = 65_536
const HOP_BYTES = 512

/** One `blk*.dat` file, read with bounded memory and unscrambled by `xor.dat` beside it where there is one (Bitcoin Core 28 on). */
export class BlkFile implements AsyncDisposable {
  readonly path: string
  readonly #handle: FileHandle
  readonly #key: Buffer | undefined
  readonly #sizeBytes: number

  private constructor(path: string, handle: FileHandle, sizeBytes: number, key: Buffer | undefined) {
    this.path = path
    this.#handle = handle
    this.#sizeBytes = sizeBytes
    this.#key = key
  }

  /** @throws NodeError `node.file` where it cannot be read. */
  static async open(path: string): Promise<BlkFile> {
    try {
      const handle = await open(path)
      return new BlkFile(path, handle, (await handle.stat()).size, await xorKeyBeside(path))
    } catch (cause) {
      if (cause instanceof NodeError) throw cause
      throw new NodeError('node.file', `The block file ${path} cannot be read.`, { cause })
    }
  }

  /** The bytes of a stretch, unscrambled; in `room`, where it is large enough. Shorter only at the end of the file. */
  async read(offset: number, length: number, room?: Buffer): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.#sizeBytes - offset))
    const bytes = room !== undefined && room.length >= wanted ? room : Buffer.allocUnsafe(wanted)
    const { bytesRead } = await this.#handle.read(bytes, 0, wanted, offset)
    const read = bytes.subarray(0, bytesRead)
    if (this.#key) unscramble(read, this.#key, offset)
    return read
  }

  /**
   * All records in the order of the file. Zero padding is passed over; after a defect the search goes on at the next magic.
   * @throws NodeError `node.magic` where the file begins with the records of another network or with none.
   */
  async *records(network: Network, onDefect: (defect: BlkDefect) => void): AsyncGenerator<BlkRecord> {
    const magic = Buffer.from(NETWORK_MARKS[network].magic, 'hex')
    let window: Buffer = Buffer.alloc(0)
    let windowAt = 0
    let at = 0
    let hop = WINDOW_BYTES
    const have = async (length: number): Promise<Buffer> => {
      if (at < windowAt || at + length > windowAt + window.length) {
        window = await this.read(at, Math.max(length, hop))
        windowAt = at
      }
      return window.subarray(at - windowAt, at - windowAt + length)
    }
    let isFirst = true
    while (at < this.#sizeBytes) {
      const prefix = await have(PREFIX_BYTES)
      if (prefix.length < PREFIX_BYTES) {
        if (!this.#isBlank(prefix, at))
          onDefect({ offset: at, reason: `${prefix.length} bytes that are no record` })
        return
      }
      if (!prefix.subarray(0, 4).equals(magic)) {
        if (isFirst && !this.#isBlank(prefix.subarray(0, 1), at))
          throw this.#foreign(prefix.subarray(0, 4), network)
        const from = at
        let isPadding = true
        hop = WINDOW_BYTES
        for (let found = -1; found < 0 && at < this.#sizeBytes; ) {
          const stretch = await have(Math.min(WINDOW_BYTES, this.#sizeBytes - at))
          found = stretch.indexOf(magic)
          // A magic may begin in the last three bytes of the stretch.
          const isLast = at + stretch.length >= this.#sizeBytes
          const passed = found >= 0 ? found : isLast ? stretch.length : stretch.length - 3
          isPadding &&= this.#isBlank(stretch.subarray(0, passed), at)
          at += passed
        }
        if (!isPadding) onDefect({ offset: from, reason: `${at - from} bytes that are no record` })
        continue
      }
      isFirst = false
      const sizeBytes = prefix.readUInt32LE(4)
      if (sizeBytes < HEADER_BYTES || sizeBytes > MAX_BLOCK_BYTES) {
        onDefect({ offset: at, reason: `a record that states ${sizeBytes} bytes` })
        at += 4
        continue
      }
      if (at + PREFIX_BYTES + sizeBytes > this.#sizeBytes) {
        const held = this.#sizeBytes - at - PREFIX_BYTES
        onDefect({
          offset: at,
          reason: `the last record states ${sizeBytes} bytes, the file holds ${held} of them`,
        })
        return
      }
      const head = await have(PREFIX_BYTES + HEADER_BYTES)
      yield { offset: at + PREFIX_BYTES, sizeBytes, header: Buffer.from(head.subarray(PREFIX_BYTES)) }
      at += PREFIX_BYTES + sizeBytes
      // Large blocks: read the next header alone, not the bytes around it.
      hop = sizeBytes > WINDOW_BYTES ? HOP_BYTES : WINDOW_BYTES
    }
  }

  /** Zeros on disk: Bitcoin Core allocates its files ahead and does not scramble what it has not written. */
  #isBlank(bytes: Buffer, offset: number): boolean {
    const key = this.#key
    return bytes.every(
      (byte, i) => byte === 0 || (key !== undefined && byte === key[(offset + i) % key.length]),
    )
  }

  #foreign(found: Buffer, network: Network): NodeError {
    const other = networkBy('magic', found.toString('hex'))
    const holds = other
      ? `holds blocks of ${other}`
      : `begins with ${found.toString('hex')}, the magic of no network we know`
    return new NodeError(
      'node.magic',
      `The block file ${this.path} ${holds}, but Assay is set to ${network}.`,
      {
        hint: other
          ? 'Set BITCOIN_NETWORK, or give the files of the right data directory.'
          : 'Is it a blk*.dat file, and does its xor.dat lie beside it?',
        facts: { magic: found.toString('hex'), network },
      },
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

/** Takes the key away from bytes that lie at `offset` of their file; `key` has 8 bytes. */
function unscramble(bytes: Buffer, key: Buffer, offset: number): void {
  const lead = Math.min(bytes.length, -bytes.byteOffset & 3)
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >> 2)
  // The key as it falls on the first of the words, which are taken two at a time.
  const turned = Uint8Array.from({ length: 8 }, (_, i) => key[(offset + lead + i) % 8]!)
  const [even = 0, odd = 0] = new Uint32Array(turned.buffer)
  for (let i = 0; i < words.length; i++) words[i]! ^= i % 2 === 0 ? even : odd
  const plain = (i: number): void => {
    bytes[i]! ^= key[(offset + i) % 8]!
  }
  for (let i = 0; i < lead; i++) plain(i)
  for (let i = lead + words.length * 4; i < bytes.length; i++) plain(i)
}

async function xorKeyBeside(path: string): Promise<Buffer | undefined> {
  const keyPath = join(dirname(path), 'xor.dat')
  try {
    const key = await readFile(keyPath)
    if (key.length !== 8)
      throw new NodeError(
        'node.file',
        `The key file ${basename(keyPath)} beside ${path} has ${key.length} bytes, not 8.`,
      )
    return key.every(byte => byte === 0) ? undefined : key
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}
