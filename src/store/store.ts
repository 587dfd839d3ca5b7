import { join } from 'node:path'
import pg from 'pg'
import { createAvailability } from '#kernel/availability.ts'
import { AssayError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { watchPings } from '#kernel/watchPings.ts'
import { answersAt, endStore, joinEngine, SILENCE_MS } from './engine/join.ts'
import { StoreError } from './errors.ts'
import { migrate } from './migrate.ts'

export type StoreConfig = {
  /** Folder of this installation: the embedded store keeps everything in `store/` below it. */
  readonly home: string
  /** A PostgreSQL server in place of the embedded store. */
  readonly url?: string | undefined
  /** How long the embedded store outlives its last user; 0, the default, waits for its end on disposal. */
  readonly graceMs?: number
  /** How long the embedded store may stay silent before it is ended and started again; half a minute unless given, ms. */
  readonly silenceMs?: number
  readonly log: Log
}

export type Row = Readonly<Record<string, unknown>>

/**
 * Where small state lives that changes: what was asked when, what is due. PostgreSQL in either case, spoken to by `pg`
 * alone. Figures live in the warehouse.
 */
export type Store = AsyncDisposable & {
  /** One statement, or several of one text without values. Throws `store.down` where nobody answers. */
  query<Result = Row>(text: string, values?: readonly unknown[]): Promise<Result[]>
  /** What a job queue asks by. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Connections of one process; the embedded store runs one statement at a time. */
const CONNECTIONS = 4
const CONNECT_TIMEOUT_MS = 10_000
/** No statement of ours takes as long: a server that vanished without closing its connections is given up. */
const STATEMENT_TIMEOUT_MS = 60_000
/** Pauses between attempts to start an embedded store that does not come up. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/** Opens the store of `home`, or the server at `url`, and brings its tables up to date. Throws `store.down`, `store.newer`. */
export async function openStore(config: StoreConfig): Promise<Store> {
  const connected = config.url === undefined ? embedded(config) : onServer(config.url)
  try {
    await connected.borrow(migrate)
  } catch (cause) {
    await connected.close()
    throw cause
  }
  const run = (text: string, values?: readonly unknown[]): Promise<Row[]> =>
    connected.borrow(async client => {
      // Of a text with several statements the driver gives a result each.
      const results: pg.QueryResult | pg.QueryResult[] = await client.query({
        text,
        ...(values && { values: [...values] }),
        query_timeout: STATEMENT_TIMEOUT_MS,
      } as pg.QueryConfig)
      return Array.isArray(results) ? results.flatMap(({ rows }) => rows ?? []) : results.rows
    })
  return {
    query: async <Result>(text: string, values?: readonly unknown[]) => (await run(text, values)) as Result[],
    executeSql: async (text, values) => ({ rows: await run(text, values) }),
    [Symbol.asyncDispose]: () => connected.close(),
  }
}

type Borrow = <Result>(by: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>
type Connected = { readonly borrow: Borrow; close(): Promise<void> }

function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'assay',
    ...config,
  })
  // A connection that ends while nobody uses it: the next statement opens another.
  pool.on('error', () => {})
  return pool
}

async function onClient<Result>(
  pool: pg.Pool,
  by: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // A connection that breaks off in the middle says so twice: to its statement, and to whoever listens.
  const heard = () => {}
  client.on('error', heard)
  let hasFailed = true
  try {
    const result = await by(client)
    hasFailed = false
    return result
  } finally {
    client.off('error', heard)
    // What failed may have left a transaction open: its connection is not used again.
    client.release(hasFailed)
  }
}

function onServer(url: string): Connected {
  const pool = poolOf({ connectionString: url })
  return {
    borrow: by => onClient(pool, by).catch(cause => Promise.reject(down(cause, placeOf(url)))),
    close: () => pool.end(),
  }
}

/** Host, port and name of the base: no password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/**
 * The process that holds the folder is joined with the first statement, and again after it has died. One that does not come up is
 * tried again without end, after a pause in which statements fail at once.
 */
function embedded({ home, graceMs = 0, silenceMs = SILENCE_MS, log }: StoreConfig): Connected {
  const folder = join(home, 'store')
  let current: Promise<{ pool: pg.Pool; leave(): Promise<void> }> | undefined
  let isClosed = false
  let failures = 0
  let retryAt = 0
  let failure: unknown
  const enter = async () => {
    const { endpoint, onEnd, leave } = await joinEngine({ folder, graceMs }, silenceMs)
    const pool = poolOf({
      host: '127.0.0.1',
      port: endpoint.port,
      user: 'assay',
      password: endpoint.token,
      database: 'postgres',
    })
    const watching = new AbortController()
    const handleSilence = () => {
      log.warn('The embedded store does not answer and is ended.', { pid: endpoint.pid })
      void endStore(endpoint.pid, folder)
    }
    const ping = (signal: AbortSignal) => answersAt(endpoint, signal)
    void watchPings(
      { ping, availability: createAvailability(), away: '', silenceMs, handleSilence },
      watching.signal,
    )
    onEnd(() => {
      watching.abort()
      current = undefined
      if (!isClosed) log.warn('The embedded store ended unexpectedly; the next statement starts it again.')
      void pool.end()
    })
    return {
      pool,
      leave: () => {
        watching.abort()
        return leave()
      },
    }
  }
  const reenter = async () => {
    if (Date.now() < retryAt) throw failure
    try {
      const entered = await enter()
      failures = 0
      return entered
    } catch (cause) {
      failure = cause
      retryAt = Date.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++)
      throw cause
    }
  }
  return {
    async borrow(by) {
      current ??= reenter().catch(cause => {
        current = undefined
        throw cause
      })
      const { pool } = await current
      return await onClient(pool, by).catch(cause => Promise.reject(down(cause, folder)))
    },
    async close() {
      isClosed = true
      const held = await current?.catch(() => undefined)
      current = undefined
      await held?.pool.end()
      await held?.leave()
    },
  }
}

/** Faults of the connection as a sentence; faults of a statement as they are. */
function down(cause: unknown, place: string): unknown {
  if (cause instanceof AssayError || cause instanceof pg.DatabaseError) {
    const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : ''
    // Class 28: the password; 3D: no such base; 57P: the server goes down.
    if (!/^(28|3D|57P)/.test(code)) return cause
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StoreError('store.down', `The store at ${place} does not answer: ${reason}.`, {
    hint: 'Look whether it runs; DATABASE_URL names a server, without it the store of ASSAY_HOME is used.',
    cause,
  })
}
