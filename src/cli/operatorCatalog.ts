import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { catalogOf } from '../config.ts'

/** The folder of the catalogue that the environment names, else of the one that comes with the program; for commands that open nothing else. */
export const operatorCatalog = (): string =>
  catalogOf(process.env) ?? fileURLToPath(new URL('../../catalog', import.meta.url))
