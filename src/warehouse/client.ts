import { Agent, type ClientRequestArgs } from 'node:http'
import { connect } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Role } from './engine/roles.ts'
import type { Engine } from './engine/supervise.ts'
import { WarehouseError } from './errors.ts'

export const CLIENT_OPTIONS = {
  application: 'assay',
  max_open_connections: 64,
  request_timeout: 3_600_000,
  keep_alive: { enabled: true, idle_socket_ttl: 30_000 },
  // Errors are thrown; whoever catches them knows what they mean. The client would print them besides.
  log: { level: ClickHouseLogLevel.OFF },
} as const

/**
 * The official client on the embedded engine, for one role. It outlives the engine process: connections go to whichever
 * runs now, and wait while it is being started again. A read that was lost with the process is asked again once; what
 * may have changed rows fails with `warehouse.engine_lost`.
 */
export function embeddedClient(
  engine: Engine,
  role: Role,
  mayRepeat: boolean = role !== 'writer',
): ClickHouseClient {
  const client = createClient({
    ...CLIENT_OPTIONS,
    // The agent decides where it goes: the port changes when the engine is started again.
    url: 'http://127.0.0.1:1',
    username: role,
    password: engine.token,
    http_agent: new EngineAgent(engine),
  })
  return withRecovery(client, engine, mayRepeat)
}

class EngineAgent extends Agent {
  readonly #engine: Engine

  constructor(engine: Engine) {
    super({ keepAlive: true, maxSockets: CLIENT_OPTIONS.max_open_connections })
    this.#engine = engine
  }

  override createConnection(
    _: ClientRequestArgs,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#engine.endpoint().then(
      ({ port }) => {
        const socket = connect({ port, host: '127.0.0.1', noDelay: true })
        // The request may have been given up meanwhile: then nobody else hears that the connection failed, and that must not end
        // this process.
        socket.on('error', () => {})
        done?.(null, socket)
      },
      // Node calls it with the error alone, which its type does not say.
      cause => (done as ((error: Error) => void) | undefined)?.(cause),
    )
  }
}

function withRecovery(client: ClickHouseClient, engine: Engine, mayRepeat: boolean): ClickHouseClient {
  /** Runs `ask`; when the process is lost meanwhile, waits for the next one and asks again if that is safe. */
  const recovering = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (cause) {
      if (isDiskFull(cause)) throw diskFull(engine.folder, cause)
      if (!isLost(cause)) throw cause
      await engine.alive()
      if (!mayRepeat && codeOf(cause) !== 'ECONNREFUSED') throw engineLost(cause)
      return await ask().catch(again => {
        throw isLost(again) ? engineLost(again) : again
      })
    }
  }
  const own = {
    query: client.query.bind(client),
    command: client.command.bind(client),
    insert: client.insert.bind(client),
    exec: client.exec.bind(client),
  }
  type Query = typeof client.query
  const query = async (params: Parameters<Query>[0]) => {
    const result = await recovering(() => own.query(params))
    const plain = {
      json: result.json.bind(result),
      text: result.text.bind(result),
      stream: result.stream.bind(result),
    }
    const whole =
      <T>(take: () => Promise<T>, again: () => Promise<T>) =>
      () =>
        take().catch(cause => {
          if (!isLost(cause)) throw cause
          return engine.alive().then(again)
        })
    return Object.assign(result, {
      json: whole(plain.json, async () => (await own.query(params)).json()),
      text: whole(plain.text, async () => (await own.query(params)).text()),
      stream: () => Readable.from(named(plain.stream())),
    })
  }
  return Object.assign(client, {
    // The generic signature of `query` cannot be restated: the format is passed through as it came.
    query: query as unknown as Query,
    command: (params: Parameters<typeof client.command>[0]) => recovering(() => own.command(params)),
    insert: (params: Parameters<typeof client.insert>[0]) => recovering(() => own.insert(params)),
    exec: (params: Parameters<typeof client.exec>[0]) => recovering(() => own.exec(params)),
  })
}

/** The same blocks of rows; a process lost on the way has its name. */
async function* named<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (cause) {
    throw isLost(cause) ? engineLost(cause) : cause
  }
}

const LOST = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR'])

const isLost = (thrown: unknown): boolean =>
  LOST.has(codeOf(thrown) ?? '') ||
  (thrown instanceof Error && /socket hang up|^aborted$/.test(thrown.message))

/** 243 is what the engine says before it writes; the system's own words come from within a write. */
const isDiskFull = (thrown: unknown): boolean =>
  thrown instanceof ClickHouseError &&
  (thrown.code === '243' || /errno: 28\b|No space left on device/.test(thrown.message))

const diskFull = (folder: string, cause: unknown): WarehouseError =>
  new WarehouseError('warehouse.disk_full', `The disk that holds the warehouse is full (${folder}).`, {
    hint: 'Free space there, then go on: what was acknowledged is held, nothing else was written.',
    cause,
  })

const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined

const engineLost = (cause: unknown): WarehouseError =>
  new WarehouseError(
    'warehouse.engine_lost',
    'The warehouse engine stopped while it worked on this statement.',
    {
      hint: 'It has been started again. What was acknowledged is there; repeat what was not.',
      cause,
    },
  )
