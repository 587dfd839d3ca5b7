import process from 'node:process'
import { Command } from 'commander'
import { readStatus } from '#http/index.ts'
import { confinementSentence, userSentence } from '#warehouse/index.ts'
import {
  followedLayers,
  followsStacks,
  hasNode,
  openStoreOf,
  openWhenAsked,
  readScheduleOf,
} from '../main.ts'
import { version } from '../version.ts'
import { stacksLines } from './stacksStatus.ts'
import { withRooms } from './withRooms.ts'

export const statusCommand = (): Command =>
  new Command('status')
    .description('indexed ranges, sources and sync progress')
    .option('--json', 'as one JSON object', false)
    .action(({ json }: { json: boolean }) =>
      withRooms(async (rooms, config) => {
        const { warehouse, metrics } = rooms
        await using store = openWhenAsked(() => openStoreOf(rooms))
        const schedule = await readScheduleOf(rooms, store.get)
        const status = await readStatus({
          warehouse,
          metrics,
          network: config.bitcoin.network,
          version: version(),
          hasNode: hasNode(config),
          followsStacks: followsStacks(config),
          layers: rooms.catalog.evm.map(({ id }) => id),
          followedLayers: followedLayers(config),
        })
        const confinement = await warehouse.confinement()
        const engine = confinement && confinementSentence(confinement)
        const decided = await warehouse.engineUser()
        const engineUser = decided && userSentence(decided)
        if (json)
          return void process.stdout.write(`${JSON.stringify({ ...status, engine, engineUser, schedule })}\n`)
        if (engine !== undefined) console.log(`engine ${engine}`)
        if (engineUser !== undefined) console.log(`engine ${engineUser}`)
        for (const { chain, network, coverage, tip, lastCommit, refused, ...more } of status.chains) {
          console.log(`${chain} (${network})`)
          console.log(`  latest block  ${tip ? `${tip.height} of ${tip.time}` : 'none'}`)
          console.log(`  last commit   ${lastCommit ?? 'none'}`)
          const runs = coverage.filter(({ isIsland }) => !isIsland)
          console.log(
            `  indexed       ${runs.map(({ from, to }) => `${from} to ${to}`).join(', ') || 'no blocks'}`,
          )
          console.log(`  islands       ${coverage.length - runs.length}`)
          console.log(`  refused       ${refused}`)
          if (chain === 'stacks') for (const line of await stacksLines(warehouse)) console.log(line)
          for (const line of followingLines(more)) console.log(line)
        }
        console.log(`sources ${status.sources.length}`)
        console.log(schedule.sentence)
        const inNeed = schedule.requests.filter(({ state }) => state === 'refused' || state === 'failed')
        for (const { source, about, reason } of inNeed) console.log(`  ${source} ${about}: ${reason}`)
      }),
    )

type Chain = Awaited<ReturnType<typeof readStatus>>['chains'][number]

/** How the chain is followed, a line each. */
function followingLines(
  chain: Omit<Chain, 'chain' | 'network' | 'coverage' | 'tip' | 'lastCommit' | 'refused'>,
): string[] {
  const { isConfigured, configure, halted, isWaiting, sourceTip, lagBlocks, lagSeconds, answeredAt } = chain
  if (!isConfigured) return [`  not synced    ${configure}`]
  return [
    ...(sourceTip === null
      ? []
      : [
          `  sources       at ${sourceTip}, ${lagBlocks ?? 'an unknown number of'} blocks ahead (${lagSeconds ?? '?'} s), responded ${answeredAt}`,
        ]),
    ...chain.endpoints.map(
      ({ name, state, answers, failures, lies, lastFault }) =>
        `  endpoint      ${name}: ${state}, ${answers} answers, ${failures} failures, ${lies} lies${lastFault === '' ? '' : ` (${lastFault})`}`,
    ),
    ...(halted === null ? [] : [`  ${isWaiting ? 'waiting     ' : 'halted      '}  ${halted}`]),
  ]
}
