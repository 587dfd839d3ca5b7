import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Log } from '#kernel/log.ts'
import { embeddedClient } from './client.ts'
import { openEngine } from './engine/supervise.ts'
import type { UserChoice } from './engine/user.ts'

export type FileReaderConfig = {
  /** Folder of this installation. */
  readonly home: string
  /** Budget of the engine, bytes. Its process needs about 150 MB beside it. */
  readonly memoryBytes: number
  readonly isConfined?: boolean
  readonly engineUser?: UserChoice
  readonly log: Log
}

/**
 * Reads rows of files with the functions and formats of ClickHouse, in an engine of its own: it holds no chain data, and where
 * the kernel confines it, it can open files of this folder alone.
 */
export type FileReader = AsyncDisposable & {
  /** Where the files are. Made if it does not exist. */
  readonly folder: string
  /** Starts the engine with the first call. Statements may use `file(path, format)`. Throws `warehouse.engine_start`. */
  client(): Promise<ClickHouseClient>
}

export async function openFileReader({
  home,
  memoryBytes,
  isConfined,
  engineUser,
  log,
}: FileReaderConfig): Promise<FileReader> {
  const folder = join(resolve(home), 'results')
  await mkdir(folder, { recursive: true })
  let opened: Promise<{ client: ClickHouseClient; close(): Promise<void> }> | undefined
  const open = async () => {
    const engine = await openEngine({
      folder: join(resolve(home), 'results-engine'),
      memoryBytes,
      readers: 4,
      confinement: { isOn: isConfined ?? true, user: engineUser ?? 'auto', inputs: [folder] },
      graceMs: 0,
      // Users wait for pages and first rows while the other engine runs queries.
      nice: 1,
      log,
    })
    // The role that may read files. It has nothing to write to, so what was lost with the engine is asked again.
    const client = embeddedClient(engine, 'writer', true)
    return {
      client,
      async close() {
        await client.close()
        await engine[Symbol.asyncDispose]()
      },
    }
  }
  return {
    folder,
    async client() {
      opened ??= open().catch(cause => {
        opened = undefined
        throw cause
      })
      return (await opened).client
    },
    async [Symbol.asyncDispose]() {
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}
