import process from 'node:process'
import { Command } from 'commander'
import { ConfigError } from '#kernel/errors.ts'
import { demandNode, openIngestOf } from '../main.ts'
import { type Chain, chainOption, isLayer } from './chains.ts'
import { checkStretch, height, httpAddress } from './heights.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

type Options = {
  chain: Chain
  from?: number
  to?: number
  againstNode: boolean
  source?: string
  samples?: number
}

export const verifyCommand = (chains: readonly Chain[]): Command =>
  new Command('verify')
    .description('check indexed data for consistency, and optionally against the node')
    .addOption(chainOption(chains))
    .option('--from <height>', 'first height', height)
    .option('--to <height>', 'last height', height)
    .option(
      '--against-node',
      'read blocks from the node again and compare: all of Bitcoin’s, sampled heights of Stacks or a layer',
      false,
    )
    .option(
      '--source <url>',
      'a second endpoint of Stacks or a layer to compare sampled heights with',
      httpAddress,
    )
    .option('--samples <count>', 'how many heights of Stacks or a layer to compare (default: 20)', height)
    .action((options: Options) => {
      checkStretch(options)
      const { chain, from, to, againstNode } = options
      if (chain === 'stacks')
        return withRooms(async rooms => (await import('./stacks.ts')).verifyStacksOf(rooms, options))
      if (isLayer(chain))
        return withRooms(async rooms => (await import('./verifyLayer.ts')).verifyLayer(rooms, chain, options))
      if (options.source !== undefined || options.samples !== undefined)
        throw new ConfigError(
          'cli.verify_layer',
          '--source and --samples are of Stacks and the layers; Bitcoin is compared whole, by --against-node.',
        )
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
          console.log(`block ${height}: ${what}: indexed ${held}, expected ${expected}`)
        console.log(`${blockCount} blocks checked, ${differences.length} differences`)
        if (differences.length > 0) process.exitCode = 1
      })
    })
