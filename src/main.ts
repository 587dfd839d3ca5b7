import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type Billing, keepReconciled, openBilling } from '#accounts/billing/index.ts'
import { type Accounts, type KeptOfPeople, openAccounts, personKey } from '#accounts/index.ts'
import { type Catalog, readFacts } from '#catalog/index.ts'
import { type BitcoinCodec, type MiningPool, openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { type BlockSource, createRestSource, createRpcSource } from '#chains/bitcoin/node/index.ts'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksClient, type StacksClient } from '#chains/stacks/node/index.ts'
import { openCms, readContentFiles } from '#content/index.ts'
import { createExplorer, readSentences } from '#explorer/index.ts'
import {
  type Check,
  createApi,
  createHttp,
  loadPages,
  noteHistories,
  openClickHousePort,
  openDataVersion,
  openHealthWatch,
  openReadAhead,
  readPlans,
  readSchedule,
  readStatus,
  type Schedule,
  scheduleMail,
  siteOf,
  toApiError,
} from '#http/index.ts'
import { type Ingest, type IngestConfig, openIngest } from '#ingest/index.ts'
import {
  type AskDeps,
  createRunner,
  missingKey,
  type Runner,
  readSourceStates,
} from '#ingest/sources/index.ts'
import { openStacksIngest, type StacksIngest } from '#ingest/stacks/index.ts'
import { AssayError, ConfigError, fileWords, sentenceOf } from '#kernel/errors.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Log } from '#kernel/log.ts'
import { createMetrics, loadSnapshot, type Metrics, type SnapshotProgress } from '#metrics/index.ts'
import {
  createComments,
  createExecutor,
  createHistory,
  createQueries,
  createSavedQueries,
  createSchedules,
  createSharedTurns,
  openQueryTool,
  type QueueStore,
  UPLOAD_LIMITS,
  uploadTables,
} from '#queries/index.ts'
import { LIVE_SOURCES, RECORDINGS } from '#sources/all.ts'
import { stacksReads } from '#sources/live/stacksReads.ts'
import type { LiveSource } from '#sources/live.ts'
import { openStore, type Store } from '#store/index.ts'
import { openWarehouse, schemaOf, type Warehouse } from '#warehouse/index.ts'
import type { Config } from './config.ts'
import { version } from './version.ts'

/** Pages over recordings: their answers stay for long once they are made, and making them takes the engine a second or two. */
const DRAWN_AHEAD = [
  '/analyze/bitcoin-treasuries',
  '/analyze/bitcoin-yield',
  '/analyze/bitcoin-defi-indices',
  '/analyze/alpha21',
  '/developer-activity',
] as const

/** A file that comes with the program. */
export const inRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The folder of the catalogue: the one of the configuration, or the one that comes with the program. */
export const catalogDir = ({ catalog }: Pick<Config, 'catalog'>): string => catalog ?? inRoot('catalog')

/** What another process has published, and what was scheduled, is seen after so long at most. */
const CMS_POLL_MS = 10_000

/** What every command that touches data stands on. */
export type Rooms = AsyncDisposable & {
  readonly config: Config
  readonly log: Log
  readonly warehouse: Warehouse
  readonly codec: BitcoinCodec
  readonly catalog: Catalog
  readonly metrics: Metrics
}

/** Opens the warehouse, brings its tables up to date and builds what stands on it. Last opened, first closed. */
export async function openRooms(config: Config, catalog: Catalog, log: Log): Promise<Rooms> {
  await makeHome(config.home)
  await using opening = new AsyncDisposableStack()
  const { url, user, password, peopleUser, peoplePassword, cluster, memoryBytes, isConfined, engineUser } =
    config.warehouse
  const warehouse = opening.use(
    await openWarehouse({
      home: config.home,
      memoryBytes,
      isConfined,
      engineUser,
      schema: schemaOf(catalog),
      recordings: RECORDINGS.map(({ id }) => id),
      log,
      ...(url !== undefined && { url }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(peopleUser !== undefined && { peopleUser, peoplePassword: peoplePassword ?? '' }),
      ...(cluster !== undefined && { cluster }),
    }),
  )
  if (url !== undefined && (peopleUser === undefined || peopleUser === user))
    log.warn(
      'User queries run as CLICKHOUSE_USER, which has write access. Only the gate and readonly=1 restrict them.',
      {
        hint: 'Set CLICKHOUSE_PEOPLE_USER to a read-only user. See docs/decisions/clickhouse-server.md.',
      },
    )
  await warehouse.migrate()
  const rooms = {
    config,
    log,
    warehouse,
    catalog,
    codec: openBitcoinCodec({ network: config.bitcoin.network }),
    metrics: createMetrics({ warehouse, log, catalog }),
  }
  const opened = opening.move()
  return { ...rooms, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The data folder, made where it is not yet. Throws a ConfigError where it cannot be used. */
export async function makeHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 })
    await access(home, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new ConfigError('config.home', `ASSAY_HOME: ${home} ${fileWords(cause) ?? 'cannot be used'}.`, {
      hint: 'Choose a folder that this user may write.',
      cause,
    })
  }
}

/** Whether this installation follows a node. */
export const hasNode = ({ bitcoin }: Config): boolean =>
  bitcoin.rpcUrl !== undefined || bitcoin.restUrl !== undefined

/** Whether Stacks is to be followed by asking: with a node that posts its events only where that is asked for. */
export const asksStacks = ({ stacks }: Config): boolean =>
  stacks.nodes.length > 0 ||
  (stacks.apis.length > 0 && (stacks.observerPort === undefined || stacks.isApiChosen))

/** Whether this installation follows Stacks by any source. */
export const followsStacks = (config: Config): boolean =>
  config.stacks.observerPort !== undefined || asksStacks(config)

/** The EVM layers that this installation follows, in the order of the catalogue. */
export const followedLayers = ({ layers }: Config): EvmLayer[] => Object.keys(layers)

/** The node of the configuration; undefined where none is given. */
export function nodeOf({ bitcoin }: Config): (BlockSource & Disposable) | undefined {
  const { network, rpcUrl, rpcUser, rpcPassword, rpcCookie, restUrl } = bitcoin
  if (restUrl !== undefined) return createRestSource({ url: restUrl, network })
  if (rpcUrl === undefined) return undefined
  return createRpcSource({
    url: rpcUrl,
    user: rpcUser,
    password: rpcPassword,
    cookieFile: rpcCookie,
    network,
  })
}

/** The same for commands that are nothing without one. Throws a ConfigError that names the variables. */
export function demandNode(config: Config): BlockSource & Disposable {
  const node = nodeOf(config)
  if (node !== undefined) return node
  throw new ConfigError('config.no_node', 'No node is configured.', {
    hint: 'Set BITCOIN_RPC_URL or BITCOIN_REST_URL.',
  })
}

const Pools = z.object({
  pools: z.array(
    z.object({
      name: z.string(),
      tags: z.array(z.string()),
      addresses: z.array(z.string()),
      link: z.string(),
    }),
  ),
})

const readPools = async (config: Config): Promise<MiningPool[]> =>
  (await readFacts(catalogDir(config), 'bitcoin/mining-pools.json', Pools)).pools

/** Takes the lease of Bitcoin ingest. Throws `ingest.locked` while another process holds it. */
export async function openIngestOf(
  rooms: Rooms,
  more: Pick<IngestConfig, 'node' | 'allowDeepReorg'> = {},
): Promise<Ingest> {
  const { config, warehouse, codec, log } = rooms
  return openIngest({
    warehouse,
    codec,
    home: config.home,
    network: config.bitcoin.network,
    log,
    pools: await readPools(config),
    startHeight: config.bitcoin.startHeight,
    cacheBytes: config.ingest.cacheBytes,
    ...(config.ingest.workers !== undefined && { threads: config.ingest.workers }),
    ...more,
  })
}

const Prints = z.object({
  contracts: z.record(
    z.string(),
    z.array(
      z.object({
        in: z.string(),
        shape: z.string(),
        literals: z.record(z.string(), z.string()).optional(),
      }),
    ),
  ),
})

/** Takes the lease of Stacks ingest. Throws `ingest.locked` while another process holds it. */
export async function openStacksIngestOf({ config, warehouse, log }: Rooms): Promise<StacksIngest> {
  const listed = await readFacts(catalogDir(config), 'stacks/prints.json', Prints)
  return openStacksIngest({
    warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(listed),
    home: config.home,
    log,
    ...(config.ingest.workers !== undefined && { threads: config.ingest.workers }),
  })
}

/** Who answers read-only calls on Stacks: the own node before an API. Undefined where neither is asked. */
export function stacksCalls({ stacks: { nodes, apis, apiKey } }: Config): AskDeps['stacks'] {
  const [node] = nodes
  const [api] = apis
  if (node !== undefined) return { url: node }
  return api === undefined ? undefined : { url: api, apiKey }
}

/**
 * The publishers that this installation asks: those that are chosen, without those whose key is missing, and without
 * contracts on Stacks where nobody answers for them.
 */
export const askedSources = (config: Config): LiveSource[] =>
  LIVE_SOURCES.filter(
    source =>
      (config.sources.ids === undefined || config.sources.ids.includes(source.id)) &&
      missingKey(source, config.sources.keys) === undefined &&
      (source !== stacksReads || stacksCalls(config) !== undefined),
  )

/** Where jobs and state live. Throws `store.…`. */
export const openStoreOf = ({ config, log }: Pick<Rooms, 'config' | 'log'>): Promise<Store> =>
  openStore({ home: config.home, url: config.store.url, log })

/** Asks the publishers of this installation, one request at a time. */
export const createRunnerOf = (
  { config, warehouse, catalog, log }: Rooms,
  store: Store,
  sources: readonly LiveSource[] = askedSources(config),
): Runner =>
  createRunner({
    warehouse,
    store,
    log,
    catalog,
    sources,
    keys: config.sources.keys,
    mirror: config.sources.mirrorUrl,
    stacks: stacksCalls(config),
    holder: `${hostname()} ${process.pid} ${randomUUID()}`,
    now: Date.now,
  })

/** Brings the bundled snapshot in where it is not yet: it is of the main network. */
export async function loadBundled(
  rooms: Rooms,
  onProgress: (progress: SnapshotProgress) => void,
): Promise<void> {
  if (rooms.config.bitcoin.network !== 'mainnet') return
  await using bitcoin = await openIngestOf(rooms)
  await using stacks = await openStacksIngestOf(rooms)
  const { warehouse, catalog, log } = rooms
  const ingest = { bitcoin, stacks }
  await loadSnapshot({ warehouse, catalog, ingest, dir: inRoot('snapshot'), log }, onProgress)
}

/** Facts of the EVM layers: their module loads a codec, so it is loaded with the first question about a layer. */
const readLayerCatalog = async (config: Config) =>
  (await import('#metrics/evmCatalog.ts')).readEvmCatalog(catalogDir(config))

/** The web server while it runs. */
export type OpenSite = AsyncDisposable & {
  /** Looks whether the data has changed, now instead of at the next turn. */
  look(): void
  /** Called after each change of the data, whoever made it. */
  onChange(listener: () => void): void
}

/**
 * The web server on its port. Pages and API answer from the first moment; `/healthz` says when they are worth it.
 * @param dataCheck why the data is not loaded yet; undefined once it is
 */
export async function openSite(rooms: Rooms, dataCheck: Check = () => undefined): Promise<OpenSite> {
  const { config, warehouse, metrics, log } = rooms
  await using opening = new AsyncDisposableStack()
  // A page that fails leaves other reads running. If they fail too, nobody awaits them, and Node would end the server.
  const handleUnhandled = (cause: unknown) => log.error('unhandled failure', { cause: sentenceOf(cause) })
  process.on('unhandledRejection', handleUnhandled)
  opening.defer(() => void process.off('unhandledRejection', handleUnhandled))
  const pages = await loadPages(inRoot('build'))
  const store = opening.use(openWhenAsked(() => openStoreOf(rooms)))
  // A fault of a text is told at the start, not to the first reader.
  const files = await readContentFiles(config.content ?? inRoot('content'))
  let onPublished = () => {}
  const cms = opening.use(
    openCms({
      files,
      store: store.get,
      log,
      now: Date.now,
      pollMs: CMS_POLL_MS,
      onChange: () => onPublished(),
    }),
  )
  const dataVersion = opening.use(
    await openDataVersion({ warehouse, release: `${version()} ${pages.release}`, texts: cms.mark, log }),
  )
  onPublished = () => void dataVersion.refresh()
  const billing =
    config.stripe === undefined
      ? undefined
      : openBilling({
          config: { ...config.stripe, publicUrl: config.publicUrl },
          store: store.get,
          log,
          now: Date.now,
        })
  if (billing !== undefined) opening.use(keepReconciled(billing, log))
  // Not waited for: the files are there already, and the store may take a moment.
  void cms.refresh()
  const status = () =>
    readStatus({
      warehouse,
      metrics,
      network: config.bitcoin.network,
      version: version(),
      hasNode: hasNode(config),
      followsStacks: followsStacks(config),
      layers: rooms.catalog.evm.map(({ id }) => id),
      followedLayers: followedLayers(config),
    })
  const accounts = opening.use(openAccountsOf(rooms, store.get, billing))
  const balances = opening.use(
    openWhenAsked(async () => (await import('./cli/nodeBalances.ts')).openNodeBalances(config)),
  )
  // A fault of the catalogue is told at the start, not to the first reader.
  const sentences = await readSentences(catalogDir(config))
  const queueStore: QueueStore = { query: async (text, values) => (await store.get()).query(text, values) }
  const turns = opening.use(createSharedTurns({ store: queueStore, log }))
  const executor = createExecutor({
    warehouse,
    knownSql: () => metrics.list(),
    uploads: uploadTables(queueStore),
    log,
    shared: turns,
  })
  const api = createApi({
    metrics,
    queries: createQueries(executor),
    explorer: createExplorer({
      warehouse,
      network: config.bitcoin.network,
      layers: () => readLayerCatalog(config),
      catalog: rooms.catalog,
      nodes: async () => (await balances.get()).nodes,
      sentences: async () => sentences,
    }),
    catalog: rooms.catalog,
    content: cms.content,
    pages: pages.mapOf(siteOf(rooms.catalog)),
    status,
    plans: () => readPlans(billing),
    schedule: () => readScheduleOf(rooms, store.get),
    version: dataVersion,
  })
  const { apiFor, asked } = noteHistories(api)
  const queryTool = opening.use(
    await openQueryTool({
      reader: {
        home: config.home,
        memoryBytes: READER_MEMORY_BYTES,
        isConfined: config.warehouse.isConfined,
        engineUser: config.warehouse.engineUser,
      },
      resultBytes: config.queryResultBytes,
      uploadLimits: { ...UPLOAD_LIMITS, ...config.uploads },
      draftBytes: config.uploadDraftBytes,
      executor,
      turns,
      warehouse,
      schema: schemaOf(rooms.catalog),
      data: { version: dataVersion.rows, asOf: sql => apiFor({ address: 'query runs' }).asOfSql(sql) },
      store: queueStore,
      mayRun: (owner, email) => accounts.mayUse(owner, email, 'query'),
      tellFailure: failure =>
        accounts.notify(failure.owner, failure.email, scheduleMail(failure, config.publicUrl)),
      isScheduling: true,
      problemOf: thrown => toApiError(thrown).problem,
      log,
    }),
  )
  const stacksNode = openStacksNode(config)
  if (stacksNode !== undefined) opening.use(stacksNode)
  const watch = opening.use(
    openHealthWatch({
      engine: async () => {
        const { isUp, sentence } = await warehouse.health()
        return isUp ? undefined : (sentence ?? 'The warehouse engine does not answer.')
      },
      store: async () => {
        await (await store.get()).query('SELECT 1')
        return undefined
      },
      data: dataCheck,
    }),
  )
  const app = createHttp({
    config: {
      publicUrl: config.publicUrl,
      apiUrl: config.publicApiUrl,
      version: version(),
      ...siteOf(rooms.catalog),
      links: config.links,
      ...(config.trustProxy && { trustProxy: config.trustProxy }),
    },
    apiFor,
    version: dataVersion,
    availability: warehouse.availability,
    cms,
    ...(billing && { billing }),
    health: watch.current,
    pages,
    accounts,
    queryTool,
    ...(stacksNode && { stacksNode }),
    log,
  })
  opening.defer(() => app.close())
  if (config.readsAhead)
    opening.use(
      openReadAhead(api, dataVersion, {
        asked,
        first: async () => {
          await app.inject({ url: '/' })
          // The index of names is made with its first question.
          await api({ address: 'read ahead' }).search({ q: 'bitcoin', limit: 1 })
        },
        last: DRAWN_AHEAD.map(url => () => app.inject({ url })),
      }),
    )
  await listen(app, config)
  const { host, clickhousePort } = config
  if (clickhousePort !== undefined) {
    const version = async () => (await warehouse.health()).version ?? 'unknown'
    const listening = openClickHousePort(
      {
        executor,
        accounts,
        uploads: queryTool.uploads,
        recordRun: queryTool.recordRun,
        version,
        asOf: sql => apiFor({ address: 'ClickHouse port' }).asOfSql(sql),
        log,
      },
      { host, port: clickhousePort },
    )
    opening.use(
      await listening.catch(cause => {
        throw listenError(cause, { host, port: clickhousePort }, 'CLICKHOUSE_PORT')
      }),
    )
    log.info('ClickHouse clients can connect', { host, port: clickhousePort })
  }
  const opened = opening.move()
  return {
    look: () => void dataVersion.refresh(),
    onChange: listener => dataVersion.onChange(() => listener()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Budget of the engine that reads stored results: sorting a million rows of ten columns takes about 200 MB. */
const READER_MEMORY_BYTES = 512 * 2 ** 20

/** A part of what the public API takes a minute: readers' questions must not keep blocks waiting. */
const READERS_CALLS_A_MINUTE = { plain: 20, withKey: 200 } as const

/** Whom readers' questions are passed to: the public API, which has more calls, else a node. */
function openStacksNode({ publicUrl, stacks: { apis, nodes, apiKey } }: Config): StacksClient | undefined {
  const [api] = apis
  const url = api ?? nodes[0]
  if (url === undefined) return undefined
  const { plain, withKey } = READERS_CALLS_A_MINUTE
  return openStacksClient({
    url,
    referrer: publicUrl,
    ...(api !== undefined && { apiKey, requestsPerMinute: apiKey === undefined ? plain : withKey }),
  })
}

/** Who people are. The store is opened by the first who signs in. */
export const openAccountsOf = (
  { config, log }: Pick<Rooms, 'config' | 'log'>,
  store: () => Promise<Store>,
  billing?: Billing,
): Accounts => {
  const query: Store['query'] = async (text, values) => (await store()).query(text, values)
  return openAccounts({
    store: { query },
    config: { publicUrl: config.publicUrl, ...config.people },
    log,
    now: Date.now,
    ...(billing && { planOf: billing.planOf }),
    others: [queriesOf(query), ...(billing ? [billing.kept] : [])],
  })
}

/** Saved queries, comments, the history of runs and uploads, for the export and the deletion of an account. */
function queriesOf(query: Store['query']): KeptOfPeople {
  const [saved, comments, schedules] = [
    createSavedQueries(query),
    createComments(query),
    createSchedules({ query }),
  ]
  const [history, uploads] = [createHistory(query), uploadTables({ query })]
  return {
    name: 'queries',
    async export(person) {
      const owner = personKey(person)
      return {
        saved: await saved.export(owner),
        comments: await comments.export(owner),
        schedules: await schedules.export(owner),
        runs: await history.export(owner),
        uploads: await uploads.export(owner),
      }
    },
    async delete(person) {
      const owner = personKey(person)
      await comments.deleteAll(owner)
      await saved.deleteAll(owner)
      await history.deleteAll(owner)
      await uploads.deleteAll(owner)
    },
  }
}

/** How publishers are asked. The store is opened by the first who asks, if anybody is to be asked at all. */
export const readScheduleOf = ({ config, catalog }: Rooms, store: () => Promise<Store>): Promise<Schedule> =>
  readSchedule({
    declared: LIVE_SOURCES,
    asked: askedSources(config),
    keys: config.sources.keys,
    catalog,
    states: async () => readSourceStates(await store()),
  })

/** Opens something with the first question for it, and again with the next where that failed. */
export function openWhenAsked<Opened extends AsyncDisposable>(
  open: () => Promise<Opened>,
): AsyncDisposable & { get(): Promise<Opened> } {
  let opened: Promise<Opened> | undefined
  return {
    get() {
      opened ??= open().catch(cause => {
        opened = undefined
        throw cause
      })
      return opened
    },
    async [Symbol.asyncDispose]() {
      await (await opened?.catch(() => undefined))?.[Symbol.asyncDispose]()
    },
  }
}

async function listen(
  app: { listen(options: { port: number; host: string }): Promise<string> },
  config: Config,
): Promise<void> {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (cause) {
    throw listenError(cause, config, 'PORT')
  }
}

function listenError(
  cause: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  variable: 'PORT' | 'CLICKHOUSE_PORT',
): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  const facts = { host, port }
  if (code === 'EADDRINUSE')
    return new AssayError('start.port_taken', `Port ${port} is taken by another program.`, {
      facts,
      hint: `Set ${variable} to a free one, or stop that program.`,
      cause,
    })
  if (code === 'EACCES')
    return new AssayError('start.port_forbidden', `This user may not listen on port ${port}.`, {
      facts,
      hint: `Set ${variable} to one above 1023.`,
      cause,
    })
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return new ConfigError('start.host', `HOST: "${host}" is no address of this machine.`, { facts, cause })
  return cause
}
