import process from 'node:process'
import { readCatalog } from '#catalog/index.ts'
import { type Config, catalogOf, readConfig } from '../config.ts'
import { catalogDir, openRooms, type Rooms } from '../main.ts'
import { createLog } from './log.ts'

/** Runs a command on the rooms of the environment's configuration and closes them after. */
export async function withRooms<Result>(
  run: (rooms: Rooms, config: Config) => Promise<Result>,
): Promise<Result> {
  const catalog = await readCatalog(catalogDir({ catalog: catalogOf(process.env) }))
  const config = readConfig(process.env, catalog.evm)
  await using rooms = await openRooms(config, catalog, createLog(config.logLevel))
  return await run(rooms, config)
}
