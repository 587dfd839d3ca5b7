import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach } from 'node:test'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { silentLog } from '#kernel/log.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { type IngestConfig, openIngest } from './openIngest.ts'
import { blkFile, digestOf, emptyTables, type MadeChain } from './testing.ts'

export const warehouse = await openTestWarehouse()
export let home: string

export const open = (network: Network, more: Partial<IngestConfig> = {}) =>
  openIngest({
    warehouse,
    codec: openBitcoinCodec({ network }),
    home,
    network,
    log: silentLog,
    threads: 0,
    cacheBytes: 4_000_000,
    pollMs: 5,
    ...more,
  })

export async function rows<T>(query: string): Promise<T[]> {
  const answer = await warehouse.reader.query({ query, format: 'JSONEachRow' })
  return answer.json<T>()
}

export async function fileOf(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(home, name)
  await writeFile(path, bytes)
  return path
}

/** What a clean run of a chain gives. */
export async function cleanDigest(chain: MadeChain): Promise<Record<string, string>> {
  await emptyTables(warehouse)
  await using ingest = await open('regtest')
  await ingest.ingestFiles([await fileOf('clean.dat', blkFile(chain.blocks))])
  const digest = await digestOf(warehouse)
  await emptyTables(warehouse)
  return digest
}

after(() => warehouse[Symbol.asyncDispose]())

/** Before each test, empties the tables and makes a home. */
export function setUpIngest(): void {
  beforeEach(async () => {
    await emptyTables(warehouse)
    home = await mkdtemp(join(tmpdir(), 'assay-ingest-'))
  })
  afterEach(() => rm(home, { recursive: true, force: true }))
}
