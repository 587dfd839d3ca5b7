import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Network } from '#kernel/bitcoin.ts'
import { BlkIndex, type BlockPlace } from './blkIndex.ts'
import { BlkFile, PREFIX_BYTES } from './blkReader.ts'
import { readHeader } from './header.ts'
import { NETWORK_MARKS } from './networks.ts'
import type { BlockSource, RawBlock } from './source.ts'

export type FileDefect = { readonly path: string; readonly offset: number; readonly reason: string }

/** A chain found in the files: a best chain like a node's, from the first height it holds. */
export type BlkChain = BlockSource & {
  readonly fromHeight: number
  readonly toHeight: number
  /** Hash of the block below the first one, whether held here or not. */
  readonly prevHash: string
}

export type StaleInFiles = { readonly height: number; readonly hash: string; readonly timeS: number }

/** A stretch of linked blocks whose height nobody knows. */
export type Unplaced = { readonly hashes: readonly string[]; read(): AsyncIterable<Uint8Array> }

export type BlkSet = AsyncDisposable & {
  /** Chains of known height, the one of most work first. */
  readonly chains: readonly BlkChain[]
  /** Valid headers that lost against a chain above. */
  readonly stale: readonly StaleInFiles[]
  readonly unplaced: readonly Unplaced[]
  readonly defects: readonly FileDefect[]
}

export type BlkSetConfig = {
  /** Files, or folders of `blk*.dat`. */
  readonly paths: readonly string[]
  readonly network: Network
  /**
   * Height of a first block whose parent is not in the files: from what is held, or from its coinbase; null where nobody
   * knows. Genesis is known.
   */
  heightOf(first: {
    readonly hash: string
    readonly prevHash: string
    readonly bytes: Uint8Array
  }): Promise<number | null>
}

/** Reads the headers of all files and orders them. Holds about 100 bytes a block; block bytes are read when asked for. */
export async function openBlkSet(config: BlkSetConfig): Promise<BlkSet> {
  await using opening = new AsyncDisposableStack()
  const files: BlkFile[] = []
  const defects: FileDefect[] = []
  const index = new BlkIndex()
  for (const path of await blkPaths(config.paths)) {
    const file = opening.use(await BlkFile.open(path))
    const records = file.records(config.network, defect => defects.push({ path, ...defect }))
    for await (const { offset, sizeBytes, header } of records)
      index.add(readHeader(header), { file: files.length, offset, sizeBytes })
    files.push(file)
  }
  index.link()

  const read: ReadPlace = ({ file, offset, sizeBytes }, room) => files[file]!.read(offset, sizeBytes, room)
  const bytesOf = (at: number): Promise<Buffer> => read(index.place(at))
  const chains: BlkChain[] = []
  const stale: StaleInFiles[] = []
  const unplaced: Unplaced[] = []
  for (const branch of index.branches()) {
    const root = branch.chain[0]!
    const hash = index.hash(root)
    const fromHeight =
      hash === NETWORK_MARKS[config.network].genesisHash
        ? 0
        : await config.heightOf({ hash, prevHash: index.prevHash(root), bytes: await bytesOf(root) })
    if (fromHeight === null) {
      const members = [...branch.chain, ...branch.stale]
      unplaced.push({ hashes: members.map(index.hash), read: () => readEach(members, bytesOf) })
      continue
    }
    chains.push(chainOf(index, branch.chain, fromHeight, read, `the files ${summary(config.paths)}`))
    for (const at of branch.stale)
      stale.push({ height: fromHeight + index.depths[at]!, hash: index.hash(at), timeS: index.timeS(at) })
  }
  const held = opening.move()
  return { chains, stale, unplaced, defects, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

function chainOf(
  index: BlkIndex,
  chain: Int32Array,
  fromHeight: number,
  read: ReadPlace,
  name: string,
): BlkChain {
  const toHeight = fromHeight + chain.length - 1
  const prevHash = index.prevHash(chain[0]!)
  const work = (height: number): bigint =>
    height < fromHeight ? 0n : index.work[chain[height - fromHeight]!]!
  return {
    origin: 'blk_files',
    name,
    fromHeight,
    toHeight,
    prevHash,
    tip: async () => ({ height: toHeight, hash: index.hash(chain.at(-1)!) }),
    async hashAt(height) {
      if (height === fromHeight - 1) return prevHash
      const at = chain[height - fromHeight]
      return at === undefined ? null : index.hash(at)
    },
    workAbove: async height =>
      height < fromHeight - 1 ? null : work(toHeight) - work(Math.min(height, toHeight)),
    async headerTimes(from, to) {
      const times: number[] = []
      for (let height = Math.max(from, fromHeight); height <= Math.min(to, toHeight); height++)
        times.push(index.timeS(chain[height - fromHeight]!))
      return times
    },
    async *blocks(from, to, signal): AsyncGenerator<RawBlock> {
      const last = Math.min(to, toHeight) - fromHeight
      let room = Buffer.alloc(0)
      for (let i = from - fromHeight; i <= last; ) {
        signal?.throwIfAborted()
        const stretch = stretchOf(index, chain, i, last)
        if (stretch.sizeBytes > room.length) room = Buffer.allocUnsafe(stretch.sizeBytes)
        const bytes = await read(stretch, room)
        for (; i <= stretch.last; i++) {
          const { offset, sizeBytes } = index.place(chain[i]!)
          const start = offset - stretch.offset
          const block = bytes.subarray(start, start + sizeBytes)
          yield { height: fromHeight + i, hash: index.hash(chain[i]!), bytes: block }
        }
      }
    },
  }
}

/** The longest stretch of a file to read in one go. */
const STRETCH_BYTES = 8_000_000

/** Where block `first` of a chain lies, with those behind it that follow it in its file too; `last` is the last of them. */
function stretchOf(index: BlkIndex, chain: Int32Array, first: number, most: number): Stretch {
  const { file, offset, sizeBytes } = index.place(chain[first]!)
  let end = offset + sizeBytes
  let last = first
  while (last < most) {
    const next = index.place(chain[last + 1]!)
    const follows = next.file === file && next.offset === end + PREFIX_BYTES
    if (!follows || next.offset + next.sizeBytes - offset > STRETCH_BYTES) break
    end = next.offset + next.sizeBytes
    last++
  }
  return { file, offset, sizeBytes: end - offset, last }
}

type Stretch = BlockPlace & { readonly last: number }

type ReadPlace = (place: BlockPlace, room?: Buffer) => Promise<Buffer>

async function* readEach(members: readonly number[], bytesOf: (at: number) => Promise<Uint8Array>) {
  for (const at of members) yield await bytesOf(at)
}

/** Folders stand for the `blk*.dat` in them, in the order of their numbers. */
async function blkPaths(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const isFolder = (await stat(path)).isDirectory()
    if (!isFolder) found.push(path)
    else {
      const names = (await readdir(path)).filter(name => /^blk\d+\.dat$/.test(name)).sort()
      found.push(...names.map(name => join(path, name)))
    }
  }
  return found
}

const summary = (paths: readonly string[]): string =>
  paths.length === 1 ? basename(paths[0]!) : `${basename(paths[0] ?? '')} and ${paths.length - 1} more`
