import process from 'node:process'
import { Command } from 'commander'
import { demandNode, openIngestOf } from '../main.ts'
import { checkStretch, height } from './heights.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

type Options = { from?: number; to?: number; againstNode: boolean }

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('check what is held against itself, and against the node where asked')
    .option('--from <height>', 'first height', height)
    .option('--to <height>', 'last height', height)
    .option('--against-node', 'decode the node’s blocks again and compare', false)
    .action((options: Options) => {
      checkStretch(options)
      const { from, to, againstNode } = options
      return withRooms(async (rooms, config) => {
        using node = againstNode ? demandNode(config) : undefined
        await using ingest = await openIngestOf(rooms)
        const { blockCount, differences } = await ingest.verify({
          from,
          to,
          source: node,
          signal: stopSignal(),
        })
        for (const { height, what, held, expected } of differences)
          console.log(`block ${height}: ${what}: held ${held}, expected ${expected}`)
        console.log(`${blockCount} blocks checked, ${differences.length} differences`)
        if (differences.length > 0) process.exitCode = 1
      })
    })
