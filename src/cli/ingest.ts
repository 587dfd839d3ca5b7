import { setTimeout as delay } from 'node:timers/promises'
import { Command } from 'commander'
import { sentenceOf } from '#kernel/errors.ts'
import type { Config } from '../config.ts'
import { demandNode, openIngestOf, type Rooms } from '../main.ts'
import { type Chain, chainsOption, isLayer } from './chains.ts'
import { tellingCommits } from './commits.ts'
import { ingestLine } from './format.ts'
import { createProgress, type Progress } from './progress.ts'
import { stopSignal } from './stop.ts'
import { withRooms } from './withRooms.ts'

type Options = { readonly chain: readonly Chain[]; readonly allowDeepReorg: boolean }

const AGAIN_AFTER_MS = 60_000

export const ingestCommand = (chains: readonly Chain[]): Command =>
  new Command('ingest')
    .description(
      'follow chains: Bitcoin’s node of BITCOIN_RPC_URL or BITCOIN_REST_URL, Stacks by events, RPC or API, layers by their endpoints',
    )
    .addOption(chainsOption(chains))
    .option('--allow-deep-reorg', 'follow a fork deeper than automatic reorgs', false)
    .action(({ chain: chains, allowDeepReorg }: Options) =>
      withRooms(async (opened, config) => {
        const rooms = { ...opened, warehouse: tellingCommits(opened.warehouse) }
        const signal = stopSignal()
        const progress = createProgress()
        const follow = (chain: Chain, prefix = ''): Promise<void> =>
          followOne(rooms, config, chain, { allowDeepReorg, prefix, progress, signal })
        const [only] = chains
        if (only !== undefined && chains.length === 1) await follow(only)
        else
          await Promise.all(
            chains.map(chain => keepUp(() => follow(chain, `${chain}: `), rooms, chain, signal)),
          )
        progress.end()
      }),
    )

/** Where several chains are followed, one that fails is told and begun anew; the others go on. */
async function keepUp(
  follow: () => Promise<void>,
  { log }: Rooms,
  chain: Chain,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow()
    } catch (thrown) {
      log.error(`${chain} is not followed for now: ${sentenceOf(thrown)}`)
    }
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {})
  }
}

type How = {
  readonly allowDeepReorg: boolean
  readonly prefix: string
  readonly progress: Progress
  readonly signal: AbortSignal
}

async function followOne(rooms: Rooms, config: Config, chain: Chain, how: How): Promise<void> {
  const { allowDeepReorg, prefix, progress, signal } = how
  const show = (at: Parameters<typeof ingestLine>[0]): void => progress.show(prefix + ingestLine(at))
  if (chain === 'stacks')
    return (await import('./stacks.ts')).followStacks(rooms, signal, line => progress.show(prefix + line))
  if (isLayer(chain)) {
    const { openLayer } = await import('./openLayer.ts')
    await using layer = await openLayer(rooms, chain)
    await using ingest = await layer.openIngest({ allowDeepReorg })
    await ingest.follow(signal, show)
    return
  }
  using node = demandNode(config)
  await using ingest = await openIngestOf(rooms, { node, allowDeepReorg })
  await ingest.follow(signal, show)
}
