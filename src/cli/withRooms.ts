import process from 'node:process'
import { type Config, readConfig } from '../config.ts'
import { openRooms, type Rooms } from '../main.ts'
import { createLog } from './log.ts'

/** Runs a command on the rooms of the environment's configuration and closes them after. */
export async function withRooms<Result>(
  run: (rooms: Rooms, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env)
  await using rooms = await openRooms(config, createLog(config.logLevel))
  return await run(rooms, config)
}
