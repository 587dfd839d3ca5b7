import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, type NativeEngine, openNativeEngine } from '../engine/native.ts'
import { EXPLAIN, formattingOf, type Parsed, readFormatting } from './gate.ts'

export const casesOf = <T>(file: string): T[] =>
  readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)

export type Query = { readonly sql: string; readonly params?: Readonly<Record<string, unknown>> }

/** `code` is the engine's error that the user gets, `server` that of a server where it differs. */
export const HOSTILE = casesOf<Query & { family: string; code: number; server?: number }>('hostile.jsonl')
export const OPEN = casesOf<Query>('open.jsonl')

export type EngineParser = Disposable & {
  readonly native: NativeEngine
  /** A connection that enforces nothing. */
  readonly root: Connection
  parsedBy(connection: Connection, sql: string): Promise<Parsed>
  /** Runs on a connection that has these parameters and no limits. */
  withParameters<T>(params: Query['params'], run: (on: Connection) => Promise<T>): Promise<T>
}

/** Opens the engine on an empty folder, in this process. */
export function openEngineParser(): EngineParser {
  const folder = mkdtempSync(join(tmpdir(), 'assay-gate-'))
  const native = openNativeEngine(join(folder, 'data'))
  const root = native.connect([])
  return {
    native,
    root,
    parsedBy: async (connection, sql) => ({
      tree: (await connection.run(EXPLAIN + sql, 'TSVRaw')).bytes.toString(),
      ...readFormatting((await connection.run(formattingOf(sql), 'JSONCompactEachRow')).bytes.toString()),
    }),
    async withParameters(params, run) {
      if (params === undefined) return run(root)
      const connection = native.connect([])
      try {
        const values = Object.entries(params).map(([name, value]) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value)
          return `param_${name} = '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
        })
        await connection.run(`SET ${values.join(', ')}`, 'Null')
        return await run(connection)
      } finally {
        connection.close()
      }
    },
    [Symbol.dispose]() {
      root.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
