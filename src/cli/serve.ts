import { Command } from 'commander'
import { openSite } from '../main.ts'
import { stopped, stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

export const serveCommand = (): Command =>
  new Command('serve').description('answer pages and API; ingest and jobs run elsewhere').action(() =>
    withRooms(async (rooms, config) => {
      const signal = stopSignal()
      await using _site = await openSite(rooms)
      console.log(`Assay is at ${config.publicUrl}`)
      await stopped(signal)
    }),
  )
