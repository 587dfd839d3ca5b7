import process from 'node:process'
import { Command } from 'commander'
import { readStatus } from '#http/index.ts'
import { followedLayers, hasNode } from '../main.ts'
import { version } from '../version.ts'
import { stacksLines } from './stacksStatus.ts'
import { withRooms } from './withRooms.ts'

export const statusCommand = (): Command =>
  new Command('status')
    .description('what is held, from where, how far')
    .option('--json', 'as one JSON object', false)
    .action(({ json }: { json: boolean }) =>
      withRooms(async ({ warehouse, metrics }, config) => {
        const status = await readStatus({
          warehouse,
          metrics,
          network: config.bitcoin.network,
          version: version(),
          hasNode: hasNode(config),
          layers: followedLayers(config),
        })
        if (json) return void process.stdout.write(`${JSON.stringify(status)}\n`)
        for (const { chain, network, coverage, tip, lastCommit, halted, refused } of status.chains) {
          console.log(`${chain} (${network})`)
          console.log(`  newest block  ${tip ? `${tip.height} of ${tip.time}` : 'none'}`)
          console.log(`  last commit   ${lastCommit ?? 'none'}`)
          const runs = coverage.filter(({ isIsland }) => !isIsland)
          console.log(
            `  held          ${runs.map(({ from, to }) => `${from} to ${to}`).join(', ') || 'no run of blocks'}`,
          )
          console.log(`  islands       ${coverage.length - runs.length}`)
          console.log(`  refused       ${refused}`)
          if (chain === 'stacks') for (const line of await stacksLines(warehouse)) console.log(line)
          if (halted) console.log(`  stands still  ${halted}`)
        }
        console.log(`sources ${status.sources.length}`)
      }),
    )
