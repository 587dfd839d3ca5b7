import type { Connection, NativeEngine, WholeResult } from './native.ts'
import { literal } from './sql.ts'

/** How far a running statement has come. */
export type Progress = {
  readonly read_rows: string
  readonly read_bytes: string
  readonly total_rows_to_read: string
  readonly elapsed_ns: string
}

/**
 * Looks at running statements and stops them, beside the queues. The engine gives its own ids; ours travels as the
 * connection's `log_comment`, which SQL on a read-only connection cannot change.
 */
export type Control = {
  /** Names of settings, for a check that the engine leaves out. */
  settingNames(): Promise<string[]>
  stop(queryId: string, format?: string): Promise<WholeResult>
  stopAll(): Promise<void>
  progressOf(queryId: string): Promise<Progress | undefined>
  close(): void
}

const OURS = "Settings['log_comment'] != ''"

export function createControl(engine: NativeEngine): Control {
  const connection = inTurn(engine.connect(['--max_threads=1']))
  const textOf = async (sql: string, format: string) => (await connection.run(sql, format)).bytes.toString()
  return {
    settingNames: async () =>
      (await textOf('SELECT name FROM system.settings', 'TSVRaw')).trimEnd().split('\n'),
    stop: (queryId, format = 'Null') =>
      connection.run(
        `KILL QUERY WHERE Settings['log_comment'] = ${literal(queryId)} ASYNC FORMAT ${format}`,
        format,
      ),
    stopAll: async () => {
      // Not SYNC: an insert whose sender died ends only after the stop that its pipe asks for, by this very connection.
      do await connection.run(`KILL QUERY WHERE ${OURS} ASYNC`, 'Null')
      while ((await textOf(`SELECT count() FROM system.processes WHERE ${OURS}`, 'TSVRaw')).trim() !== '0')
    },
    async progressOf(queryId) {
      const line = await textOf(
        `SELECT
          toString(read_rows) AS read_rows,
          toString(read_bytes) AS read_bytes,
          toString(total_rows_approx) AS total_rows_to_read,
          toString(toUInt64(elapsed * 1e9)) AS elapsed_ns
        FROM system.processes
        WHERE Settings['log_comment'] = ${literal(queryId)}
        LIMIT 1`,
        'JSONEachRow',
      )
      return line === '' ? undefined : (JSON.parse(line) as Progress)
    },
    close: () => connection.close(),
  }
}

/** A connection runs one statement at a time: later ones wait for their turn. */
function inTurn(connection: Connection): Pick<Connection, 'run' | 'close'> {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(sql, format) {
      const mine = last.then(() => connection.run(sql, format))
      last = mine.catch(() => {})
      return mine
    },
    close: () => connection.close(),
  }
}
