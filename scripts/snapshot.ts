import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { constants, gunzipSync, zstdCompressSync } from 'node:zlib'
import { readCatalog } from '#catalog/index.ts'
import { type SnapshotFile, sha256Of } from '#metrics/snapshot/manifest.ts'
import { BITCOIN_RECORDINGS, difficultyEpochs, getblockstats, staleBlocks } from '#sources/bitcoin.ts'
import { developersRecorded } from '#sources/developers.ts'
import { LAYER_RECORDINGS, rootstockHeaders } from '#sources/layers.ts'
import { MARKET_RECORDINGS } from '#sources/market.ts'
import { TREASURY_RECORDINGS } from '#sources/recorded/treasuries.ts'
import {
  arkadikoVaults,
  fastPoolCycles,
  STACKS_RECORDINGS,
  stackersCensus,
  stacksChain,
} from '#sources/stacks.ts'
import { developerCommits } from './snapshotDevelopers.ts'
import { marketFiles } from './snapshotMarket.ts'
import { STACKS_DERIVED } from './snapshotStacks.ts'
import { TREASURIES_DERIVED } from './snapshotTreasuries.ts'

/**
 * Builds `snapshot/` from recorded data: `npm run snapshot [-- FOLDER]`, by default `../shared/data`. Only files
 * named here get in; those that are marked test only are not.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const data = process.argv[2] ?? join(root, '../shared/data')
const target = join(root, 'snapshot')
const LIMIT_BYTES = 25_000_000

const files: SnapshotFile[] = []
let packedBytes = 0

function add(entry: Omit<SnapshotFile, 'sha256' | 'bytes'>, bytes: Uint8Array): void {
  const packed = zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 24 },
  })
  const path = join(target, entry.path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, packed)
  packedBytes += packed.length
  files.push({ ...entry, sha256: sha256Of(bytes), bytes: bytes.length })
}

/** Some columns of a CSV text without quotes, in the order named. */
function columnsOf(text: string, names: readonly string[]): string {
  const [head = '', ...lines] = text.replaceAll('\r', '').trimEnd().split('\n')
  const places = names.map(name => head.split(',').indexOf(name))
  const pick = (line: string) => {
    const cells = line.split(',')
    return places.map(place => cells[place]).join(',')
  }
  return [names.join(','), ...lines.map(pick)].join('\n')
}

const read = (path: string, chain = 'bitcoin'): Buffer => {
  const bytes = readFileSync(join(data, chain, path))
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

rmSync(target, { recursive: true, force: true })

add(
  {
    path: 'blocks/blk-0-4312.dat.zst',
    kind: 'run',
    source: 'bitcoin.chain',
    from: 'jeffchan/blockchain-parser data/blk00000.dat b51e32f',
    licence: 'none stated; public chain data',
  },
  read('runs/blk-0-4312.dat'),
)

type KnownBlock = {
  height: number | null
  file: string
  source: { repo: string; path: string; commit: string; licence: string }
}
/** Blocks of known height above the run: the others are in it, or have no place in the chain yet. */
const islands = (JSON.parse(read('blocks.json').toString()) as KnownBlock[]).filter(
  (block): block is KnownBlock & { height: number } => block.height !== null && block.height > 4312,
)
const prevouts = new Set(readdirSync(join(data, 'bitcoin/prevouts')))
for (const { height, file, source } of islands) {
  const from = `${source.repo} ${source.path} ${source.commit}`
  const facts = { source: 'bitcoin.chain', from, licence: source.licence, height }
  add({ path: `${file}.zst`, kind: 'island', ...facts }, read(file))
  const spent = file.replace('blocks/', '').replace('.bin', '.json')
  if (prevouts.has(spent))
    add({ path: `prevouts/${spent}.zst`, kind: 'prevouts', ...facts }, read(`prevouts/${spent}`))
}

const STATISTICS = [
  'getblockstats-0-2999.csv',
  'getblockstats-499999-509998.csv.gz',
  'getblockstats-679999-699998.csv.gz',
  'getblockstats-776424-786423.csv.gz',
  'getblockstats-909458-934575.csv.gz',
]
const STATISTICS_COLUMNS = [
  'height',
  'blockhash',
  'time',
  'mediantime',
  'txs',
  'ins',
  'outs',
  'total_out',
  'total_size',
  'total_weight',
  'swtxs',
  'swtotal_weight',
  'totalfee',
  'subsidy',
  'medianfee',
  'mediantxsize',
  'fr10',
  'fr25',
  'fr50',
  'fr75',
  'fr90',
  'utxo_increase',
]
const statistics = STATISTICS.map(name => columnsOf(read(`vectors/${name}`).toString(), STATISTICS_COLUMNS))
add(
  {
    path: 'statistics/getblockstats.csv.zst',
    kind: 'statistics',
    source: getblockstats.id,
    from: 'm-marqx/BTC-RPC-Data data/onchain/BTC/block_stats_fragments 34548a5',
    licence: getblockstats.licence,
  },
  Buffer.from(
    [statistics[0], ...statistics.slice(1).map(text => text.slice(text.indexOf('\n') + 1))].join('\n'),
  ),
)
add(
  {
    path: 'series/difficulty-epochs.csv.zst',
    kind: 'epochs',
    source: difficultyEpochs.id,
    from: 'spesmilo/electrum electrum/chains/mainnet/checkpoints.json 923578010; bitcoinj/bitcoinj …/org.bitcoin.production.checkpoints.txt 13e137ec1',
    licence: difficultyEpochs.licence,
  },
  Buffer.from(
    columnsOf(read('series/difficulty-epochs.csv').toString(), [
      'epoch',
      'start_height',
      'start_time_utc',
      'bits',
    ]),
  ),
)
add(
  {
    path: 'series/stale-headers.csv.zst',
    kind: 'stale',
    source: staleBlocks.id,
    from: 'willcl-ark/stale-blocks stale-blocks.csv fe1aafe; bitcoin-data/stale-blocks 025197e',
    licence: staleBlocks.licence,
  },
  Buffer.from(
    columnsOf(read('reorg/stale-headers.csv').toString(), ['height', 'hash', 'time_utc', 'winner_hash']),
  ),
)
for (const { id, file, name, licence } of BITCOIN_RECORDINGS) {
  add({ path: `series/${file}.zst`, kind: 'series', source: id, from: name, licence }, read(`series/${file}`))
}

/** UTC seconds of Bitcoin heights: of headers that a node told of, and of the starts of difficulty epochs. */
const knownTimes = new Map<number, number>()
for (const [height, , time] of rowsOf(statistics.join('\n'))) knownTimes.set(Number(height), Number(time))
const epochs = rowsOf(
  columnsOf(read('series/difficulty-epochs.csv').toString(), ['start_height', 'start_time_utc']),
)
  .filter(([, time]) => time !== '')
  .map(([height, time]) => ({ height: Number(height), timeS: Date.parse(time ?? '') / 1000 }))

function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter(line => /^\d/.test(line))
    .map(line => line.split(','))
}

/** The UTC day of a Bitcoin block: by its header where that is recorded, else between the epochs around it. */
function dayOfHeight(height: number): string {
  const before = epochs.findLast(epoch => epoch.height <= height)
  const after = epochs.find(epoch => epoch.height > height)
  const between =
    before && after
      ? before.timeS +
        ((after.timeS - before.timeS) * (height - before.height)) / (after.height - before.height)
      : undefined
  const timeS = knownTimes.get(height) ?? between
  if (timeS === undefined) throw new Error(`no day is known of Bitcoin block ${height}`)
  return new Date(timeS * 1000).toISOString().slice(0, 10)
}

/** Reward cycles of Stacks begin every 2,100 Bitcoin blocks from 666,050 on. */
const withCycleDays = (text: string): string => {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const place = head.split(',').indexOf('cycle')
  const dayOf = (line: string) => dayOfHeight(666_050 + 2100 * Number(line.split(',')[place]))
  return [`${head},start_day`, ...lines.map(line => `${line},${dayOf(line)}`)].join('\n')
}

const byCycle = [fastPoolCycles.id, stackersCensus.id, arkadikoVaults.id]
const readSeries = (name: string): string => read(`series/${name}`, 'stacks').toString().replaceAll('\r', '')
const facts = JSON.parse(readFileSync(join(data, '../facts/stacks-chain.json'), 'utf8'))
for (const { id, file, name, licence } of STACKS_RECORDINGS) {
  const text = STACKS_DERIVED[id]?.({ read: readSeries, facts, dayOf: dayOfHeight }) ?? readSeries(file)
  add(
    { path: `series/${file}.zst`, kind: 'series', source: id, from: name, licence },
    Buffer.from(byCycle.includes(id) ? withCycleDays(text) : text),
  )
}

/**
 * Messages of main network nodes whose heights are the chain's: the start of the chain with its competing blocks, and
 * six single blocks. Not taken are the recordings whose heights were written over (700,862, 760,063 and 844,350 on
 * Bitcoin): where they stand in the chain nobody says.
 */
const MISLABELLED_BURN_HEIGHT = 844_350
const messagesOf = (name: string) => read(`events/${name}`, 'stacks').toString().trimEnd().split('\n')
type Block = { block_height: number; burn_block_height: number; index_block_hash: string }
const blockIn = (line: string): Block => JSON.parse(line.slice(line.indexOf('{')))

/** The start was recorded without the contents of genesis; another recording has them and counts heights from 0. */
const genesis = messagesOf('mainnet-block0.tsv.gz').find(
  line => line.includes('/new_block') && blockIn(line).block_height === 0,
)
const start = messagesOf('mainnet-reorg-scenario1.tsv.gz').map(line => {
  if (genesis === undefined || !line.includes('/new_block\t')) return line
  const block = blockIn(line)
  if (block.index_block_hash !== blockIn(genesis).index_block_hash) return line
  return (
    line.slice(0, line.indexOf('{')) +
    JSON.stringify({ ...blockIn(genesis), block_height: block.block_height })
  )
})
const single = messagesOf('mainnet-bitcoin-ops-new_block.jsonl')
  .filter(line => blockIn(line).burn_block_height !== MISLABELLED_BURN_HEIGHT)
  .sort((a, b) => blockIn(a).block_height - blockIn(b).block_height)
add(
  {
    path: 'stacks/mainnet-messages.tsv.zst',
    kind: 'stacks_archive',
    source: stacksChain.id,
    from: 'hirosystems/stacks-blockchain-api@759c4a58 tests/api/microblocks/event-replay-logs, tests/api/event-replay/tsv, tests/api/synthetic-txs',
    licence: 'GPL-3.0; public chain data',
  },
  Buffer.from([...start, ...single].join('\n')),
)

/** Raw headers, from which all that their file tells of them is recomputed when they are loaded. */
const headers = read('rootstock-mainnet-headers.jsonl.gz', 'evm').toString().trimEnd().split('\n')
add(
  {
    path: 'layers/rootstock-headers.hex.zst',
    kind: 'evm_headers',
    source: rootstockHeaders.id,
    from: 'rsksmart/rsk-powhsm firmware/test/resources/nvm/12-advance-mainnet.json ed7a3fb',
    licence: rootstockHeaders.licence,
  },
  Buffer.from(headers.map(line => (JSON.parse(line) as { rlp: string }).rlp).join('\n')),
)
for (const { id, file, name, licence } of LAYER_RECORDINGS) {
  add(
    { path: `series/${file}.zst`, kind: 'series', source: id, from: name, licence },
    read(`series/${file}`, 'evm'),
  )
}

const ofMarket = new Map(
  marketFiles(name => read(name, 'market').toString()).map(each => [each.source, each]),
)
for (const { id, file, licence } of MARKET_RECORDINGS) {
  const { from = '', text = '' } = ofMarket.get(id) ?? {}
  add({ path: `series/${file}.zst`, kind: 'series', source: id, from, licence }, Buffer.from(text))
}

const holders = JSON.parse(readFileSync(join(data, '../facts/treasuries.json'), 'utf8'))
for (const { id, file, licence } of TREASURY_RECORDINGS) {
  const derive = TREASURIES_DERIVED[id]
  if (derive === undefined) throw new Error(`nothing says how ${file} is made`)
  const { from, text } = derive({
    read: (name, folder = 'market') => read(name, folder).toString(),
    facts: holders,
  })
  add({ path: `series/${file}.zst`, kind: 'series', source: id, from, licence }, Buffer.from(text))
}

const { ecosystems } = await readCatalog(join(root, 'catalog'))
add(
  {
    path: `series/${developersRecorded.file}.zst`,
    kind: 'series',
    source: developersRecorded.id,
    from: 'git histories; the heads stand in catalog/developers',
    licence: developersRecorded.licence,
  },
  Buffer.from(developerCommits(read('commits.csv.gz', 'market').toString(), ecosystems)),
)

writeFileSync(join(target, 'manifest.json'), `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
if (packedBytes > LIMIT_BYTES)
  throw new Error(`the snapshot takes ${packedBytes} bytes, more than ${LIMIT_BYTES}`)
console.log(`snapshot: ${files.length} files, ${(packedBytes / 1e6).toFixed(1)} MB`)
