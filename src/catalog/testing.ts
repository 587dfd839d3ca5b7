import { fileURLToPath } from 'node:url'
import { type Catalog, readCatalog } from './readCatalog.ts'

export const CATALOG_DIR = fileURLToPath(new URL('../../catalog', import.meta.url))

/** The catalogue that comes with the program. */
export const testCatalog = (): Promise<Catalog> => readCatalog(CATALOG_DIR)
