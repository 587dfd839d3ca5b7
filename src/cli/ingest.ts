import { Command } from 'commander'
import { demandNode, openIngestOf } from '../main.ts'
import { ingestLine } from './format.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

export const ingestCommand = (): Command =>
  new Command('ingest')
    .description('follow the Bitcoin node of BITCOIN_RPC_URL or BITCOIN_REST_URL')
    .option('--allow-deep-reorg', 'follow a branch that forks more than 100 blocks below', false)
    .action(({ allowDeepReorg }: { allowDeepReorg: boolean }) =>
      withRooms(async (rooms, config) => {
        using node = demandNode(config)
        await using ingest = await openIngestOf(rooms, { node, allowDeepReorg })
        const progress = createProgress()
        await ingest.follow(stopSignal(), at => progress.show(ingestLine(at)))
        progress.end()
      }),
    )
