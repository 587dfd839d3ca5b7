import { Command } from 'commander'
import { followRepositories, readOnce, repositoriesOf } from '#ingest/developers/follow.ts'
import { ConfigError } from '#kernel/errors.ts'
import { nearestNames } from '#kernel/nearest.ts'
import type { Rooms } from '../main.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

const depsOf = ({ warehouse, catalog, log, config }: Rooms) => ({
  warehouse,
  catalog,
  log,
  config: { home: config.home, diskBytes: config.developers.diskBytes },
})

async function readNow(rooms: Rooms, name: string | undefined): Promise<void> {
  const all = repositoriesOf(rooms.catalog)
  const chosen = name === undefined ? all : all.filter(each => each.name === name)
  if (chosen.length === 0)
    throw new ConfigError('config.repository', `The catalog has no repository ${name}.`, {
      hint: `Near are ${nearestNames(
        name ?? '',
        all.map(each => each.name),
      ).join(', ')}.`,
    })
  const done = await readOnce(depsOf(rooms), chosen, stopSignal())
  await rooms.metrics.refreshDevelopers()
  console.log(`${done} of ${chosen.length} ${chosen.length === 1 ? 'history' : 'histories'} read`)
  if (done < chosen.length) process.exitCode = 1
}

export const developersCommand = (): Command => {
  const command = new Command('developers').description('git histories, from which developers are counted')
  command
    .command('read')
    .description('clone or fetch now and recount, also while the site is running')
    .argument('[repository]', 'owner/name, as in the catalog; all of them unless given')
    .action((name: string | undefined) => withRooms(rooms => readNow(rooms, name)))
  command
    .command('follow')
    .description('read every repository once a day, as `start` does with DEVELOPERS=on')
    .action(() => withRooms(rooms => followRepositories(depsOf(rooms), stopSignal())))
  return command
}
