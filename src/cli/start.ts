import { Command } from 'commander'
import { loadBundled, openSite } from '../main.ts'
import { createBell } from './commits.ts'
import { keepAsking, keepFollowers, keepReading } from './followers.ts'
import { snapshotLine } from './format.ts'
import { createProgress } from './progress.ts'
import { stopped, stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'
import { keepHours, keepWorking } from './work.ts'

export const startCommand = (): Command =>
  new Command('start')
    .description('everything in one process group: engine, pages, ingest, jobs')
    .action(() =>
      withRooms(async (rooms, config) => {
        const signal = stopSignal()
        let isLoaded = false
        await using site = await openSite(rooms, () =>
          isLoaded ? undefined : 'The bundled snapshot is being loaded.',
        )
        const progress = createProgress()
        await loadBundled(rooms, at => progress.show(snapshotLine(at)))
        progress.end()
        isLoaded = true
        console.log(`Assay is at ${config.publicUrl}`)
        const bell = createBell()
        site.onChange(bell.ring)
        const running = [
          keepWorking(rooms, signal),
          keepHours(rooms, signal, { bell, onCounted: site.look }),
          keepFollowers(config, rooms.log, signal, () => {
            bell.ring()
            site.look()
          }),
          keepAsking(config, rooms.log, signal),
          keepReading(config, rooms.log, signal),
        ]
        await stopped(signal)
        await Promise.all(running)
      }),
    )
