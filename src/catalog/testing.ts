import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Catalog, readCatalog } from './readCatalog.ts'

export const CATALOG_DIR = fileURLToPath(new URL('../../catalog', import.meta.url))

/** The catalogue that comes with the program. */
export const testCatalog = (): Promise<Catalog> => readCatalog(CATALOG_DIR)

/** A copy of its folder, to change; it goes with its scope. */
export async function copyCatalog(): Promise<AsyncDisposable & { readonly dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'assay-catalog-'))
  await cp(CATALOG_DIR, dir, { recursive: true })
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) }
}
