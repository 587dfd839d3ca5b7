import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { openIngest } from '#ingest/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse, type Warehouse } from '#warehouse/index.ts'
import {
  btcBatches,
  btcBlocks,
  btcInputs,
  btcInscriptions,
  btcLayerOps,
  btcOutpoints,
  btcOutputs,
  btcTxs,
} from '#warehouse/tables/bitcoin.ts'
import { testSchema } from '#warehouse/testing.ts'
import { openHelper } from '../helper.ts'

export type IngestRequest =
  /** Raw blocks to queryable rows, in a fresh warehouse. */
  | {
      readonly type: 'ingest'
      readonly home: string
      readonly blocksDir: string
      readonly cacheBytes: number
    }
  /** One more block on top of them, from a file. */
  | { readonly type: 'append'; readonly path: string }
  /** The final tables as one Native file each. */
  | { readonly type: 'export'; readonly folder: string }
  /** The engine's own load of such files, in a fresh warehouse. */
  | { readonly type: 'load'; readonly home: string; readonly folder: string }

export type IngestAnswer = {
  readonly ms: number
  /** Rows of all tables of blocks, those that the engine fills itself in. */
  readonly rowCount: number
  /** Spends whose output memory had no room for. */
  readonly olderFound: number
}

export const openIngestProcess = () => openHelper<IngestRequest, IngestAnswer>(import.meta.filename)

/** The largest ones first. */
const TABLES = [
  btcInputs,
  btcOutpoints,
  btcOutputs,
  btcTxs,
  btcBlocks,
  btcInscriptions,
  btcLayerOps,
  btcBatches,
]

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const open = new AsyncDisposableStack()
  const serve = await serving(open)
  process.on('message', async (request: IngestRequest) => process.send!(await serve(request)))
  process.on('disconnect', async () => {
    await open.disposeAsync()
    process.exit()
  })
}

async function serving(
  open: AsyncDisposableStack,
): Promise<(request: IngestRequest) => Promise<IngestAnswer>> {
  let warehouse: Warehouse
  let ingest: Awaited<ReturnType<typeof openIngest>>

  async function openAt(home: string): Promise<void> {
    await mkdir(home, { recursive: true })
    warehouse = open.use(await openWarehouse({ home, log: silentLog, schema: await testSchema() }))
    await warehouse.migrate()
  }

  async function answer(ms: number, olderFound = 0): Promise<IngestAnswer> {
    // Into how many batches blocks were cut depends on how fast loads went.
    const ofBlocks = TABLES.filter(table => table !== btcBatches)
    const counts = ofBlocks.map(({ name }) => `SELECT count() AS n FROM base.${name}`).join(' UNION ALL ')
    return { ms, rowCount: Number(await readValue(warehouse, `SELECT sum(n) FROM (${counts})`)), olderFound }
  }

  return async request => {
    switch (request.type) {
      case 'ingest': {
        await openAt(request.home)
        const { home, cacheBytes } = request
        const codec = openBitcoinCodec({ network: 'regtest' })
        ingest = open.use(
          await openIngest({
            warehouse,
            codec,
            home,
            network: 'regtest',
            log: silentLog,
            cacheBytes,
          }),
        )
        const start = performance.now()
        await ingest.ingestFiles([request.blocksDir])
        const ms = performance.now() - start
        const unknown = await readValue(
          warehouse,
          'SELECT countIf(prev_value_sat IS NULL AND NOT is_coinbase) FROM btc_inputs',
        )
        if (unknown !== '0') throw new Error(`${unknown} inputs lack their prevout`)
        const { inSpill, inEngine } = (await ingest.status()).olderFound
        return answer(ms, inSpill + inEngine)
      }
      case 'append': {
        await mergesDone(warehouse)
        const before = await readValue(warehouse, 'SELECT max(height) FROM btc_blocks')
        const start = performance.now()
        await ingest.ingestFiles([request.path])
        const top = await readValue(
          warehouse,
          'SELECT height FROM btc_blocks WHERE height = (SELECT max(to_height) FROM btc_coverage) AND fee_sat IS NOT NULL',
        )
        const ms = performance.now() - start
        if (Number(top) !== Number(before) + 1)
          throw new Error(`block ${top} stands where ${before} + 1 belongs`)
        return answer(ms)
      }
      case 'export':
        await mkdir(request.folder, { recursive: true })
        for (const { name } of TABLES) {
          const { stream } = await warehouse.writer.exec({
            query: `SELECT * FROM base.${name} FORMAT Native`,
          })
          await pipeline(stream, createWriteStream(nativeFile(request.folder, name)))
        }
        return answer(0)
      case 'load': {
        await openAt(request.home)
        // Each table comes from its own file: the engine must not fill one of them a second time.
        await warehouse.writer.command({ query: 'DROP VIEW base.btc_outpoints_fill' })
        const start = performance.now()
        const waiting = [...TABLES]
        const lane = async (): Promise<void> => {
          for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
            const file = nativeFile(request.folder, table.name)
            await warehouse.writer.command({
              query: `INSERT INTO base.${table.name} SELECT * FROM file('${file}', Native)`,
            })
          }
        }
        // A file is read by one thread: two at a time keep both cores busy, and more pass the engine's memory.
        await Promise.all([lane(), lane()])
        return answer(performance.now() - start)
      }
    }
  }
}

const nativeFile = (folder: string, table: string): string => join(folder, `${table}.native`)

/** At the tip the engine has long merged what a backfill has left it. */
async function mergesDone(warehouse: Warehouse): Promise<void> {
  for (let idle = 0; idle < 4; await delay(250))
    idle = (await readValue(warehouse, 'SELECT count() FROM system.merges')) === '0' ? idle + 1 : 0
}

async function readValue(warehouse: Warehouse, query: string): Promise<string> {
  const result = await warehouse.reader.query({ query, format: 'TabSeparated' })
  return (await result.text()).trim()
}
