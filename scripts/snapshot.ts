import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { constants, gunzipSync, zstdCompressSync } from 'node:zlib'
import { type SnapshotFile, sha256Of } from '#metrics/snapshot/manifest.ts'
import { BITCOIN_RECORDINGS, difficultyEpochs, getblockstats, staleBlocks } from '#sources/bitcoin.ts'

/**
 * Builds `snapshot/` from recorded data: `npm run snapshot [-- FOLDER]`, by default `../shared/data/bitcoin`. Only files
 * named here get in; those that are marked test only are not.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const data = process.argv[2] ?? join(root, '../shared/data/bitcoin')
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

const read = (path: string): Buffer => {
  const bytes = readFileSync(join(data, path))
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
const prevouts = new Set(readdirSync(join(data, 'prevouts')))
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

writeFileSync(join(target, 'manifest.json'), `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
if (packedBytes > LIMIT_BYTES)
  throw new Error(`the snapshot takes ${packedBytes} bytes, more than ${LIMIT_BYTES}`)
console.log(`snapshot: ${files.length} files, ${(packedBytes / 1e6).toFixed(1)} MB`)
