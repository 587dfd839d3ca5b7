import process from 'node:process'
import { evmHaltSentence } from '#ingest/evm/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Rooms } from '../main.ts'
import { ingestLine } from './format.ts'
import { openLayer } from './openLayer.ts'
import { createProgress } from './progress.ts'
import { stopSignal } from './stop.ts'

type Options = { readonly from?: number; readonly to?: number; readonly allowDeepReorg: boolean }

/** `assay backfill --chain <layer>`: brings a stretch of the layer in. */
export async function backfillLayer(
  rooms: Rooms,
  chain: EvmLayer,
  { from, to, allowDeepReorg }: Options,
): Promise<void> {
  const progress = createProgress()
  await using layer = await openLayer(rooms, chain)
  await using ingest = await layer.openIngest({ allowDeepReorg })
  const outcome = await ingest.backfill({ from, to, signal: stopSignal() }, at =>
    progress.show(ingestLine(at)),
  )
  progress.end()
  if (outcome.type === 'halt') {
    console.log(evmHaltSentence(outcome, layer.facts.name))
    process.exitCode = 1
  } else if (to !== undefined && to > outcome.sourceTip)
    console.log(`All blocks up to the latest one, ${outcome.sourceTip}, are indexed.`)
  else console.log('All requested blocks are indexed.')
}
