import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { inPhase } from '#kernel/phases.testing.ts'
import { BASE_DATABASE } from './ddl.ts'
import { copyMadeHome } from './madeHome.testing.ts'
import { type Schema, schemaOf } from './schema.ts'
import { openWarehouse, type Warehouse, type WarehouseConfig } from './warehouse.ts'

/** The EVM layers of the catalogue that comes with the program. */
export const testLayers = async (): Promise<string[]> => (await testCatalog()).evm.map(({ id }) => id)

/** What that catalogue declares, of other EVM layers where they are named. */
export async function testSchema(layers?: readonly string[]): Promise<Schema> {
  const catalog = await testCatalog()
  return schemaOf({ ...catalog, evm: layers?.map(id => ({ id })) ?? catalog.evm })
}

type Opened = Warehouse & { readonly home: string }

/** A real warehouse in a fresh folder, migrated; its engine ends and the folder goes when it is disposed. */
export async function openTestWarehouse({
  layers,
  ...more
}: Partial<WarehouseConfig> & { readonly layers?: readonly string[] } = {}): Promise<Opened> {
  const schema = more.schema ?? (await testSchema(layers))
  const home = more.home ?? (await freshHome(schema))
  const opened = await openMigrated({ ...more, schema, home })
  return {
    ...opened,
    async [Symbol.asyncDispose]() {
      await inPhase('engine', () => opened[Symbol.asyncDispose]())
      if (more.home === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}

async function openMigrated(config: Partial<WarehouseConfig> & { readonly home: string }): Promise<Opened> {
  return inPhase('engine', async () => {
    const warehouse = await openWarehouse({ memoryBytes: 512 * 2 ** 20, log: silentLog, ...config })
    await warehouse.migrate()
    return { ...warehouse, home: config.home }
  })
}

/** A folder for `schema`, by default that of the program: one in which it is already declared, where a run of many tests has made one. */
export async function freshHome(schema?: Schema): Promise<string> {
  const declared = schema ?? (await testSchema())
  const fingerprint = createHash('sha256').update(JSON.stringify(declared)).digest('hex').slice(0, 16)
  const made = await copyMadeHome(`warehouse-${fingerprint}`, async home => {
    await using _ = await openMigrated({ schema: declared, home })
  })
  return made?.home ?? (await mkdtemp(join(tmpdir(), 'assay-warehouse-')))
}

/** Deletes all rows of the base tables of these names; those that are empty cost nothing. */
export async function truncateTables(
  { writer }: Pick<Warehouse, 'writer'>,
  names: readonly string[],
): Promise<void> {
  const answer = await writer.query({
    query: `SELECT name FROM system.tables
WHERE database = {base: String} AND name IN {names: Array(String)} AND (total_rows IS NULL OR total_rows > 0)`,
    query_params: { base: BASE_DATABASE, names },
    format: 'JSONEachRow',
  })
  for (const { name } of await answer.json<{ name: string }>())
    await writer.command({ query: `TRUNCATE TABLE ${BASE_DATABASE}.${name}` })
}

/** A file system of so many megabytes of its own; undefined where this user may not mount one. */
export function smallDisk(megabytes: number): (Disposable & { readonly path: string }) | undefined {
  const path = mkdtempSync(join(tmpdir(), 'assay-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' })
  } catch {
    rmSync(path, { recursive: true })
    return undefined
  }
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', [path])
      rmSync(path, { recursive: true })
    },
  }
}
