import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { z } from 'zod'
import { type BitcoinCodec, scriptTypeOf } from '#chains/bitcoin/index.ts'
import {
  type BlkChain,
  type FileDefect,
  NETWORK_MARKS,
  openBlkSet,
  readHeader,
} from '#chains/bitcoin/node/index.ts'
import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import { type BtcBatch, btcStaleBlocks } from '#warehouse/tables/bitcoin.ts'
import { advance, type Outcome } from './advance.ts'
import { IngestError } from './errors.ts'
import type { HeldChain } from './heldChain.ts'
import { type LoneBlock, type LoneBlockEnd, storeIslands } from './islands.ts'
import type { GivenPrevout } from './prevouts.ts'
import type { Committed, RunDeps } from './run.ts'

/** A file to take in. A path alone: its height is what its coinbase or its name says, its prevouts those beside it. */
export type FileToIngest =
  | string
  | { readonly path: string; readonly height?: number | undefined; readonly prevouts?: string | undefined }

export type FilesReport = {
  /** Stretches found in `blk*.dat` files, with what became of them. */
  readonly chains: readonly {
    readonly fromHeight: number
    readonly toHeight: number
    readonly outcome: Outcome | 'unlinked'
  }[]
  readonly lone: readonly LoneBlockEnd[]
  /** Linked blocks of unknown height in `blk*.dat` files: decoded by nobody, stored nowhere. */
  readonly unplacedCount: number
  readonly staleCount: number
  readonly defects: readonly FileDefect[]
}

export type FilesOptions = {
  readonly origin?: BtcBatch['origin'] | undefined
  readonly allowDeepReorg: boolean
  readonly onCommit: (committed: Committed, aimHeight: number) => void
  readonly signal?: AbortSignal | undefined
  readonly now: () => number
}

/** Lone blocks are decoded and written so many bytes at a time. */
const LONE_BYTES = 16_000_000

/** Takes in `blk*.dat` files (or folders of them) and files of one raw block each, in any mixture. */
export async function ingestFiles(
  deps: RunDeps & { readonly codec: BitcoinCodec },
  held: HeldChain,
  files: readonly FileToIngest[],
  options: FilesOptions,
): Promise<FilesReport> {
  const blk: string[] = []
  const single: Exclude<FileToIngest, string>[] = []
  for (const file of files) {
    const entry = typeof file === 'string' ? { path: file } : file
    const isBlk = extname(entry.path) === '.dat' || (await stat(entry.path)).isDirectory()
    if (isBlk) blk.push(entry.path)
    else single.push(entry)
  }
  const chains = await ingestBlk(deps, held, blk, options)
  const lone: LoneBlockEnd[] = []
  let waiting: LoneBlock[] = []
  const store = async (): Promise<void> => {
    if (waiting.length > 0)
      lone.push(
        ...(await storeIslands(deps, held, waiting, options.origin ?? 'block_file', committed =>
          options.onCommit(committed, committed.toHeight),
        )),
      )
    waiting = []
  }
  for (const entry of single) {
    options.signal?.throwIfAborted()
    waiting.push(await readLone(entry))
    if (waiting.reduce((sum, { bytes }) => sum + bytes.length, 0) > LONE_BYTES) await store()
  }
  await store()
  return { ...chains, lone }
}

async function ingestBlk(
  deps: RunDeps & { readonly codec: BitcoinCodec },
  held: HeldChain,
  paths: readonly string[],
  options: FilesOptions,
): Promise<Omit<FilesReport, 'lone'>> {
  if (paths.length === 0) return { chains: [], unplacedCount: 0, staleCount: 0, defects: [] }
  const { codec, network } = deps
  await using set = await openBlkSet({
    paths,
    network,
    async heightOf({ prevHash, bytes }) {
      const below = await held.heightOf(prevHash)
      if (below !== null) return below + 1
      const stated = statedHeight(codec, bytes)
      return stated !== null && stated >= NETWORK_MARKS[network].bip34Height ? stated : null
    },
  })
  const chains: FilesReport['chains'][number][] = []
  const stale = [...set.stale]
  for (const chain of set.chains) {
    const { fromHeight, toHeight } = chain
    const below = fromHeight > 0 ? await held.hashAt(fromHeight - 1) : null
    const isUnlinked = below !== null && below !== chain.prevHash
    const outcome = isUnlinked
      ? 'unlinked'
      : await advance(deps, held, {
          source: chain,
          origin: options.origin,
          fromHeight,
          sourceFromHeight: fromHeight - 1,
          allowDeepReorg: options.allowDeepReorg,
          atRefused: 'skip',
          onCommit: options.onCommit,
          signal: options.signal,
        })
    chains.push({ fromHeight, toHeight, outcome })
    const lostAbove = isUnlinked
      ? fromHeight - 1
      : outcome !== 'unlinked' && outcome.type === 'idle'
        ? outcome.forkHeight
        : undefined
    if (lostAbove !== undefined) stale.push(...(await lostBlocks(chain, lostAbove)))
  }
  await keepStale(deps, held, stale, options.now)
  return {
    chains,
    unplacedCount: set.unplaced.reduce((sum, { hashes }) => sum + hashes.length, 0),
    staleCount: stale.length,
    defects: set.defects,
  }
}

async function lostBlocks(
  chain: BlkChain,
  above: number,
): Promise<{ height: number; hash: string; timeS: number }[]> {
  const from = Math.max(chain.fromHeight, above + 1)
  const times = await chain.headerTimes(from, chain.toHeight)
  const lost = times.map(async (timeS, i) => ({
    height: from + i,
    hash: (await chain.hashAt(from + i)) ?? '',
    timeS,
  }))
  return Promise.all(lost)
}

/** A line for each block that lost, once. */
async function keepStale(
  { warehouse, staleHeights }: RunDeps,
  held: HeldChain,
  stale: readonly { height: number; hash: string; timeS: number }[],
  now: () => number,
): Promise<void> {
  if (stale.length === 0) return
  const answer = await warehouse.writer.query({
    query: 'SELECT lower(hex(hash)) AS hash FROM base.btc_stale_blocks',
    format: 'JSONEachRow',
  })
  const known = new Set((await answer.json<{ hash: string }>()).map(({ hash }) => hash))
  const rows = []
  for (const { height, hash, timeS } of stale) {
    const winner = await held.hashAt(height)
    if (known.has(hash) || winner === hash) continue
    staleHeights.add(height)
    rows.push({
      height,
      hash: Buffer.from(hash, 'hex'),
      blockTime: timeS,
      winnerHash: winner === null ? null : Buffer.from(winner, 'hex'),
      source: 'blk_files',
      seenAt: Math.floor(now() / 1000),
    })
  }
  await warehouse.insertRows(btcStaleBlocks, rows)
}

function statedHeight(codec: BitcoinCodec, bytes: Uint8Array): number | null {
  try {
    return codec.decodeBlock(bytes).height
  } catch {
    // It is refused with its reason when its turn comes.
    return null
  }
}

const Prevouts = z.array(
  z.tuple([
    z.union([z.number().int().nonnegative(), z.string().regex(/^\d+$/)]),
    z.string().regex(/^(?:[0-9a-fA-F]{2})*$/),
  ]),
)

async function readLone(entry: Exclude<FileToIngest, string>): Promise<LoneBlock> {
  const name = basename(entry.path)
  const bytes = await readFile(entry.path)
  const prevoutsPath = entry.prevouts ?? (await prevoutsBeside(entry.path))
  return {
    name,
    bytes,
    height: entry.height ?? heightInName(name, bytes),
    prevouts: prevoutsPath === undefined ? undefined : await readPrevouts(prevoutsPath),
  }
}

/** `<height>-<last eight digits of the hash>.bin` tells the height where the digits are those of the block. */
function heightInName(name: string, bytes: Uint8Array): number | undefined {
  const [, height, suffix] = /^(?:[a-z0-9]+-)?(\d+)-([0-9a-f]{8})\.[a-z]+$/.exec(name) ?? []
  const isItsName = suffix !== undefined && bytes.length >= 80 && readHeader(bytes).hash.endsWith(suffix)
  return isItsName ? Number(height) : undefined
}

/** `X.json` beside `X.bin`, or in a folder `prevouts` beside its folder. */
async function prevoutsBeside(path: string): Promise<string | undefined> {
  const name = `${basename(path, extname(path))}.json`
  for (const candidate of [join(dirname(path), name), join(dirname(path), '..', 'prevouts', name)])
    if (await stat(candidate).catch(() => undefined)) return candidate
  return undefined
}

async function readPrevouts(path: string): Promise<GivenPrevout[]> {
  try {
    return Prevouts.parse(JSON.parse(await readFile(path, 'utf8'))).map(([valueSat, hex]) => {
      const script = new Uint8Array(Buffer.from(hex, 'hex'))
      return { valueSat: BigInt(valueSat), script, scriptType: SCRIPT_TYPES.indexOf(scriptTypeOf(script)) }
    })
  } catch (cause) {
    throw new IngestError('ingest.prevouts_file', `The file ${path} is no list of [satoshis, script hex].`, {
      cause,
    })
  }
}
