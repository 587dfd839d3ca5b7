import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Billing } from '#accounts/billing/index.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Catalog } from '#catalog/index.ts'
import { CATALOG_DIR, testCatalog } from '#catalog/testing.ts'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { type Cms, openCms, readContentFiles } from '#content/index.ts'
import { createExplorer, readSentences } from '#explorer/index.ts'
import { openIngest } from '#ingest/index.ts'
import { type Log, silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { createMetrics, type Metrics } from '#metrics/index.ts'
import type { Metric } from '#metrics/metric.ts'
import { openSnapshotMetrics } from '#metrics/testing.ts'
import {
  createExecutor,
  createQueries,
  type Executor,
  openQueryTool,
  type QueryTool,
  uploadTables,
} from '#queries/index.ts'
import type { NamedPage } from '#search/index.ts'
import { type Store, StoreError } from '#store/index.ts'
import { schemaOf, type Warehouse } from '#warehouse/index.ts'
import { copyMadeHome } from '#warehouse/madeHome.testing.ts'
import { btcBlockStats } from '#warehouse/tables/bitcoin.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { toApiError } from './apiError.ts'
import blocks from './blocks.fixture.json' with { type: 'json' }
import type { BodyPace } from './bodyDeadlines.ts'
import { type DataVersion, openDataVersion } from './cache/dataVersion.ts'
import type { Schedule } from './contract.ts'
import { type ApiFor, createApi } from './createApi.ts'
import { createHttp } from './createHttp.ts'
import { allReady } from './health/routes.ts'
import { testLinks } from './links.testing.ts'
import type { Pages } from './pages/loadPages.ts'
import { scheduleMail } from './queries/schedules/scheduleMail.ts'
import { readStatus } from './readStatus.ts'
import { readPlans } from './routes/billing.ts'
import { siteOf } from './siteOf.ts'

export type TestSite = AsyncDisposable & {
  app: FastifyInstance
  queryTool: QueryTool
  apiFor: ApiFor
  warehouse: Warehouse & { readonly home: string }
  metrics: Metrics
  version: DataVersion
  cms: Cms
  /** Runs every user query of the site. */
  executor: Executor
}

/** The texts and reports that come with the program. */
export const CONTENT_DIR: string = fileURLToPath(new URL('../../content', import.meta.url))

/**
 * The whole server over a real warehouse that holds blocks 0, 1, 170 and 100,000 as islands, and statistics of 171.
 * `more` are files of further blocks.
 */
export async function openTestSite({
  pages,
  named = [],
  more = [],
  holds = 'blocks',
  over,
  registry,
  content = CONTENT_DIR,
  store = async () => {
    throw new StoreError('store.down', 'This site has no store.')
  },
  accounts,
  billing,
  nowMs = Date.now,
  publicUrl = 'http://localhost:4400',
  trustProxy,
  bodyPace,
  log = silentLog,
  draftBytes,
  schedule = async () => ({ state: 'off', sentence: 'No publisher is asked.', requests: [] }),
}: {
  pages?: Pages
  /** The map of the site that its search knows. */
  named?: readonly NamedPage[]
  schedule?: () => Promise<Schedule>
  /** Folder of texts. */
  content?: string
  store?: () => Promise<Store>
  billing?: Billing
  /** Who proves who asks. */
  accounts?: Accounts
  /** The clock of texts and advertisements. */
  nowMs?: () => number
  publicUrl?: string
  /** Proxies whose X-Forwarded-For counts. */
  trustProxy?: string[]
  bodyPace?: BodyPace
  /** Where the web server says what it does. */
  log?: Log
  /** Disk for uploaded files not yet saved as a table. */
  draftBytes?: number
  more?: readonly string[]
  /** `snapshot`: the bundled data in place of the blocks. */
  holds?: 'blocks' | 'snapshot'
  /** The warehouse of another site, as for a server of another version on the same data. */
  over?: Pick<TestSite, 'warehouse'>
  /** Metrics of such a version. */
  registry?: (catalog: Catalog) => readonly Metric[]
} = {}): Promise<TestSite> {
  await using opening = new AsyncDisposableStack()
  const catalog = await testCatalog()
  async function openData(): Promise<Pick<TestSite, 'warehouse' | 'metrics'>> {
    if (over !== undefined) {
      const { warehouse } = over
      return {
        warehouse,
        metrics: createMetrics({ warehouse, catalog, log: silentLog, ...(registry && { registry }) }),
      }
    }
    return holds === 'snapshot'
      ? opening.use(await openSnapshotMetrics())
      : openBlocks(opening, catalog, more)
  }
  const { warehouse, metrics } = await openData()
  // A clock that stands: otherwise a test that runs while ten minutes end finds its answers gone.
  const now = () => 0
  const cms = opening.use(
    openCms({ files: await readContentFiles(content), store, log: silentLog, now: nowMs }),
  )
  const version = opening.use(
    await openDataVersion({ warehouse, release: 'test', texts: cms.mark, log: silentLog, now }),
  )
  const executor = createExecutor({
    warehouse,
    knownSql: metrics.list,
    uploads: uploadTables({ query: async (text, values) => (await store()).query(text, values) }),
    log: silentLog,
  })
  const apiFor = createApi({
    metrics,
    queries: createQueries(executor),
    explorer: createExplorer({
      warehouse,
      network: 'mainnet',
      catalog,
      layers: () => readEvmCatalog(CATALOG_DIR),
      sentences: () => readSentences(CATALOG_DIR),
    }),
    catalog,
    content: cms.content,
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
    plans: () => readPlans(billing),
    schedule: () => schedule(),
    version,
  })
  const queryTool = opening.use(
    await openQueryTool({
      reader: { home: await freshFolder(opening), memoryBytes: 256 * 2 ** 20 },
      resultBytes: 64 * 2 ** 20,
      ...(draftBytes !== undefined && { draftBytes }),
      executor,
      warehouse,
      schema: schemaOf(catalog),
      data: { version: version.rows, asOf: sql => apiFor({ address: 'query runs' }).asOfSql(sql) },
      store: { query: async (text, values) => (await store()).query(text, values) },
      ...(accounts && {
        mayRun: (owner, email) => accounts.mayUse(owner, email, 'query'),
        tellFailure: failure =>
          accounts.notify(failure.owner, failure.email, scheduleMail(failure, publicUrl)),
      }),
      problemOf: thrown => toApiError(thrown).problem,
      log: silentLog,
    }),
  )
  const app = createHttp({
    config: {
      publicUrl,
      version: '1.2.3',
      ...siteOf(catalog),
      links: testLinks,
      ...(trustProxy && { trustProxy }),
      ...(bodyPace && { bodyPace }),
    },
    apiFor,
    version,
    availability: warehouse.availability,
    cms,
    ...(accounts && { accounts }),
    ...(billing && { billing }),
    queryTool,
    health: allReady,
    ...(pages && { pages }),
    log,
  })
  opening.defer(() => app.close())
  await app.ready()
  const stack = opening.move()
  return {
    app,
    queryTool,
    apiFor,
    warehouse,
    metrics,
    version,
    cms,
    executor,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function freshFolder(opening: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-results-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A warehouse that holds the blocks. */
async function openBlocks(
  opening: AsyncDisposableStack,
  catalog: Catalog,
  more: readonly string[],
): Promise<Pick<TestSite, 'warehouse' | 'metrics'>> {
  const made = more.length === 0 ? await copyMadeHome('site', makeHome) : undefined
  if (made) opening.use(made)
  const warehouse = opening.use(await openTestWarehouse(made))
  const metrics = createMetrics({ warehouse, catalog, log: silentLog })
  if (!made) await fill(warehouse, metrics, more)
  return { warehouse, metrics }
}

/** A folder with what every such site holds, made once in a run of many tests. */
async function makeHome(home: string): Promise<void> {
  await using warehouse = await openTestWarehouse({ home })
  await fill(warehouse, createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog }), [])
}

async function fill(warehouse: Warehouse, metrics: Metrics, more: readonly string[]): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'assay-http-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  const files = Object.entries(blocks).map(([name, hex]) => ({ path: join(home, `${name}.bin`), hex }))
  for (const { path, hex } of files) await writeFile(path, hex, 'hex')
  const ingest = opened.use(
    await openIngest({
      warehouse,
      codec: openBitcoinCodec({ network: 'mainnet' }),
      home,
      network: 'mainnet',
      log: silentLog,
      threads: 0,
    }),
  )
  await ingest.ingestFiles([...files.map(({ path }) => path), ...more])
  await warehouse.insertRows(btcBlockStats, [STATISTICS_OF_171])
  await metrics.refreshRollups()
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
