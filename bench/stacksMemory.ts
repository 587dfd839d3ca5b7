import { join } from 'node:path'
import { sharedPath } from '#tests/shared.ts'
import { memoryFigures, watchBackfill } from './memory/watch.ts'
import { writeLongArchive } from './stacksArchive/longArchive.ts'
import { rounded, type Suite } from './suite.ts'

/** Memory of the real `assay backfill --chain stacks` over a long archive: all its processes. */
export const stacksMemory: Suite = {
  name: 'stacksMemory',
  about: 'anonymous memory of all processes of ingest over a long archive of a Stacks node’s events',
  skipReason() {
    if (process.platform !== 'linux') return 'it reads /proc, which only Linux has'
    return sharedPath('data/stacks/events') === undefined
      ? 'the recorded archives (../shared), of which the long one is made, are not beside this clone'
      : undefined
  },
  async run(context) {
    const { isQuick, folder, say } = context
    const archive = join(folder, 'long.tsv')
    const made = await writeLongArchive(archive, isQuick ? 500 : 6000)
    const shown = `${rounded(made.blocks / 1000)} k blocks, ${rounded(made.transactions / 1000)} k transactions`
    say(`${shown}, ${rounded(made.bytes / 1e9)} GB of messages`)
    const start = performance.now()
    const samples = await watchBackfill(
      ['--chain', 'stacks', '--from-archive', archive],
      join(folder, 'home'),
      {},
      context,
    )
    const seconds = (performance.now() - start) / 1000
    say(`backfill took ${Math.round(seconds)} s, ${rounded(made.bytes / 1e6 / seconds)} MB/s`)
    return memoryFigures(samples, shown)
  },
}
