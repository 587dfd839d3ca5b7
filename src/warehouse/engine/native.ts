import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

declare const brand: unique symbol
type Handle = { readonly [brand]: 'connection' }
type StreamHandle = { readonly [brand]: 'stream' }

/** The part of the addon of `chdb` that the engine process uses. Each connection runs one statement at a time. */
type Addon = {
  CreateConnection(path: string, args: readonly string[]): Handle
  CloseConnection(connection: Handle): void
  QueryAsyncConnection(connection: Handle, sql: string, format: string): Promise<WholeResult>
  InsertRawAsyncConnection(
    connection: Handle,
    sql: string,
    rows: Buffer,
    countLines: boolean,
  ): Promise<{ rowsWritten: number; bytesWritten: number }>
  StreamQuery(connection: Handle, sql: string, format: string): StreamHandle
  StreamFetch(stream: StreamHandle): Promise<{ bytes: Buffer; numRows: number; done: boolean }>
  StreamCancel(stream: StreamHandle): void
  DurableClassifyAsync(
    connection: Handle,
    sql: string,
    database: null,
  ): Promise<{ statementCount: number; queryClass: number }>
}

/** `rowsRead` and `bytesRead` count what the statement returned. */
export type WholeResult = { bytes: Buffer; rowsRead: number; bytesRead: number }

/** What the engine's parser says of a text. `others` holds what is neither a read nor a change of tables. */
export type Statement = { count: number; kind: 'read' | 'change' | 'other' }

/**
 * The embedded engine at a folder, opened by its first connection and closed with its last. `chdb`'s own `Session` waits
 * for the operations of all sessions before it closes one, so connections are held here directly.
 */
export type NativeEngine = {
  /** Settings are engine arguments (`--name=value`); they hold for this connection and cannot be lifted by SQL when `readonly=1`. */
  connect(args: readonly string[]): Connection
}

export type Connection = {
  /** A statement whose result is taken whole, or that has none. */
  run(sql: string, format: string): Promise<WholeResult>
  /** An `INSERT … FROM INFILE`. */
  insert(sql: string): Promise<{ rowsWritten: number; bytesWritten: number }>
  /** A read, block by block; ending the iteration early stops the statement. */
  stream(sql: string, format: string): AsyncGenerator<{ bytes: Buffer; rowCount: number }>
  classify(sql: string): Promise<Statement>
  /** Call once nothing runs on it any more. */
  close(): void
}

export function openNativeEngine(path: string): NativeEngine {
  const resolve = createRequire(import.meta.url)
  // The package's own entry opens a process-wide default connection on demand; its loader gives the addon alone.
  const loader = join(dirname(resolve.resolve('chdb/package.json')), 'dist', 'loader.js')
  const { loadNative } = resolve(loader) as { loadNative(): Addon }
  const addon = loadNative()
  return { connect: args => connectionOf(addon, addon.CreateConnection(path, args)) }
}

function connectionOf(addon: Addon, handle: Handle): Connection {
  return {
    run: (sql, format) => addon.QueryAsyncConnection(handle, sql, format),
    insert: sql => addon.InsertRawAsyncConnection(handle, sql, Buffer.alloc(0), false),
    async *stream(sql, format) {
      const stream = addon.StreamQuery(handle, sql, format)
      let isOver = false
      try {
        for (;;) {
          const { bytes, numRows, done } = await addon.StreamFetch(stream)
          if (done) {
            isOver = true
            return
          }
          yield { bytes, rowCount: numRows }
        }
      } catch (cause) {
        isOver = true
        throw cause
      } finally {
        if (!isOver) addon.StreamCancel(stream)
      }
    },
    async classify(sql) {
      const { statementCount, queryClass } = await addon.DurableClassifyAsync(handle, sql, null)
      return {
        count: statementCount,
        kind: queryClass === 0 ? 'read' : queryClass === 1 ? 'change' : 'other',
      }
    },
    close: () => addon.CloseConnection(handle),
  }
}
