import { Command } from 'commander'
import { openSite } from '../main.ts'
import { stopped, stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

export const serveCommand = (): Command =>
  new Command('serve').description('answer pages and API; ingest and jobs run elsewhere').action(() =>
    withRooms(async (rooms, config) => {
      const signal = stopSignal()
      await using _site = await openSite(rooms, () => rooms.warehouse.health().then(healthOf))
      console.log(`Assay is at ${config.publicUrl}`)
      await stopped(signal)
    }),
  )

/** Pages can be served while the warehouse answers. */
export const healthOf = ({ isUp, sentence }: { isUp: boolean; sentence?: string }) => ({
  isHealthy: isUp,
  detail: isUp ? 'Pages are served.' : (sentence ?? 'The warehouse does not answer.'),
})
