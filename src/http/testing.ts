import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { CATALOG_DIR, testCatalog } from '#catalog/testing.ts'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { readContent } from '#content/index.ts'
import { createExplorer, readSentences } from '#explorer/index.ts'
import { openIngest } from '#ingest/index.ts'
import { silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { createMetrics, type Metrics } from '#metrics/index.ts'
import { createQueries } from '#queries/index.ts'
import type { NamedPage } from '#search/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { btcBlockStats } from '#warehouse/tables/bitcoin.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import blocks from './blocks.fixture.json' with { type: 'json' }
import { type DataVersion, openDataVersion } from './cache/dataVersion.ts'
import type { Schedule } from './contract.ts'
import { type ApiFor, createApi } from './createApi.ts'
import { createHttp } from './createHttp.ts'
import type { Pages } from './pages/loadPages.ts'
import { readStatus } from './readStatus.ts'
import { siteOf } from './siteOf.ts'

export type TestSite = AsyncDisposable & {
  app: FastifyInstance
  apiFor: ApiFor
  warehouse: Warehouse
  metrics: Metrics
  version: DataVersion
}

/** The texts and reports that come with the program. */
const CONTENT_DIR = fileURLToPath(new URL('../../content', import.meta.url))

/**
 * The whole server over a real warehouse that holds blocks 0, 1, 170 and 100,000 as islands, and statistics of 171.
 * `more` are files of further blocks.
 */
export async function openTestSite({
  pages,
  named = [],
  more = [],
  schedule = async () => ({ state: 'off', sentence: 'No publisher is asked.', requests: [] }),
}: {
  pages?: Pages
  /** The map of the site that its search knows. */
  named?: readonly NamedPage[]
  schedule?: () => Promise<Schedule>
  more?: readonly string[]
} = {}): Promise<TestSite> {
  await using opening = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'assay-http-'))
  opening.defer(() => rm(home, { recursive: true, force: true }))
  const files = Object.entries(blocks).map(([name, hex]) => ({ path: join(home, `${name}.bin`), hex }))
  for (const { path, hex } of files) await writeFile(path, hex, 'hex')
  const warehouse = opening.use(await openTestWarehouse())
  const codec = openBitcoinCodec({ network: 'mainnet' })
  {
    await using ingest = await openIngest({
      warehouse,
      codec,
      home,
      network: 'mainnet',
      log: silentLog,
      threads: 0,
    })
    await ingest.ingestFiles([...files.map(({ path }) => path), ...more])
  }
  await warehouse.insertRows(btcBlockStats, [STATISTICS_OF_171])
  const catalog = await testCatalog()
  const metrics = createMetrics({ warehouse, catalog, log: silentLog })
  await metrics.refreshRollups()
  // A clock that stands: otherwise a test that runs while ten minutes end finds its answers gone.
  const now = () => 0
  const version = opening.use(await openDataVersion({ warehouse, release: 'test', log: silentLog, now }))
  const apiFor = createApi({
    metrics,
    queries: createQueries({ warehouse, knownSql: metrics.list, log: silentLog }),
    explorer: createExplorer({
      warehouse,
      network: 'mainnet',
      catalog,
      layers: () => readEvmCatalog(CATALOG_DIR),
      sentences: () => readSentences(CATALOG_DIR),
    }),
    catalog,
    content: await readContent(CONTENT_DIR),
    pages: named,
    status: () =>
      readStatus({
        warehouse,
        metrics,
        network: 'mainnet',
        version: '1.2.3',
        hasNode: false,
        layers: catalog.evm.map(({ id }) => id),
      }),
    schedule: () => schedule(),
    version,
  })
  const app = createHttp({
    config: {
      publicUrl: 'http://localhost:4400',
      version: '1.2.3',
      ...siteOf(catalog),
      links: { newsletter: undefined, social: undefined, docs: '/documentation' },
    },
    apiFor,
    version,
    health: async () => ({ isHealthy: true, detail: 'Pages are served.' }),
    ...(pages && { pages }),
    log: silentLog,
  })
  opening.defer(() => app.close())
  await app.ready()
  const stack = opening.move()
  return { app, apiFor, warehouse, metrics, version, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const STATISTICS_OF_171 = {
  height: 171,
  hash: Buffer.from('00000000c9ec538cab7f38ef9c67a95742f56ab07b0a37c5be6b02808dbfb4e0', 'hex'),
  blockTime: 1_231_731_000,
  medianTime: 1_231_730_000,
  txCount: 3,
  inputCount: 2,
  outputCount: 4,
  outputSat: 5n,
  sizeBytes: 200,
  weightWu: 800,
  segwitTxCount: 0,
  segwitWeightWu: 0,
  feeSat: 12n,
  subsidySat: 5_000_000_000n,
  medianFeeSat: 6n,
  medianTxSizeBytes: 100,
  feerateP10: 1,
  feerateP25: 1,
  feerateP50: 2,
  feerateP75: 3,
  feerateP90: 4,
  utxoIncrease: 2,
  source: 'a made row',
}
