import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { type AvailabilityWatch, createAvailability } from '#kernel/availability.ts'
import type { Log } from '#kernel/log.ts'
import type { ColumnsOf, RowOf, Table } from '#kernel/table.ts'
import { watchPings } from '#kernel/watchPings.ts'
import { embeddedClient } from './client.ts'
import { BASE_DATABASE } from './ddl.ts'
import { columnsOfRows, encodeNative } from './encode.ts'
import type { Confinement } from './engine/confinement.ts'
import { type Engine, openEngine } from './engine/supervise.ts'
import type { UserChoice, UserDecision } from './engine/user.ts'
import { OPEN_DATABASES_ONLY, withKnownOn } from './knownOn.ts'
import { type Migration, migrate } from './migrate.ts'
import { type Schema, schemaOf } from './schema.ts'
import { serverClients } from './serverClients.ts'
import { sqlString } from './types.ts'
import { createUploadAccess, type UploadAccess } from './uploadAccess.ts'

export type WarehouseConfig = {
  /** Folder of this installation: the embedded engine keeps everything in `warehouse/` below it. */
  readonly home: string
  /** A ClickHouse server instead of the embedded engine. */
  readonly url?: string
  readonly user?: string
  readonly password?: string
  /** With `url`: the user that runs people's SQL; the same one unless given. */
  readonly peopleUser?: string
  readonly peoplePassword?: string
  /** With `url`: the cluster over which tables are spread. */
  readonly cluster?: string
  /** Budget of the embedded engine, bytes; 1 GiB unless given. Its process needs about 150 MB beside it. */
  readonly memoryBytes?: number
  /** Our own reads that run at once; four unless given. */
  readonly readers?: number
  /** Whether the kernel confines the embedded engine to its own files, where it can; yes unless given. */
  readonly isConfined?: boolean
  /** The OS user of the embedded engine; `auto` unless given: another one where that is possible. */
  readonly engineUser?: UserChoice
  /** What is declared (`schemaOf` the catalogue); a warehouse that is not migrated needs none. */
  readonly schema?: Schema
  /** Sources that were recorded after the days that they tell of: what is read as it was known on a day has them on each of those. */
  readonly recordings?: readonly string[]
  /** How long the embedded engine outlives its last user; 0 waits for its end on disposal. */
  readonly graceMs?: number
  /** How long the embedded engine may leave a ping without an answer before it is ended and started again; half a minute unless given, ms. */
  readonly silenceMs?: number
  /** How long a user query may keep the embedded engine busy before it is ended and started again; by the query's time limit unless given, ms. */
  readonly mostBusyMs?: number
  /** How long a question waits for an embedded engine that is away; half a minute unless given, ms. */
  readonly patienceMs?: number
  readonly log: Log
}

export type Health = { readonly isUp: boolean; readonly version?: string; readonly sentence?: string }
/** `totalRows` is the engine's estimate of the rows to read; null before it has one. */
export type StatementProgress = {
  readonly readRows: number
  readonly readBytes: number
  readonly totalRows: number | null
  readonly memoryBytes: number
}
export type Memory = {
  /** Anonymous memory of the engine process, bytes: what counts against a limit. Undefined for a server. */
  readonly anonymousBytes?: number
  /** What the engine itself accounts for, bytes. */
  readonly trackedBytes: number
}

export type Warehouse = AsyncDisposable & {
  /** Table definitions, inserts, rollups. */
  readonly writer: ClickHouseClient
  /** Our own reads: cannot write; five minutes at most. */
  readonly reader: ClickHouseClient
  /** People's SQL with the small limits: 10 s, 1 GiB, 10,000 rows. */
  readonly guest: ClickHouseClient
  /** People's SQL with the larger limits: 60 s, 4 GiB, 1,000,000 rows. */
  readonly member: ClickHouseClient
  /** Inserts many rows of a base table as one block; once it returns, they survive the death of any process. Leave the arrays alone until then. */
  insertColumns<T extends Table>(table: T, columns: ColumnsOf<T>): Promise<void>
  /** Inserts a few rows of a base table. */
  insertRows<T extends Table>(table: T, rows: readonly RowOf<T>[]): Promise<void>
  /** Inserts a file in ClickHouse's `Native` format into a base table; fastest from `inputsOf` the same home. */
  insertNativeFile(table: Table, path: string): Promise<void>
  /** Stops a statement by the `query_id` it was sent with. Returns whether it was running. */
  kill(queryId: string): Promise<boolean>
  /** How far a statement has come that was sent with this `query_id`; undefined if it does not run. */
  progressOf(queryId: string): Promise<StatementProgress | undefined>
  /** Which uploads a request may read, where a server has access control; undefined for the embedded engine. */
  readonly uploadAccess: UploadAccess | undefined
  migrate(): Promise<Migration>
  health(): Promise<Health>
  /** Whether the engine or server answers, as observed by pings each second: from memory. */
  readonly availability: AvailabilityWatch
  /**
   * A text that changes with each statement that may have changed rows, whichever process sent it, and costs next to nothing;
   * undefined for a server, which nobody can ask so, and while the engine does not answer.
   */
  changeMark(): Promise<string | undefined>
  memory(): Promise<Memory>
  /** What the kernel refuses the embedded engine; undefined for a server, which sees to that itself. */
  confinement(): Promise<Confinement | undefined>
  /** Whom the embedded engine runs as; undefined for a server. */
  engineUser(): Promise<UserDecision | undefined>
}

const GIB = 2 ** 30

/** Folder of files that the embedded engine loads itself. It stays as long as an engine runs; only what is in it comes and goes. */
export const inputsOf = (home: string): string => join(home, 'staging')

/** Opens the embedded engine in `home`, or the server at `url`. Throws `warehouse.locked`, `warehouse.engine_start`. */
export async function openWarehouse(config: WarehouseConfig): Promise<Warehouse> {
  const stack = new AsyncDisposableStack()
  try {
    const connected = await connect(config, stack)
    const { tables = [] } = config.schema ?? {}
    const { reader, guest, member } = connected.clients
    withKnownOn(reader, tables, config.recordings ?? [])
    for (const people of [guest, member])
      withKnownOn(people, tables, config.recordings ?? [], OPEN_DATABASES_ONLY)
    return warehouseOf(config, connected, stack)
  } catch (cause) {
    await stack.disposeAsync()
    throw cause
  }
}

type Clients = Readonly<Record<'writer' | 'reader' | 'guest' | 'member', ClickHouseClient>>
type Connected = {
  clients: Clients
  /** Undefined for a server. */
  engine: Engine | undefined
  availability: AvailabilityWatch
}

async function connect(config: WarehouseConfig, stack: AsyncDisposableStack): Promise<Connected> {
  if (config.url !== undefined) {
    const clients = serverClients({ ...config, url: config.url })
    stack.defer(() => closeAll(clients))
    return { clients, engine: undefined, availability: watchServer(clients.reader, stack) }
  }
  const engine = stack.use(
    await openEngine({
      folder: join(config.home, 'warehouse'),
      memoryBytes: config.memoryBytes ?? GIB,
      readers: config.readers ?? 4,
      confinement: {
        isOn: config.isConfined ?? true,
        user: config.engineUser ?? 'auto',
        inputs: [inputsOf(config.home)],
      },
      graceMs: config.graceMs ?? 0,
      ...(config.silenceMs !== undefined && { silenceMs: config.silenceMs }),
      ...(config.mostBusyMs !== undefined && { mostBusyMs: config.mostBusyMs }),
      ...(config.patienceMs !== undefined && { patienceMs: config.patienceMs }),
      log: config.log,
    }),
  )
  const clients = {
    writer: embeddedClient(engine, 'writer'),
    reader: embeddedClient(engine, 'reader'),
    guest: embeddedClient(engine, 'guest'),
    member: embeddedClient(engine, 'member'),
  }
  stack.defer(() => closeAll(clients))
  return { clients, engine, availability: engine.availability }
}

/** Longest time that one ping of a server may take, ms. */
const SERVER_SILENCE_MS = 10_000

function watchServer(client: ClickHouseClient, stack: AsyncDisposableStack): AvailabilityWatch {
  const availability = createAvailability()
  const closing = new AbortController()
  stack.defer(() => closing.abort())
  const options = {
    ping: async (signal: AbortSignal) => (await client.ping({ select: false, abort_signal: signal })).success,
    availability,
    away: 'The ClickHouse server does not answer.',
    silenceMs: SERVER_SILENCE_MS,
  }
  void watchPings(options, closing.signal)
  return availability
}

async function closeAll(clients: Clients): Promise<void> {
  await Promise.all(Object.values(clients).map(client => client.close()))
}

function warehouseOf(
  config: WarehouseConfig,
  { clients, engine, availability }: Connected,
  stack: AsyncDisposableStack,
): Warehouse {
  const { writer, reader } = clients
  const { url } = config
  const uploadAccess =
    url === undefined ? undefined : stack.use(createUploadAccess({ ...config, url }, writer))
  const insertParts = async (table: Table, parts: Iterable<Uint8Array> | Readable): Promise<void> => {
    const values = parts instanceof Readable ? parts : Readable.from(parts, { objectMode: false })
    const { stream } = await writer.exec({
      query: `INSERT INTO ${BASE_DATABASE}.${table.name} FORMAT Native`,
      values,
    })
    for await (const _ of stream) {
      // An insert answers with nothing; the body has to be read for the connection to be free again.
    }
  }
  return {
    ...clients,
    availability,
    async insertColumns(table, columns) {
      if (columns.rowCount > 0) await insertParts(table, encodeNative(table, columns))
    },
    async insertRows(table, rows) {
      if (rows.length > 0) await insertParts(table, encodeNative(table, columnsOfRows(table, rows)))
    },
    async insertNativeFile(table, path) {
      // The embedded engine reads the same disk, but of it only what it was shown at its start.
      const isInput = resolve(path).startsWith(inputsOf(resolve(config.home)) + sep)
      if (engine === undefined || !isInput)
        return insertParts(table, createReadStream(path, { highWaterMark: 2 ** 20 }))
      const into = `INSERT INTO ${BASE_DATABASE}.${table.name}`
      await writer.command({ query: `${into} FROM INFILE ${sqlString(resolve(path))} FORMAT Native` })
    },
    async kill(queryId) {
      const result = await writer.query({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id: queryId },
        format: 'JSONEachRow',
      })
      return (await result.json<{ kill_status: string }>()).length > 0
    },
    async progressOf(queryId) {
      // The embedded engine gives ids of its own; ours is its comment.
      const result = await reader.query({
        query: `SELECT toFloat64(read_rows) AS rows, toFloat64(read_bytes) AS bytes,
  toFloat64(total_rows_approx) AS total, toFloat64(memory_usage) AS memory
FROM system.processes WHERE query_id = {id:String} OR Settings['log_comment'] = {id:String} LIMIT 1`,
        query_params: { id: queryId },
        format: 'JSONEachRow',
      })
      const [row] = await result.json<{ rows: number; bytes: number; total: number; memory: number }>()
      return (
        row && {
          readRows: row.rows,
          readBytes: row.bytes,
          totalRows: row.total > 0 ? row.total : null,
          memoryBytes: row.memory,
        }
      )
    },
    uploadAccess,
    migrate: () => migrate(writer, config.schema ?? schemaOf({ evm: [], stacksApps: [] }), config.cluster),
    async health() {
      try {
        const result = await reader.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' })
        const [row] = await result.json<{ version: string }>()
        return { isUp: true, ...(row === undefined ? {} : { version: row.version }) }
      } catch (cause) {
        return { isUp: false, sentence: cause instanceof Error ? cause.message : String(cause) }
      }
    },
    changeMark: async () => engine?.changeMark(),
    async memory() {
      const result = await writer.query({
        query: "SELECT value FROM system.metrics WHERE metric = 'MemoryTracking'",
        format: 'JSONEachRow',
      })
      const [row] = await result.json<{ value: string }>()
      const process = (await engine?.endpoint())?.pid
      const anonymousBytes = process === undefined ? undefined : await anonymousOf(process)
      return {
        trackedBytes: Number(row?.value ?? 0),
        ...(anonymousBytes === undefined ? {} : { anonymousBytes }),
      }
    },
    confinement: async () => (await engine?.endpoint())?.confinement,
    engineUser: async () => (await engine?.endpoint())?.user,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Undefined where the system has no `/proc`. */
async function anonymousOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kibibytes = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}
